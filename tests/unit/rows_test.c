/* rows: parts of rows that went to disk come back as one row, in the order of reports. */
#include "unit.h"

#include <stdio.h>
#include <string.h>

#include "gputab/core/rows.h"

enum { PODS = 9000, DAYS = 5 };    /* more pods than stay in memory from one day to the next */

static void add(struct rows *r, enum bucket bucket, bool matched, const char *text, money cost)
{
    struct buf texts = { 0 };
    struct row_sums *s;

    row_key_add_text(&texts, span_of(text));
    s = rows_at(r, rows_put(r, &(struct row_key){ bucket, matched, buf_span(&texts) }));
    s->cost[PIECE_GPU] += cost;
    s->grade[GRADE_C] -= cost;
    s->resident_ms += 7;
    s->memory_ms += (weight)1 << 100;
    s->has_pods = s->has_pods || cost % 2;
    buf_free(&texts);
}

static void expect(struct rows *r, enum bucket bucket, bool matched, const char *text, money cost)
{
    struct row row;
    struct span texts, key;

    ck_assert(rows_next(r, &row));
    texts = row.key.texts;
    key = row_key_next(&texts);
    ck_assert_msg(span_eq(key, text), "%.*s, not %s", (int)key.n, key.p, text);
    ck_assert_int_eq(row.key.bucket, bucket);
    ck_assert_int_eq(row.key.matched, matched);
    ck_assert(row.sums.cost[PIECE_GPU] == cost);
}

START_TEST(rows_come_in_the_order_of_reports)
{
    struct rows *r = rows_new();
    struct row row;

    add(r, BUCKET_IDLE, true, "a", 1);
    add(r, BUCKET_NONE, true, "", 2);
    add(r, BUCKET_NONE, true, "b", 3);
    add(r, BUCKET_NONE, false, "ab", 4);
    add(r, BUCKET_NONE, true, "ab", 5);
    add(r, BUCKET_NO_METRICS, true, "a", 6);
    add(r, BUCKET_NONE, true, "b", 30);
    for (int pass = 0; pass < 2; pass++) {
        rows_rewind(r);
        expect(r, BUCKET_NONE, true, "ab", 5);
        expect(r, BUCKET_NONE, false, "ab", 4);
        expect(r, BUCKET_NONE, true, "b", 33);
        expect(r, BUCKET_NONE, true, "", 2);
        expect(r, BUCKET_IDLE, true, "a", 1);
        expect(r, BUCKET_NO_METRICS, true, "a", 6);
        ck_assert(!rows_next(r, &row));
    }
    rows_free(r);
}
END_TEST

START_TEST(no_rows_are_none)
{
    struct rows *r = rows_new();
    struct row row;

    ck_assert(!rows_relieve(r));
    rows_rewind(r);
    ck_assert(!rows_next(r, &row));
    rows_free(r);
    rows_free(NULL);
}
END_TEST

/* Pod p has p + day + 1 on each day but those that p's number excludes: sums are counted beside, in plain arrays. */
START_TEST(parts_on_disk_and_in_memory_are_added_up)
{
    struct rows *r = rows_new();
    struct err e = { 0 };
    struct row row;
    char text[32];
    int moved = 0;

    for (int day = 0; day < DAYS; day++) {
        for (int p = PODS; p-- > 0;) {
            snprintf(text, sizeof text, "pod-%05d", p);
            if (p % (day + 2))
                add(r, BUCKET_NONE, true, text, p + day + 1);
        }
        moved += rows_relieve(r);
    }
    add(r, BUCKET_NONE, true, "pod-00001", 1000);
    ck_assert_int_ge(moved, 3);
    rows_rewind(r);
    for (int p = 0; p < PODS; p++) {
        money cost = p == 1 ? 1000 : 0;
        uint64_t parts = p == 1;
        bool has = false;

        for (int day = 0; day < DAYS; day++)
            if (p % (day + 2)) {
                cost += p + day + 1;
                parts++;
                has = has || (p + day + 1) % 2;
            }
        if (!parts)
            continue;
        snprintf(text, sizeof text, "pod-%05d", p);
        ck_assert(rows_next(r, &row));
        ck_assert_ptr_nonnull(memmem(row.key.texts.p, row.key.texts.n, text, strlen(text)));
        ck_assert(row.sums.cost[PIECE_GPU] == cost && row.sums.grade[GRADE_C] == -cost);
        ck_assert_uint_eq(row.sums.resident_ms, 7 * parts);
        ck_assert(row.sums.memory_ms == (weight)parts << 100);
        ck_assert_int_eq(row.sums.has_pods, has);
    }
    ck_assert(!rows_next(r, &row));
    ck_assert_int_eq(rows_check(r, &e), 0);
    rows_free(r);
}
END_TEST

