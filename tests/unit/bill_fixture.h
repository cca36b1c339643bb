/* bill_fixture: a bill read from a text, and what came of it as a text. For tests of the dialects. */
#ifndef GPUTAB_TESTS_BILL_FIXTURE_H
#define GPUTAB_TESTS_BILL_FIXTURE_H

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "gputab/base/buf.h"
#include "gputab/base/xalloc.h"
#include "gputab/source/bill.h"
#include "gputab/source/catalogue.h"
#include "unit.h"

static char path[] = "/tmp/bill_test.XXXXXX";

struct world {
    struct intern *names;
    struct catalogue catalogue;
    struct inventory inventory;
    struct diag diag;
    struct bill_request req;
    struct bill bill;
    struct err err;
};

static struct world w;

static inline void renew(void)
{
    bill_free(&w.bill);
    diag_free(&w.diag);
    memset(&w.bill, 0, sizeof w.bill);
    err_clear(&w.err);
}

static inline void setup(void)
{
    struct err e = {0};

    memset(&w, 0, sizeof w);
    ck_assert_int_eq(catalogue_builtin(&w.catalogue, &e), 0);
    w.names = intern_new();
    inventory_init(&w.inventory, w.names);
    w.req = (struct bill_request){.cost = RULE_COST_EFFECTIVE, .catalogue = &w.catalogue, .inventory = &w.inventory, .names = w.names,
                                  .diag = &w.diag};
    ck_assert_int_eq(timespan_parse_month(span_of("2026-10"), &w.req.period), 0);
}

static inline void teardown(void)
{
    renew();
    inventory_free(&w.inventory);
    intern_free(w.names);
    catalogue_free(&w.catalogue);
}

static inline void write_to(const char *to, const char *p, size_t n)
{
    FILE *f = fopen(to, "wb");

    ck_assert_ptr_ne(f, NULL);
    ck_assert_uint_eq(fwrite(p, 1, n, f), n);
    ck_assert_int_eq(fclose(f), 0);
}

static inline int read_bytes(const char *text, size_t n)
{
    const char *paths[] = {path};

    renew();
    write_to(path, text, n);
    return bill_read(paths, 1, &w.req, &w.bill, &w.err);
}

static inline time_ms at(const char *text)
{
    time_ms t = 0;

    ck_assert_int_eq(time_parse(span_of(text), &t), 0);
    return t;
}

static inline void add_money(struct buf *b, const char *name, money m)
{
    buf_addf(b, " %s ", name);
    money_add_text(b, m, 12);
    while (b->n && b->p[b->n - 1] == '0')
        b->p[--b->n] = '\0';
    if (b->n && b->p[b->n - 1] == '.')
        b->p[--b->n] = '\0';
}

static inline void dump_charge(struct buf *b, const struct charge *c)
{
    buf_adds(b, intern_cstr(w.names, c->resource));
    buf_addc(b, ' ');
    time_add_text(b, c->span.from);
    buf_addc(b, '/');
    time_add_text(b, c->span.to);
    add_money(b, "cost", c->cost);
    add_money(b, "invoiced", c->invoiced);
    if (c->list)
        add_money(b, "list", c->list);
    add_money(b, "ms", (money)c->billed_ns * TIME_NS_PER_MS);
    buf_addf(b, "%s %s", c->correction_only ? " correction" : "", purchase_names[c->purchase]);
    if (c->region)
        buf_addf(b, " %s", intern_cstr(w.names, c->region));
    if (c->instance_type)
        buf_addf(b, " %s", intern_cstr(w.names, c->instance_type));
    if (c->vcpu_micro || c->memory_micro_gib || c->gpu_count_micro)
        buf_addf(b, " %lld/%lld/%lld", (long long)c->vcpu_micro, (long long)c->memory_micro_gib, (long long)c->gpu_count_micro);
    for (size_t i = c->first_part; i < c->first_part + c->n_parts; i++) {
        static const char *const names[PIECES] = {"gpu", "cpu", "memory"};
        const struct charge_part *p = &w.bill.parts.v[i];

        buf_addf(b, " | %s%s%s", names[p->piece], p->gpu_model ? " " : "", intern_cstr(w.names, p->gpu_model));
        add_money(b, "", p->cost);
    }
    buf_adds(b, "\n");
}

/* Charges, a line each; groups that have rows; outside when there is any. Also asserts that nothing is lost. */
static inline char *dump(void)
{
    struct buf b = {0};
    money total = w.bill.outside, invoiced = w.bill.outside_invoiced;

    for (size_t i = 0; i < w.bill.charges.n; i++) {
        struct charge c = charge_list_at(&w.bill.charges, i);

        dump_charge(&b, &c);
        total += w.bill.charges.v[i].cost;
        invoiced += w.bill.charges.v[i].invoiced;
    }
    for (int g = 0; g < BILL_GROUPS; g++) {
        if (w.bill.group_rows[g]) {
            buf_addf(&b, "%s x%lld", bill_group_names[g], (long long)w.bill.group_rows[g]);
            add_money(&b, "cost", w.bill.groups[g]);
            add_money(&b, "invoiced", w.bill.groups_invoiced[g]);
            buf_addc(&b, '\n');
        }
        total += g == GROUP_EXCLUDED ? 0 : w.bill.groups[g];
        invoiced += g == GROUP_EXCLUDED ? 0 : w.bill.groups_invoiced[g];
    }
    if (w.bill.outside || w.bill.outside_invoiced) {
        add_money(&b, "outside", w.bill.outside);
        add_money(&b, "invoiced", w.bill.outside_invoiced);
    }
    ck_assert(total == w.bill.file_total && invoiced == w.bill.file_invoiced);
    return buf_take(&b);
}

static inline void expect_error(int line, const char *want)
{
    ck_assert_int_eq(w.err.code, ERR_INPUT);
    ck_assert_str_eq(w.err.file, path);
    ck_assert_msg(strstr(w.err.text, want) != NULL, "got %s, want %s", w.err.text, want);
    ck_assert_int_eq(w.err.line, line);
}

/* Metrics that show a GPU on a resource from..to. */
static inline void show(const char *resource, const char *from, const char *to)
{
    struct node n = {0};
    struct gpu g = {.first_ms = at(from), .last_ms = at(to)};

    steps_push(&n.resource, at("2026-10-01"), intern_str(w.names, resource));
    steps_push(&g.node, at("2026-10-01"), (uint32_t)w.inventory.nodes.n);
    vec_push(&w.inventory.nodes, n);
    vec_push(&w.inventory.gpus, g);
}

#endif
