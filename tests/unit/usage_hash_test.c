/* usage_hash and span_cut: the hash says what facts say, not how they came; spans are hours cut at instants. */
#include <stdio.h>

#include "core_fixture.h"
#include "gputab/core/span_cut.h"
#include "gputab/core/usage_hash.h"

static void hash(const struct world *w, const struct usage *u, char hex[SHA256_HEX])
{
    struct usage_hash *h = usage_hash_new();

    usage_hash_add(h, u, &w->inv, &w->owners);
    usage_hash_end(h, hex);
}

static unsigned digit(char c)
{
    return (unsigned)(c <= '9' ? c - '0' : c - 'a' + 10);
}

/* Bytes in words: pairs of hex digits, and texts in quotes, which stand for their lengths in four bytes and themselves. */
static void add_words(struct buf *b, const char *words)
{
    for (const char *p = words; *p; p++) {
        if (*p == '\'') {
            const char *end = strchr(p + 1, '\'');

            for (size_t k = 0, n = (size_t)(end - p - 1); k < 4; k++, n >>= 8)
                buf_addc(b, (char)(n & 255));
            buf_add(b, p + 1, (size_t)(end - p - 1));
            p = end;
        } else if (*p != ' ') {
            buf_addc(b, (char)(digit(p[0]) << 4 | digit(p[1])));
            p++;
        }
    }
}

static void words_hash(const char *words, int times, char hex[SHA256_HEX])
{
    struct sha256 *h = sha256_new();
    struct buf b = {0};

    for (int i = 0; i < times; i++)
        add_words(&b, words);
    sha256_add(h, b.p, b.n);
    sha256_end(h, hex);
    buf_free(&b);
}

/* The facts are hashed as these bytes. */
static void is_hashed_as(const struct world *w, const struct usage *u, const char *words)
{
    char expected[SHA256_HEX], hex[SHA256_HEX];

    words_hash(words, 1, expected);
    hash(w, u, hex);
    ck_assert_str_eq(hex, expected);
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

/* Every field of each kind of fact, but for ids and candidates, which number what others say. */
static void change(struct usage *u, int field)
{
    struct gpu_fact *g = &u->gpu.v[0];
    struct host_fact *f = &u->host.v[0];
    struct host_observed *o = &u->host_observed.v[0];
    weight *weights[] = {&g->share[0], &g->share[1], &g->share[2], &g->held, &g->memory_ms, &f->request_cpu, &f->usage_cpu,
                         &f->request_memory, &f->usage_memory, &f->request_gpu};
    uint64_t *times[] = {&o->request_ms[0], &o->request_ms[1], &o->usage_ms[0], &o->usage_ms[1], &o->any_ms[0], &o->any_ms[1]};
    time_ms *instants[] = {&g->span.from, &g->span.to, &f->span.from, &f->span.to, &o->span.from, &o->span.to};
    uint32_t *things[] = {&g->gpu, &g->node, &f->node, &o->node, &g->device, &g->pod_version, &f->pod_version};
    uint32_t *kinds[] = {(uint32_t *)&g->state, (uint32_t *)&g->sharing, (uint32_t *)&g->claimant, (uint32_t *)&g->reason,
                         (uint32_t *)&g->grade};

    if (field < 10)
        *weights[field] += (weight)1 << 65;
    else if (field < 16)
        *times[field - 10] += 1;
    else if (field < 22)
        *instants[field - 16] += 1;
    else if (field < 29)
        *things[field - 22] = field == 22 ? 1 : NONE;                 /* there is always a GPU */
    else if (field < 34)
        *kinds[field - 29] += 1;
}

START_TEST(facts_that_differ_in_anything_differ_in_their_hashes)
{
    enum { FIELDS = 34 };
    struct world w;
    struct usage u;
    char hex[FIELDS + 1 + 6][SHA256_HEX];
    size_t n = 0;

    for (int field = 0; field <= FIELDS; field++, usage_free(&u), world_free(&w)) {      /* the last is nobody's: nothing is changed */
        one_fact(&w, &u, 0);
        world_gpu(&w, "GPU-2", "H100", 0);
        change(&u, field);
        hash(&w, &u, hex[n++]);
    }
    for (int name = 0; name < 6; name++, usage_free(&u), world_free(&w)) {
        struct pod_id *pod;

        one_fact(&w, &u, 0);
        pod = &w.owners.versions.v[u.gpu.v[0].pod_version].pod;
        *(uint32_t *[]){&w.inv.nodes.v[0].cluster, &w.inv.gpus.v[0].cluster, &pod->cluster, &pod->namespace_name, &pod->name,
                        &w.inv.devices.v[0].gi}[name] = world_text(&w, "another");
        hash(&w, &u, hex[n++]);
    }
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < i; k++)
            ck_assert_msg(strcmp(hex[i], hex[k]) != 0, "%zu and %zu", i, k);
}
END_TEST

#define HOUR_0 "00 80 d3 54 92 01 00 00  80 6e 0a 55 92 01 00 00 "     /* 1728000000000, 1728003600000 ms */
#define HOUR_1 "80 6e 0a 55 92 01 00 00  00 5d 41 55 92 01 00 00 "     /* 1728003600000, 1728007200000 */

