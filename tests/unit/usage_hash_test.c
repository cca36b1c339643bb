/* usage_hash and span_cut: the hash says what facts say, not how they came; spans are hours cut at instants. */
#include "core_fixture.h"
#include "gputab/core/span_cut.h"
#include "gputab/core/usage_hash.h"

static void hash(const struct world *w, const struct usage *u, char hex[SHA256_HEX])
{
    struct sha256 *h = sha256_new();

    usage_hash_add(h, u, &w->inv, &w->owners);
    sha256_end(h, hex);
}

/* A world with one pod's fact; `before` strings are interned first, so that all ids differ. */
static void one_fact(struct world *w, struct usage *u, int before)
{
    uint32_t node, pod;

    world_init(w);
    for (int i = 0; i < before; i++)
        intern_put(w->names, &i, sizeof i);
    node = world_node(w, "n1", "i-1", "one");
    world_gpu(w, "GPU-1", "H100", node);
    if (before)
        world_pod(w, "a", "another", "");              /* another index, too */
    pod = world_pod(w, "a", "p", "u1");
    owners_update(&w->owners, &w->rule, &w->inv, w->names);
    *u = (struct usage){.next_id = 1};
    vec_push(&u->gpu, (struct gpu_fact){.node = node, .span = {AT(0), AT(HOUR_S)}, .claimant = CLAIM_POD,
                                        .pod_version = owners_version(&w->owners, pod, AT(0)), .id = (uint32_t)before,
                                        .share = {1, 2, 3}, .held = 4, .memory_ms = 5});
    vec_push(&u->host, (struct host_fact){.node = node, .span = {AT(0), AT(HOUR_S)}, .pod_version = u->gpu.v[0].pod_version,
                                          .request_cpu = (weight)7 << 70});
    vec_push(&u->host_observed, (struct host_observed){.node = node, .span = {AT(0), AT(HOUR_S)}, .any_ms = {8, 9}});
}

START_TEST(equal_facts_have_one_hash_whatever_the_ids)
{
    struct world a, b;
    struct usage ua, ub;
    char ha[SHA256_HEX], hb[SHA256_HEX];

    one_fact(&a, &ua, 0);
    one_fact(&b, &ub, 5);
    hash(&a, &ua, ha);
    hash(&b, &ub, hb);
    ck_assert_str_eq(ha, hb);
    usage_free(&ua);
    usage_free(&ub);
    world_free(&a);
    world_free(&b);
}
END_TEST

START_TEST(every_number_of_a_fact_is_in_the_hash)
{
    struct world w;
    struct usage u;
    char first[SHA256_HEX], now[SHA256_HEX];
    weight *numbers[6];

    one_fact(&w, &u, 0);
    hash(&w, &u, first);
    numbers[0] = &u.gpu.v[0].share[RULE_RESIDENTS];
    numbers[1] = &u.gpu.v[0].held;
    numbers[2] = &u.gpu.v[0].memory_ms;
    numbers[3] = &u.host.v[0].request_cpu;
    numbers[4] = &u.host.v[0].usage_memory;
    numbers[5] = &u.host.v[0].request_gpu;
    for (int i = 0; i < 6; i++) {
        *numbers[i] += (weight)1 << 65;
        hash(&w, &u, now);
        ck_assert_str_ne(now, first);
        *numbers[i] -= (weight)1 << 65;
    }
    u.host_observed.v[0].request_ms[1]++;
    hash(&w, &u, now);
    ck_assert_str_ne(now, first);
    usage_free(&u);
    world_free(&w);
}
END_TEST

/* The hashes are Python's, of the lines
 *
 *     "", n1, GPU-1, "", 1728000000000, 1728003600000, 0, 0, 0, 0, 0, a, p, u1, 0:1, 0:2, 2:3, 0:4, 0:5       (a hundred times at last)
 *     "", n1, 1728000000000, 1728003600000, a, p, u1, 1c0:0, 0:0, 0:0, 0:0, 0:0
 *     "", n1, 1728000000000, 1728003600000, 0, 0, 8, 0, 0, 9
 *
 * each cell with a tab behind it; 7 x 2^70 is 1c0:0 in halves of 64 bits. A hundred lines are more than are hashed at once. */
START_TEST(facts_are_hashed_as_lines_of_text)
{
    struct world w;
    struct usage u;
    char hex[SHA256_HEX];

    one_fact(&w, &u, 0);
    u.gpu.v[0].share[RULE_RESIDENTS] += (weight)1 << 65;
    hash(&w, &u, hex);
    ck_assert_str_eq(hex, "1b9de69e9c317e0ed10bb47f4ec2aa9bd9c887b5697217089558371edd3c535b");
    for (int i = 1; i < 100; i++)
        vec_push(&u.gpu, u.gpu.v[0]);
    hash(&w, &u, hex);
    ck_assert_str_eq(hex, "f08aaaf4b353e1cec579395354aff0324a2533d56fad19b8b1fa2c2c53fc8559");
    usage_free(&u);
    world_free(&w);
}
END_TEST

/* Numbers of all widths, other nodes and spans from line to line: wide is each of the numbers in turn, in hex as written; the node
 * changes every third line, the hour every second. The hash is Python's, of lines as above. */
