/* fuzz_csv: the CSV reader against itself in pieces, in loans and in every way of finding cuts, against libcsv, and against what it read
 * written out again.
 *
 * libcsv knows no byte order mark, takes text behind a closing quote and a quote that is never closed; so it has a say only in inputs
 * that our reader takes as a whole and that hold no mark. What is left of RFC 4180 and its relatives both must read alike. */
#define csv_free libcsv_free       /* the names meet; what libcsv's frees is freed by hand below */
#include <csv.h>
#undef csv_free

#include "fuzz.h"
#include "gputab/base/xalloc.h"
#include "gputab/codec/csv.h"
#include "gputab/codec/csv_scan.h"

static int fill(void *from, char *p, size_t n, struct err *e)
{
    (void)e;
    return (int)fuzz_take(from, p, n);
}

/* Lends what fuzz_take gives, in memory that ends with it and is gone at the next call. */
struct lender {
    struct fuzz_feed feed;
    char *lent;
};

static int fill_lender(void *from, char *p, size_t n, struct err *e)
{
    (void)e;
    return (int)fuzz_take(&((struct lender *)from)->feed, p, n);
}

static int lend(void *from, char **p, struct err *e)
{
    struct lender *l = from;
    char piece[4096];
    size_t n;

    (void)e;
    free(l->lent);
    l->lent = NULL;
    if (fuzz_draw(&l->feed) % 8 == 0)
        return CSV_NOT_LENT;
    n = fuzz_take(&l->feed, piece, sizeof piece);
    l->lent = xmalloc(CSV_FRONT + n);
    *p = l->lent + CSV_FRONT;
    memcpy(*p, piece, n);
    return (int)n;
}

/* What stands in a row's fields, without its places: what another reader can be compared in. */
static void add_fields(struct buf *b, const struct csv_row *row)
{
    for (size_t i = 0; i < row->n; i++)
        fuzz_add_span(b, row->fields[i]);
    buf_addc(b, '\n');
}

/* A row with its places. */
static void add_row(struct buf *b, const struct csv *r, const struct csv_row *row)
{
    fuzz_add_number(b, row->line);
    fuzz_add_number(b, (int64_t)row->n);
    fuzz_add_number(b, row->ended);
    for (size_t i = 0; i < row->n; i += 1 + i / 4) {
        struct err at = {0};

        at.code = ERR_INPUT;
        csv_at(r, (int)i, &at);
        FUZZ_CHECK(at.line >= row->line && at.column >= 1);
        fuzz_add_number(b, at.line);
        fuzz_add_number(b, at.column);
    }
    add_fields(b, row);
}

struct result {
    struct buf text, fields, quoted;
    bool good;
};

static void add_quoted(struct buf *b, const struct csv_row *row)
{
    for (size_t i = 0; i < row->n; i++) {
        buf_adds(b, i ? ",\"" : "\"");
        for (size_t k = 0; k < row->fields[i].n; k++) {
            if (row->fields[i].p[k] == '"')
                buf_addc(b, '"');
            buf_addc(b, row->fields[i].p[k]);
        }
        buf_addc(b, '"');
    }
    buf_addc(b, '\n');
}

static struct result read_all(struct fuzz_feed feed, char delimiter, size_t block, const struct csv_scan *scan)
{
    struct csv_config config = { .name = "fuzz.csv", .delimiter = delimiter, .block = block, .scan = scan };
    struct csv *r = csv_new(fill, &feed, &config);
    struct result out = {0};
    struct csv_row row;
    struct err e = {0};
    int rc;

    while ((rc = csv_next(r, &row, &e)) == 1) {
        FUZZ_CHECK(row.n >= 1 && row.n <= CSV_FIELDS_MAX);
        add_row(&out.text, r, &row);
        add_fields(&out.fields, &row);
        add_quoted(&out.quoted, &row);
    }
    FUZZ_CHECK((rc < 0) == (e.code != ERR_NONE));
    if (rc < 0)
        fuzz_add_err(&out.text, &e);
    out.good = rc == 0;
    csv_free(r);
    return out;
}