/* 7 x 2^70 is 0x1c0 x 2^64: 10 bytes. */
#define ONE_FACT                                                                             \
    "7d 00 00 00 11 11 01 '' 'n1' " HOUR_0 "01 00 00 00 '' 'GPU-1' '' 01 00 00 00 '' 'a' 'p' 'u1' 01 02 03 04 05 "     \
    "02 0a 00 00 00 00 00 00 00 00 00 00 c0 01 "                                           \
    "03 00 01 10 08 09 "

START_TEST(facts_are_hashed_as_bytes)
{
    struct world w;
    struct usage u;

    one_fact(&w, &u, 0);
    is_hashed_as(&w, &u, ONE_FACT);
    usage_free(&u);
    world_free(&w);
}
END_TEST

/* Another call can be of another day, whose indices and strings are others: in it all is said again. Many of them are more than is hashed
 * at once. */
START_TEST(every_call_says_everything_again)
{
    struct world w;
    struct usage u;
    char hex[SHA256_HEX], expected[SHA256_HEX];
    struct usage_hash *h = usage_hash_new();

    for (int i = 0; i < 100; i++) {
        one_fact(&w, &u, i);
        usage_hash_add(h, &u, &w.inv, &w.owners);
        usage_free(&u);
        world_free(&w);
    }
    usage_hash_end(h, hex);
    words_hash(ONE_FACT, 100, expected);
    ck_assert_str_eq(hex, expected);
}
END_TEST

static void add_gpu_fact(struct usage *u, uint32_t node, uint32_t gpu, uint32_t device, int hour, uint32_t version)
{
    vec_push(&u->gpu, (struct gpu_fact){.node = node, .gpu = gpu, .device = device, .span = {AT(hour * HOUR_S), AT((hour + 1) * HOUR_S)},
                                        .state = USAGE_EVEN, .sharing = SHARING_LAYER, .claimant = version == NONE ? CLAIM_IDLE : CLAIM_POD,
                                        .reason = version == NONE ? REASON_GAP : REASON_NONE, .grade = version == NONE ? GRADE_A : GRADE_D,
                                        .pod_version = version});
}

/* Kinds: state 2 and sharing 4: 42; grade 3 and a pod: 30; idle: 01, reason 9 and no device: 19. */
START_TEST(what_was_said_on_a_node_is_counted)
{
    struct world w;
    struct usage u = {0};
    uint32_t whole, instance, p, q;

    world_init(&w);
    world_node(&w, "n1", NULL, NULL);
    world_node(&w, "n2", NULL, NULL);
    world_gpu(&w, "G0", "H100", 0);
    whole = world_gpu(&w, "G1", "H100", 0);
    instance = world_instance(&w, 1, "13", "1g.10gb");
    p = world_pod(&w, "a", "p", "u1");
    q = world_pod(&w, "a", "q", "");
    owners_update(&w.owners, &w.rule, &w.inv, w.names);
    p = owners_version(&w.owners, p, AT(0));
    q = owners_version(&w.owners, q, AT(0));
    add_gpu_fact(&u, 0, 1, instance, 0, q);
    add_gpu_fact(&u, 0, 1, NONE, 0, NONE);
    add_gpu_fact(&u, 0, 0, 0, 1, p);
    add_gpu_fact(&u, 0, 1, whole, 1, q);
    add_gpu_fact(&u, 0, 1, instance, 1, p);
    add_gpu_fact(&u, 1, 1, instance, 1, p);            /* the card has moved */
    add_gpu_fact(&u, NONE, 0, 0, 1, NONE);
    is_hashed_as(&w, &u,
                 "7d 42 30 00 00 00 00 '' 'n1' " HOUR_0 "01 00 00 00 '' 'G1' '13' 01 00 00 00 '' 'a' 'q' '' "
                 "61 42 01 19 00 00 00 '' 00 00 00 00 "
                 "59 42 30 00 00 00 00 " HOUR_1 "02 00 00 00 '' 'G0' 02 00 00 00 '' 'a' 'p' 'u1' "
                 "51 42 30 00 00 00 00 01 00 00 00 01 00 00 00 "
                 "61 42 30 00 00 00 00 '13' 02 00 00 00 "
                 "7d 42 30 00 00 00 00 '' 'n2' " HOUR_1 "01 00 00 00 '' 'G1' '13' 01 00 00 00 '' 'a' 'p' 'u1' "
                 "7d 42 01 09 00 00 00 '' '' " HOUR_1 "01 00 00 00 '' 'G0' '' 00 00 00 00 ");
    usage_free(&u);
    world_free(&w);
}
END_TEST

