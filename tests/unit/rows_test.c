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

int main(void)
{
    Suite *s = suite_create("rows");
    TCase *t = tcase_create("rows");

    tcase_add_test(t, rows_come_in_the_order_of_reports);
    tcase_add_test(t, no_rows_are_none);
    tcase_add_test(t, parts_on_disk_and_in_memory_are_added_up);
    suite_add_tcase(s, t);
    return unit_run(s);
}