static void expect_same_of_loans(struct span s, char delimiter, const struct buf *want)
{
    struct lender l = { .feed = fuzz_feed_pieces(s) };
    struct csv *r = csv_new(fill_lender, &l, &(struct csv_config){ .name = "fuzz.csv", .delimiter = delimiter });
    struct buf fields = {0};
    struct csv_row row;
    struct err e = {0};

    csv_set_lend(r, lend);
    while (csv_next(r, &row, &e) == 1)
        add_fields(&fields, &row);
    FUZZ_SAME(want, &fields);
    buf_free(&fields);
    csv_free(r);
    free(l.lent);
}

static void release(struct result *r)
{
    buf_free(&r->text);
    buf_free(&r->fields);
    buf_free(&r->quoted);
}

static void expect_same(struct fuzz_feed feed, char delimiter, size_t block, size_t way, const struct result *want)
{
    struct result got = read_all(feed, delimiter, block, csv_scan_of(way));

    FUZZ_SAME(&want->text, &got.text);
    release(&got);
}

/* In pieces only one way, since each piece has its row split again. */
static void expect_same_in_every_way(struct span s, char delimiter, size_t piece, const struct result *want)
{
    size_t n = 0;

    for (; csv_scan_of(n); n++)
        expect_same(fuzz_feed_whole(s), delimiter, s.n + 1, n, want);
    expect_same(fuzz_feed_pieces(s), delimiter, piece, s.n / 4 % n, want);
}

/* Every third column, and what the others would have been, by csv_field. */
static void expect_same_by_columns(struct span s, char delimiter, const struct result *want)
{
    struct fuzz_feed feed = fuzz_feed_whole(s);
    struct csv *r = csv_new(fill, &feed, &(struct csv_config){ .name = "fuzz.csv", .delimiter = delimiter, .block = s.n + 1 });
    int columns[CSV_FIELDS_MAX / 3];
    struct buf fields = {0};
    struct csv_row row;
    struct err e = {0};

    for (int i = 0; i < CSV_FIELDS_MAX / 3; i++)
        columns[i] = 3 * i + 1;
    csv_select(r, columns, CSV_FIELDS_MAX / 3);
    while (csv_next(r, &row, &e) == 1) {
        for (size_t i = 0; i < row.n; i++) {
            FUZZ_CHECK(i % 3 == 1 || !row.fields[i].p);
            fuzz_add_span(&fields, i % 3 == 1 ? row.fields[i] : csv_field(r, i));
        }
        buf_addc(&fields, '\n');
    }
    FUZZ_SAME(&want->fields, &fields);
    buf_free(&fields);
    csv_free(r);
}

/* ---- libcsv ---- */

static int never_space(unsigned char c)
{
    (void)c;
    return 0;
}

static void take_field(void *p, size_t n, void *to)
{
    fuzz_add_span(to, (struct span){ p, n });
}

static void take_row(int end, void *to)
{
    (void)end;
    buf_addc(to, '\n');
}

static void ask_libcsv(struct span s, char delimiter, struct buf *out)
{
    struct csv_parser p;

    FUZZ_CHECK(csv_init(&p, 0) == 0);
    csv_set_delim(&p, (unsigned char)delimiter);
    csv_set_space_func(&p, never_space);
    FUZZ_CHECK(csv_parse(&p, s.p, s.n, take_field, take_row, out) == s.n);
    FUZZ_CHECK(csv_fini(&p, take_field, take_row, out) == 0);
    free(p.entry_buf);
}

static bool has_mark(struct span s)
{
    return memmem(s.p, s.n, "\xef\xbb\xbf", 3) != NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct span s = fuzz_span(data, size);
    char delimiter = ",,;\t"[size % 4];
    size_t piece = 1 + size % (size < 300 ? 7 : 250);        /* rows are split again for each: no square of a long one */
    struct result whole = read_all(fuzz_feed_whole(s), delimiter, size + 1, NULL), again;
    struct buf other = {0};

    expect_same_in_every_way(s, delimiter, piece, &whole);
    expect_same_by_columns(s, delimiter, &whole);
    expect_same_of_loans(s, delimiter, &whole.fields);
    again = read_all(fuzz_feed_pieces(buf_span(&whole.quoted)), ',', 512, NULL);
    FUZZ_CHECK(again.good);
    FUZZ_SAME(&whole.fields, &again.fields);
    if (whole.good && !has_mark(s)) {
        ask_libcsv(s, delimiter, &other);
        FUZZ_SAME(&whole.fields, &other);
    }
    buf_free(&other);
    release(&again);
    release(&whole);
    return 0;
}