/* Hosts' facts go on counting where those of GPUs ended. */
START_TEST(pods_of_a_host_are_counted_with_those_of_its_gpus)
{
    struct world w;
    struct usage u;
    struct host_fact fact;

    one_fact(&w, &u, 0);
    vec_clear(&u.host_observed);
    fact = u.host.v[0];
    vec_clear(&u.host);
    w.inv.pods.v[0].name = world_text(&w, "q");
    owners_update(&w.owners, &w.rule, &w.inv, w.names);
    fact.pod_version = owners_version(&w.owners, 0, AT(0));
    vec_push(&u.host, fact);
    fact.pod_version = u.gpu.v[0].pod_version;
    vec_push(&u.host, fact);
    fact.span = (struct timespan){AT(HOUR_S), AT(2 * HOUR_S)};
    vec_push(&u.host, fact);
    is_hashed_as(&w, &u,
                 "7d 00 00 00 11 11 01 '' 'n1' " HOUR_0 "01 00 00 00 '' 'GPU-1' '' 01 00 00 00 '' 'a' 'p' 'u1' 01 02 03 04 05 "
                 "42 0a 00 00 02 00 00 00 '' 'a' 'q' 'u1' 00 00 00 00 00 00 00 00 c0 01 "
                 "42 0a 00 00 01 00 00 00 00 00 00 00 00 00 00 00 c0 01 "
                 "0a 0a 00 00 " HOUR_1 "00 00 00 00 00 00 00 00 c0 01 ");
    usage_free(&u);
    world_free(&w);
}
END_TEST

/* A number in the place of held, which the same in the place of memory follows: its size, its bytes. */
START_TEST(numbers_have_as_many_bytes_as_they_need)
{
    static const struct { uint64_t high, low; const char *words; } numbers[] = {
        {0, 0, "00 00 00"},
        {0, 1, "00 10 0e 01"},
        {0, 255, "00 10 0e ff"},
        {0, 256, "00 20 0e 00 01"},
        {0, 0x123456, "00 30 0e 56 34 12"},
        {0, 0xff00000000000000, "00 80 0e 00 00 00 00 00 00 00 ff"},
        {1, 0, "00 90 0e 00 00 00 00 00 00 00 00 01"},
        {0x7fffffff, 2, "00 c0 0e 02 00 00 00 00 00 00 00 ff ff ff 7f"},
        {0xffffffffff, 0, "00 d0 0e 00 00 00 00 00 00 00 00 ff ff ff ff ff"},
        {0x10000000000, 0, "00 f0 0e 00 00 00 00 00 00 00 00 00 00 00 00 00 01 00 00"},
        {0x1000000000000, 0, "00 f0 0e 00 00 00 00 00 00 00 00 00 00 00 00 00 00 01 00"},
        {UINT64_MAX, UINT64_MAX, "00 f0 0e ff ff ff ff ff ff ff ff ff ff ff ff ff ff ff ff"},
    };
    struct world w;
    struct usage u;
    char words[200];

    one_fact(&w, &u, 0);
    vec_clear(&u.host);
    vec_clear(&u.host_observed);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        u.gpu.v[0].share[0] = u.gpu.v[0].share[1] = u.gpu.v[0].share[2] = 0;
        u.gpu.v[0].held = u.gpu.v[0].memory_ms = (weight)numbers[i].high << 64 | numbers[i].low;
        snprintf(words, sizeof words, "7d 00 00 00 %.8s '' 'n1' " HOUR_0 "01 00 00 00 '' 'GPU-1' '' 01 00 00 00 '' 'a' 'p' 'u1' %s",
                 numbers[i].words, numbers[i].words + 8);
        is_hashed_as(&w, &u, words);
    }
    usage_free(&u);
    world_free(&w);
}
END_TEST

/* 5, 5, 0, 0, 5: a number is compared with the one before it, and a zero is a zero. */
START_TEST(a_number_like_the_one_before_has_no_bytes)
{
    struct world w;
    struct usage u;
    struct host_fact *f;

    one_fact(&w, &u, 0);
    vec_clear(&u.gpu);
    vec_clear(&u.host_observed);
    f = &u.host.v[0];
    f->request_cpu = f->usage_cpu = f->request_gpu = 5;
    is_hashed_as(&w, &u, "4e e1 00 01 '' 'n1' " HOUR_0 "01 00 00 00 '' 'a' 'p' 'u1' 05 05");
    usage_free(&u);
    world_free(&w);
}
END_TEST

START_TEST(no_facts_are_no_bytes)
{
    struct world w;
    struct usage u = {0};

    world_init(&w);
    is_hashed_as(&w, &u, "");
    usage_hash_free(usage_hash_new());
    usage_hash_free(NULL);
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
    tcase_add_test(c, facts_that_differ_in_anything_differ_in_their_hashes);
    tcase_add_test(c, facts_are_hashed_as_bytes);
    tcase_add_test(c, every_call_says_everything_again);
    tcase_add_test(c, what_was_said_on_a_node_is_counted);
    tcase_add_test(c, pods_of_a_host_are_counted_with_those_of_its_gpus);
    tcase_add_test(c, numbers_have_as_many_bytes_as_they_need);
    tcase_add_test(c, a_number_like_the_one_before_has_no_bytes);
    tcase_add_test(c, no_facts_are_no_bytes);
    tcase_add_test(c, a_span_is_an_hour_cut_at_the_instants_inside_it);
    tcase_add_test(c, a_cursor_may_go_back);
    suite_add_tcase(s, c);
    return unit_run(s);
}
