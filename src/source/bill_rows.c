/* bill_rows: the form of a file, seen by its first byte behind a byte order mark and white space. No header of CSV begins with a brace. */
#include "gputab/source/bill_rows.h"

#include <stdlib.h>
#include <string.h>

#include "gputab/base/span.h"
#include "gputab/base/xalloc.h"
#include "gputab/codec/unpack.h"
#include "gputab/source/bill_json.h"

enum { PEEKED = 64 };

struct bill_rows {
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

int bill_rows_open(struct bill_rows **out, struct unpack *u, const char *name, const char *delimiters, struct err *e)
{
    char first[PEEKED];
    int n = unpack_peek(u, first, sizeof first, e);
    struct bill_rows *r;

    *out = NULL;
    if (n < 0)
        return -1;
    r = *out = xcalloc(1, sizeof *r);
    if (begins_object((struct span){first, (size_t)n}))
        r->json = bill_json_new(u, name);
    else
        r->csv = csv_over(u, &(struct csv_config){.name = name, .delimiter = most_of((struct span){first, (size_t)n}, delimiters)});
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

int bill_rows_at(const struct bill_rows *r, int field, struct err *e)
{
    return r->json ? bill_json_at(r->json, e) : csv_at(r->csv, field, e);
}
