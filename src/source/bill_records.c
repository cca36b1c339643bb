/* bill_records: members of flat objects, collected from the tokens of a cell.
 *
 * Numbers keep the text that they were written in, since some are amounts of money. What nests deeper is passed over. */
#include "gputab/source/bill_records.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "gputab/base/buf.h"
#include "gputab/base/vec.h"
#include "gputab/base/xalloc.h"
#include "gputab/codec/json_in.h"
#include "gputab/codec/python_repr.h"

struct member {
    size_t name, name_n, value, value_n;                     /* in text: it moves as it grows */
};

struct bill_record {
    VEC(struct member) members;
    struct buf text;
};

struct bill_records {
    struct json_in *json;
    struct buf plain;              /* a cell in JSON's spelling */
    struct bill_record record;
    int depth, inside;             /* open containers; those around the record's members, 0: outside of one */
    int (*each)(void *ctx, const struct bill_record *record, struct err *e);
    void *ctx;
};

/* ---- tokens ---- */

static void add_name(struct bill_record *b, struct span text)
{
    vec_push(&b->members, (struct member){b->text.n, text.n, 0, 0});
    buf_add_span(&b->text, text);
}

static void add_value(struct bill_record *b, struct span text)
{
    struct member *m = &b->members.v[b->members.n - 1];

    m->value = b->text.n;
    m->value_n = text.n;
    buf_add_span(&b->text, text);
}

static int open_object(struct bill_records *r)
{
    r->depth++;
    if (r->inside)
        return 0;
    r->inside = r->depth;
    vec_clear(&r->record.members);
    buf_clear(&r->record.text);
    return 0;
}

static int close_object(struct bill_records *r, struct err *e)
{
    bool is_record = r->depth-- == r->inside;

    if (!is_record)
        return 0;
    r->inside = 0;
    return r->each(r->ctx, &r->record, e);
}

static int take_scalar(struct bill_records *r, enum json_in_kind kind, struct span text, struct err *e)
{
    static const struct span true_text = {"true", 4}, false_text = {"false", 5};

    if (!r->inside && kind != JSON_IN_NULL)
        return err_set(e, ERR_INPUT, "a value stands where a record should");
    if (r->inside != r->depth || r->inside == 0 || kind == JSON_IN_NULL)
        return 0;
    add_value(&r->record, kind == JSON_IN_TRUE ? true_text : kind == JSON_IN_FALSE ? false_text : text);
    return 0;
}

static int take(void *ctx, enum json_in_kind kind, struct span text, struct err *e)
{
    struct bill_records *r = ctx;

    switch (kind) {
    case JSON_IN_OBJECT:
        return open_object(r);
    case JSON_IN_OBJECT_END:
        return close_object(r, e);
    case JSON_IN_ARRAY:
        if (r->depth++ > 0 && !r->inside)
            return err_set(e, ERR_INPUT, "a list stands where a record should");
        return 0;
    case JSON_IN_ARRAY_END:
        r->depth--;
        return 0;
    case JSON_IN_NAME:
        if (r->inside == r->depth)
            add_name(&r->record, text);
        return 0;
    default:
        return take_scalar(r, kind, text, e);
    }
}

/* ---- cells ---- */

struct bill_records *bill_records_new(void)
{
    struct bill_records *r = xcalloc(1, sizeof *r);

    r->json = json_in_new(take, r);
    return r;
}

void bill_records_free(struct bill_records *r)
{
    if (!r)
        return;
    json_in_free(r->json);
    buf_free(&r->plain);
    buf_free(&r->record.text);
    vec_free(&r->record.members);
    free(r);
}

int bill_records_read(struct bill_records *r, struct span cell, int (*each)(void *ctx, const struct bill_record *record, struct err *e),
                      void *ctx, struct err *e)
{
    struct err why = {0};

    if (cell.n == 0)
        return 0;
    if (python_repr_looks(cell)) {
        buf_clear(&r->plain);
        python_repr_add_json(&r->plain, cell);
        cell = buf_span(&r->plain);
    }
    json_in_reset(r->json);
    r->depth = r->inside = 0;
    r->each = each;
    r->ctx = ctx;
    if (json_in_feed(r->json, cell.p, cell.n, &why) == 0 && json_in_end(r->json, &why) == 0)
        return 0;
    err_set(e, why.code, "%s", why.text);
    return why.hint[0] ? err_hint(e, "%s", why.hint) : -1;
}

struct span bill_record_get(const struct bill_record *record, const char *name)
{
    const char *text = buf_str(&record->text);

    for (size_t i = 0; i < record->members.n; i++) {
        const struct member *m = &record->members.v[i];

        if (span_eq((struct span){text + m->name, m->name_n}, name))
            return (struct span){text + m->value, m->value_n};
    }
    return (struct span){NULL, 0};
}