START_TEST(lines_of_other_nodes_hours_and_numbers_are_hashed_as_written)
{
    static const uint64_t wide[][2] = {{0, 0}, {0, 9}, {0, 0xa}, {0, 0xf}, {0, 0x10}, {0, 0xff}, {0, 0x9a0f}, {0, 0xabcdef0123456789},
                                       {0, UINT64_MAX}, {0xfedcba9876543210, 0x10}, {(uint64_t)1 << 63, 0}};
    static const uint64_t ms[] = {0, 9, 10, 99, 100, UINT64_MAX};
    struct world w;
    struct usage u;
    char hex[SHA256_HEX];
    struct gpu_fact fact;

    one_fact(&w, &u, 0);
    world_node(&w, "n2", "i-2", "one");
    fact = u.gpu.v[0];
    usage_clear(&u);
    for (uint32_t i = 0; i < 44; i++) {
        fact.node = i / 3 % 2;
        fact.span = (struct timespan){AT((int)(i / 2 % 3) * HOUR_S), AT((int)(i / 2 % 3 + 1) * HOUR_S)};
        fact.memory_ms = fact.share[0] = (weight)wide[i % 11][0] << 64 | wide[i % 11][1];
        vec_push(&u.gpu, fact);
    }
    for (uint32_t i = 0; i < 6; i++)
        vec_push(&u.host_observed, (struct host_observed){.node = i % 2, .span = {AT(0), AT(HOUR_S)}, .request_ms = {ms[i]}});
    hash(&w, &u, hex);
    ck_assert_str_eq(hex, "2c00f1381686b298347c462e2a097ddb53ef578cfe1c8d631243a2ee1a42b3a5");
    usage_free(&u);
    world_free(&w);
}
END_TEST

/* Numbers of 16, 15 ... 1 hex digits. The hash is Python's, of lines as above. */
START_TEST(numbers_of_any_length_are_hashed_as_written)
{
    struct world w;
    struct usage u;
    char hex[SHA256_HEX];

    one_fact(&w, &u, 0);
    vec_clear(&u.gpu);
    vec_clear(&u.host_observed);
    for (int k = 0; k < 16; k++) {
        struct host_fact fact = u.host.v[0];

        fact.request_cpu = UINT64_C(0x123456789abcdef0) >> 4 * k;
        if (k == 0)
            u.host.v[0] = fact;
        else
            vec_push(&u.host, fact);
    }
    hash(&w, &u, hex);
    ck_assert_str_eq(hex, "8a015379429f68d7b42fedf0237189fe0c638818f94dc09b2a2b57302f32b611");
    usage_free(&u);
    world_free(&w);
}
END_TEST

static void span_is(const struct cuts *c, int at, int from, int to)
{
    size_t cursor = 0, far = 100;
    struct timespan span = span_cut_at(c, AT(at), &cursor), again = span_cut_at(c, AT(at), &cursor), lost = span_cut_at(c, AT(at), &far);

    ck_assert_int_eq(span.from, AT(from));
    ck_assert_int_eq(span.to, AT(to));
    ck_assert_int_eq(again.from, span.from);
    ck_assert_int_eq(lost.to, span.to);
}

START_TEST(a_span_is_an_hour_cut_at_the_instants_inside_it)
{
    time_ms v[] = {AT(0), AT(1200), AT(1800), AT(7200), AT(9000)};
    struct cuts c = {v, 5}, none = {NULL, 0};

    span_is(&none, 100, 0, 3600);
    span_is(&none, -1, -3600, 0);
    span_is(&c, 0, 0, 1200);
    span_is(&c, 1199, 0, 1200);
    span_is(&c, 1200, 1200, 1800);
    span_is(&c, 3599, 1800, 3600);
    span_is(&c, 3600, 3600, 7200);
    span_is(&c, 8000, 7200, 9000);
    span_is(&c, 9001, 9000, 10800);
    span_is(&c, 20000, 18000, 21600);
}
END_TEST

START_TEST(a_cursor_may_go_back)
{
    time_ms v[] = {AT(0), AT(1200), AT(1800)};
    struct cuts c = {v, 3};
    size_t cursor = 0;

    ck_assert_int_eq(span_cut_at(&c, AT(2000), &cursor).from, AT(1800));
    ck_assert_int_eq(span_cut_at(&c, AT(100), &cursor).to, AT(1200));
}
END_TEST

int main(void)
{
    Suite *s = suite_create("usage_hash");
    TCase *c = tcase_create("usage_hash");

    tcase_add_test(c, equal_facts_have_one_hash_whatever_the_ids);
    tcase_add_test(c, every_number_of_a_fact_is_in_the_hash);
    tcase_add_test(c, facts_are_hashed_as_lines_of_text);
    tcase_add_test(c, lines_of_other_nodes_hours_and_numbers_are_hashed_as_written);
    tcase_add_test(c, numbers_of_any_length_are_hashed_as_written);
    tcase_add_test(c, a_span_is_an_hour_cut_at_the_instants_inside_it);
    tcase_add_test(c, a_cursor_may_go_back);
    suite_add_tcase(s, c);
    return unit_run(s);
}
