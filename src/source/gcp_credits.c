/* gcp_credits: a list of credits added up, or one credit of a row that stands there once for each of them.
 *
 * In the second form equal rows are told apart by counting: a row is new when its own copies are more than those of any row before that is
 * the same but for its credit. The order of rows changes nothing, and two rows that are the same in everything are two. */
#include "gputab/source/gcp_credits.h"

#include <stdlib.h>

#include "gputab/base/buf.h"
#include "gputab/base/fingerprint.h"
#include "gputab/base/xalloc.h"
#include "gputab/source/bill_records.h"

enum { JOINED_ROWS_MAX = 1 << 24 };

struct gcp_credit_reader {
    const struct bill_request *req;
    const struct gcp_credit_columns *columns;
    struct bill_records *records;
    const struct bill_cells *cells;        /* of the row at hand */
    struct gcp_credits *row;
    /* joined rows: how often each came; how often the most frequent of those that are the same but for the credit */
    struct fingerprint_key key;
    struct fingerprint_map whole, rest;
    struct buf text;
};

struct gcp_credit_reader *gcp_credit_reader_new(const struct bill_request *req, const struct gcp_credit_columns *columns)
{
    struct gcp_credit_reader *r = xcalloc(1, sizeof *r);

    r->req = req;
    r->columns = columns;
    r->records = bill_records_new();
    r->key = fingerprint_new_key();
    return r;
}

void gcp_credit_reader_free(struct gcp_credit_reader *r)
{
    if (!r)
        return;
    bill_records_free(r->records);
    buf_free(&r->text);
    fingerprint_map_free(&r->whole);
    fingerprint_map_free(&r->rest);
    free(r);
}

/* ---- types ---- */

/* What a commitment, long use or a contract takes off the price counts by default. Gifts and margins say nothing of what the use of a
 * machine costs. */
static const struct {
    const char *type;
    bool counts, commits;
} types[] = {
    {"COMMITTED_USAGE_DISCOUNT", true, true},
    {"COMMITTED_USAGE_DISCOUNT_DOLLAR_BASE", true, true},
    {"SUSTAINED_USAGE_DISCOUNT", true, false},
    {"DISCOUNT", true, false},
    {"SUBSCRIPTION_BENEFIT", true, false},
    {"FEE_UTILIZATION_OFFSET", true, false},
    {"PROMOTION", false, false},
    {"FREE_TIER", false, false},
    {"RESELLER_MARGIN", false, false},
    {"CREDIT_TYPE_UNSPECIFIED", false, false},
};

static void warn_unknown(const struct bill_cells *c, struct span type)
{
    diag_add(c->diag, "W117", "%s: credits of the unknown type \"%.*s\" are left out", c->name, (int)(type.n < 80 ? type.n : 80),
             type.n ? type.p : "");
    diag_hint(c->diag, "W117", "credits: all in the rule counts credits of every type");
}

static void add(struct gcp_credit_reader *r, struct span type, money amount)
{
    size_t i = 0, n = sizeof types / sizeof *types;

    while (i < n && !span_eq_fold(type, types[i].type))
        i++;
    r->row->all += amount;
    r->row->committed |= i < n && types[i].commits;
    if (r->req->credits == RULE_CREDITS_ALL || (r->req->credits == RULE_CREDITS_COMMITMENTS && i < n && types[i].counts))
        r->row->counted += amount;
    else if (i == n && r->req->credits == RULE_CREDITS_COMMITMENTS)
        warn_unknown(r->cells, type);
}

/* ---- a list ---- */

static int add_record(void *ctx, const struct bill_record *record, struct err *e)
{
    struct gcp_credit_reader *r = ctx;
    struct span text = bill_record_get(record, "amount");
    money amount;
    bool rounded = false;

    if (text.n == 0)
        return 0;
    if (money_parse(text, &amount, &rounded) < 0)
        return err_set(e, ERR_INPUT, "amount \"%.*s\" is not a decimal number", (int)(text.n < 80 ? text.n : 80), text.p);
    if (rounded)
        bill_cells_warn_rounded(r->cells, r->columns->list);
    add(r, bill_record_get(record, "type"), amount);
    return 0;
}

