/* bill_rows: the form of a file, seen by its first byte behind a byte order mark and white space. No header of CSV begins with a brace. */
#include "gputab/source/bill_rows.h"

#include <stdlib.h>
#include <string.h>

#include "gputab/base/span.h"
#include "gputab/base/xalloc.h"
#include "gputab/source/bill_json.h"

enum { PEEKED = 64 };

struct bill_rows {
    csv_fill fill;
    csv_lend lend;
    void *from;
    char first[PEEKED];            /* first[at .. n) is not handed on yet */
    size_t at, n;
    struct csv *csv;               /* one of the two */
    struct bill_json *json;
};

static bool begins_object(struct span s)
{
    static const char mark[] = "\xef\xbb\xbf";

    if (span_starts(s, mark))
        s = (struct span){s.p + 3, s.n - 3};
    return span_starts(span_trim(s), "{");
}

static char most_of(struct span s, const char *delimiters)
{
    char best = delimiters ? *delimiters : ',';
    size_t most = 0;

    for (const char *d = delimiters; d && *d; d++) {
        size_t n = 0;

        for (size_t i = 0; i < s.n; i++)
            n += s.p[i] == *d;
        if (n > most) {
            most = n;
            best = *d;
        }
    }
    return best;
}

/* Fills r->first, but for a shorter input. */
static int peek(struct bill_rows *r, struct err *e)
{
    int got = 1;

    while (r->n < PEEKED && got > 0) {
        got = r->fill(r->from, r->first + r->n, PEEKED - r->n, e);
        r->n += got > 0 ? (size_t)got : 0;
    }
    return got < 0 ? -1 : 0;
}

static int fill(void *from, char *p, size_t n, struct err *e)
{
    struct bill_rows *r = from;
    size_t take = r->n - r->at < n ? r->n - r->at : n;

    if (take == 0)
        return r->fill(r->from, p, n, e);
    memcpy(p, r->first + r->at, take);
    r->at += take;
    return (int)take;
}

static int lend(void *from, char **p, struct err *e)
{
    struct bill_rows *r = from;

    return r->at < r->n ? CSV_NOT_LENT : r->lend(r->from, p, e);
}

void bill_rows_set_lend(struct bill_rows *r, csv_lend from_lend)
{
    r->lend = from_lend;
    if (r->csv)
        csv_set_lend(r->csv, lend);
}

int bill_rows_open(struct bill_rows **out, csv_fill from_fill, void *from, const char *name, const char *delimiters, struct err *e)
{
    struct bill_rows *r = xcalloc(1, sizeof *r);
    struct span first;

    r->fill = from_fill;
    r->from = from;
    *out = NULL;
    if (peek(r, e) < 0) {
        free(r);
        return -1;
    }
    first = (struct span){r->first, r->n};
    if (begins_object(first))
        r->json = bill_json_new(fill, r, name);
    else
        r->csv = csv_new(fill, r, &(struct csv_config){.name = name, .delimiter = most_of(first, delimiters)});
    *out = r;
    return 0;
}

void bill_rows_free(struct bill_rows *r)
{
    if (!r)
        return;
    csv_free(r->csv);
    bill_json_free(r->json);
    free(r);
}

bool bill_rows_is_json(const struct bill_rows *r)
{
    return r->json != NULL;
}

int bill_rows_next(struct bill_rows *r, struct csv_row *row, struct err *e)
{
    return r->json ? bill_json_next(r->json, row, e) : csv_next(r->csv, row, e);
}

void bill_rows_bind(struct bill_rows *r, const struct bill_dialect *d)
{
    bill_json_bind(r->json, d);
}

bool bill_rows_saw(const struct bill_rows *r, int column)
{
    return bill_json_saw(r->json, column);
}

void bill_rows_select(struct bill_rows *r, const int *fields, size_t n)
{
    csv_select(r->csv, fields, n);
}

struct span bill_rows_field(struct bill_rows *r, size_t field)
{
    return csv_field(r->csv, field);
}

int bill_rows_at(const struct bill_rows *r, int field, struct err *e)
{
    return r->json ? bill_json_at(r->json, e) : csv_at(r->csv, field, e);
}