/* Each amount of its own size and sign, so that no two can be taken for one another. */
static struct row_sums all_sums(int sign)
{
    const money wide = (money)1 << 100;

    return (struct row_sums){.cost = {sign * 1, sign * 2000000000, sign * (wide + 3)}, .gpu_hours = sign * 4, .used_cost = sign * -5,
                             .min_cost = sign * -6000000000000, .max_cost = sign * 7, .grade = {sign * 8, 0, sign * -(wide + 9), sign * 10},
                             .idle_cost = sign * 11, .shared_cost = sign * 12, .moved_gpu = sign * 13, .memory_ms = ((weight)1 << 90) + 14,
                             .requested = 15, .resident_ms = UINT64_MAX / 4, .has_pods = sign > 0, .left = sign < 0};
}

static void add_sums(struct rows *r, const char *text, const struct row_sums *sums)
{
    struct buf texts = {0};

    row_key_add_text(&texts, span_of(text));
    row_sums_add(rows_at(r, rows_put(r, &(struct row_key){BUCKET_NONE, true, buf_span(&texts)})), sums);
    buf_free(&texts);
}

static bool same_sums(const struct row_sums *a, const struct row_sums *b)
{
    bool same = a->gpu_hours == b->gpu_hours && a->used_cost == b->used_cost && a->min_cost == b->min_cost && a->max_cost == b->max_cost
                && a->idle_cost == b->idle_cost && a->shared_cost == b->shared_cost && a->moved_gpu == b->moved_gpu
                && a->memory_ms == b->memory_ms && a->requested == b->requested && a->resident_ms == b->resident_ms
                && a->has_pods == b->has_pods && a->left == b->left;

    for (int p = 0; p < PIECES; p++)
        same = same && a->cost[p] == b->cost[p];
    for (int g = 0; g < GRADES; g++)
        same = same && a->grade[g] == b->grade[g];
    return same;
}

/* Runs of three days; a row of each sign on its own, and one that has both on different days. */
START_TEST(all_sums_come_back_and_costs_alone_are_the_same)
{
    const struct row_sums plus = all_sums(1), minus = all_sums(-1);
    struct row_sums both = {.memory_ms = ((weight)1 << 91) + 28, .requested = 30, .resident_ms = UINT64_MAX / 4 * 2, .has_pods = true,
                            .left = true};
    const struct { const char *text; const struct row_sums *want; } rows[] = {{"both", &both}, {"minus", &minus}, {"plus", &plus}};
    struct rows *r = rows_new();
    struct row row;
    char text[32];

    for (int day = 0; day < 3; day++) {
        if (day != 1)
            add_sums(r, "both", day ? &minus : &plus);
        if (day == 1)
            add_sums(r, "plus", &plus);
        if (day == 2)
            add_sums(r, "minus", &minus);
        for (int p = 0; p < PODS; p++) {
            snprintf(text, sizeof text, "z-%05d", p);
            add(r, BUCKET_NONE, true, text, 1);
        }
        ck_assert(rows_relieve(r));
    }
    rows_rewind(r);
    for (int i = 0; i < 3; i++) {
        ck_assert(rows_next(r, &row));
        ck_assert_ptr_nonnull(memmem(row.key.texts.p, row.key.texts.n, rows[i].text, strlen(rows[i].text)));
        ck_assert_msg(same_sums(&row.sums, rows[i].want), "%s", rows[i].text);
    }
    rows_rewind(r);
    for (int i = 0; i < 3; i++) {
        ck_assert(rows_next_cost(r, &row));
        ck_assert_ptr_nonnull(memmem(row.key.texts.p, row.key.texts.n, rows[i].text, strlen(rows[i].text)));
        for (int p = 0; p < PIECES; p++)
            ck_assert(row.sums.cost[p] == rows[i].want->cost[p]);
        ck_assert(row.sums.gpu_hours == rows[i].want->gpu_hours);
    }
    for (int p = 0; p < PODS; p++)
        ck_assert(rows_next_cost(r, &row) && row.sums.cost[PIECE_GPU] == 3);
    ck_assert(!rows_next_cost(r, &row));
    rows_free(r);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("rows");
    TCase *t = tcase_create("rows");

    tcase_add_test(t, rows_come_in_the_order_of_reports);
    tcase_add_test(t, no_rows_are_none);
    tcase_add_test(t, parts_on_disk_and_in_memory_are_added_up);
    tcase_add_test(t, all_sums_come_back_and_costs_alone_are_the_same);
    suite_add_tcase(s, t);
    return unit_run(s);
}