static int read_list(struct gcp_credit_reader *r, const struct bill_cells *c, struct err *e)
{
    if (bill_records_read(r->records, bill_cell(c, r->columns->list), add_record, r, e) == 0)
        return 0;
    err_hint(e, "credits are a list of records, as JSON or as Python writes it: [{\"type\": \"...\", \"amount\": -1.5}]");
    return bill_cell_at(c, r->columns->list, e);
}

/* ---- joined rows ---- */

/* A single record in the list's place is a joined row's credit, too. */
static bool is_one_record(struct span list)
{
    return span_starts(list, "{") && list.n > 2;
}

static bool is_credit(const struct gcp_credit_reader *r, const struct bill_cells *c, size_t field)
{
    for (size_t i = 0; i < r->columns->n_joined; i++)
        if (c->index[r->columns->joined[i]] == (int)field)
            return true;
    return c->index[r->columns->list] == (int)field && is_one_record(bill_cell(c, r->columns->list));
}

static struct fingerprint print_of(struct gcp_credit_reader *r, const struct bill_cells *c, bool whole)
{
    buf_clear(&r->text);
    for (size_t i = 0; i < c->row->n; i++) {
        struct span s = c->row->fields[i];

        if (!whole && is_credit(r, c, i))
            continue;
        buf_add(&r->text, &s.n, sizeof s.n);
        buf_add_span(&r->text, s);
    }
    return fingerprint_of(r->key, buf_span(&r->text));
}

static uint32_t *times(struct fingerprint_map *m, struct fingerprint f)
{
    bool found;
    uint32_t *n = fingerprint_map_at(m, f, &found);

    if (!found)
        *n = 0;
    return n;
}

static int find_repeat(struct gcp_credit_reader *r, const struct bill_cells *c, bool *repeats, struct err *e)
{
    uint32_t copies, *most;

    if (bill_cell(c, r->columns->amount).n == 0 && !is_one_record(bill_cell(c, r->columns->list)))
        return 0;
    if (r->whole.n >= JOINED_ROWS_MAX) {
        err_set(e, ERR_INPUT, "more than %d rows with a credit each", JOINED_ROWS_MAX);
        return err_hint(e, "export the list of a row's credits as one cell, such as TO_JSON_STRING(credits), without joining rows with it");
    }
    copies = ++*times(&r->whole, print_of(r, c, true));
    most = times(&r->rest, print_of(r, c, false));
    *repeats = copies <= *most;
    if (!*repeats) {
        *most = copies;
        return 0;
    }
    diag_add(c->diag, "W116", "%s: rows stand there once for each of their credits; their cost counts once", c->name);
    diag_hint(c->diag, "W116", "nothing is to be done, but the sum of the column \"cost\" is too high by these rows");
    return 0;
}

static int read_one(struct gcp_credit_reader *r, const struct bill_cells *c, struct err *e)
{
    money amount;
    int rc = bill_cell_money(c, r->columns->amount, &amount, e);

    if (rc == 1)
        add(r, bill_cell(c, r->columns->type), amount);
    return rc < 0 ? -1 : 0;
}

/* A list beside the members of one credit holds all of them: it counts once, like the cost. */
int gcp_credits_read(struct gcp_credit_reader *r, const struct bill_cells *c, struct gcp_credits *out, struct err *e)
{
    struct span list = bill_cell(c, r->columns->list);
    bool is_list = list.n > 0 && !is_one_record(list);
    int rc = 0;

    *out = (struct gcp_credits){.repeats = false};
    r->cells = c;
    r->row = out;
    if (find_repeat(r, c, &out->repeats, e) < 0)
        return -1;
    if (is_list)
        rc = out->repeats ? 0 : read_list(r, c, e);
    else
        rc = list.n ? read_list(r, c, e) : read_one(r, c, e);
    out->committed &= is_list;                               /* of joined rows another one may say it */
    return rc;
}
