/* csv: rows out of a sliding window.
 *
 * The window holds whole rows: when the last one is cut by the end of the window, it is moved to the front, a block is added and the row
 * is split again from its start. That costs one row a block and leaves the splitter without any state, so no cut can change a result.
 * Fields are spans into the window; only rows with doubled quotes are copied, once, into `plain`.
 * Lines and columns are not kept per field: they are worked out from the row's bytes when a message needs them.
 * The reader knows nothing of headers, types or NULL: that is for who reads the file. */
#include "gputab/codec/csv.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "gputab/base/buf.h"
#include "gputab/base/utf8.h"
#include "gputab/base/vec.h"
#include "gputab/base/xalloc.h"
#include "gputab/codec/unpack.h"

struct csv {
    csv_fill fill;
    void *from;
    char *name;
    char delimiter;
    size_t block;
    csv_scan scan;
    uint8_t stop[256];             /* bytes that end a bare field */

    char *w;                       /* the window: unread bytes are w[start .. end) */
    size_t cap, start, end;
    bool eof;
    const char *nul;               /* the first NUL in the unread bytes, or NULL */

    int64_t line;                  /* of the unread bytes */
    int64_t row_line;              /* of the latest row */
    const char *row;               /* its bytes in the window, behind a byte order mark */
    VEC(struct span) fields;
    VEC(uint32_t) at;              /* where each field begins, counted from row */
    VEC(bool) doubled;             /* it has doubled quotes */
    bool any_doubled, any_quoted;
    struct buf plain;
};

enum step { STEP_FAILED = -1, STEP_MORE = 0, STEP_DONE = 1 };   /* STEP_MORE: the window ends too early */

size_t csv_scan_scalar(const uint8_t stop[256], const char *p, size_t n)
{
    size_t i = 0;

    while (i < n && !stop[(uint8_t)p[i]])
        i++;
    return i;
}

struct csv *csv_new(csv_fill fill, void *from, const struct csv_config *config)
{
    struct csv *r = xcalloc(1, sizeof *r);

    r->fill = fill;
    r->from = from;
    r->name = xstrdup(config->name);
    r->delimiter = config->delimiter ? config->delimiter : ',';
    r->block = config->block ? config->block : CSV_BLOCK;
    r->scan = csv_scan_scalar;
    r->stop[(uint8_t)r->delimiter] = r->stop['\n'] = r->stop['\r'] = 1;
    r->line = 1;
    r->cap = r->block;
    r->w = xmalloc(r->cap);
    return r;
}

static int fill_from_unpack(void *from, char *p, size_t n, struct err *e)
{
    return unpack_read(from, p, n, e);
}

struct csv *csv_over(struct unpack *u, const struct csv_config *config)
{
    return csv_new(fill_from_unpack, u, config);
}

void csv_free(struct csv *r)
{
    if (!r)
        return;
    buf_free(&r->plain);
    vec_free(&r->doubled);
    vec_free(&r->at);
    vec_free(&r->fields);
    free(r->w);
    free(r->name);
    free(r);
}

/* The place of a byte of the row: lines before it in the row, and characters before it in its line. */
static int at_byte(const struct csv *r, const char *p, struct err *e)
{
    const char *line = r->row, *nl;
    int64_t n = r->row_line;

    while ((nl = memchr(line, '\n', (size_t)(p - line))) != NULL) {
        line = nl + 1;
        n++;
    }
    return err_at(e, r->name, n, (int64_t)utf8_length((struct span){line, (size_t)(p - line)}) + 1);
}

int csv_at(const struct csv *r, int field, struct err *e)
{
    if (field < 0 || (size_t)field >= r->at.n)
        return err_at(e, r->name, r->row_line, 0);
    return at_byte(r, r->row + r->at.v[field], e);
}

static enum step fail_at(const struct csv *r, const char *p, struct err *e)
{
    at_byte(r, p, e);
    return STEP_FAILED;
}

static void add_field(struct csv *r, const char *begin, struct span text, bool doubled)
{
    vec_push(&r->fields, text);
    vec_push(&r->at, (uint32_t)(begin - r->row));
    vec_push(&r->doubled, doubled);
    r->any_doubled |= doubled;
}

/* *p is behind the opening quote; afterwards it is behind the closing one. */
static enum step quoted_field(struct csv *r, const char **p, const char *end, struct err *e)
{
    const char *begin = *p, *q = begin;
    bool doubled = false;

    r->any_quoted = true;
    for (;; q += 2, doubled = true) {
        q = memchr(q, '"', (size_t)(end - q));
        if (!q && r->eof) {
            err_set(e, ERR_INPUT, "quoted field is never closed");
            err_hint(e, "was the file cut, or is a quote missing?");
            return fail_at(r, begin - 1, e);
        }
        if (!q || (q + 1 == end && !r->eof))
            return STEP_MORE;
        if (q + 1 == end || q[1] != '"')
            break;
    }
    add_field(r, begin - 1, (struct span){begin, (size_t)(q - begin)}, doubled);
    *p = q + 1;
    if (*p < end && !r->stop[(uint8_t)**p]) {
        err_set(e, ERR_INPUT, "text behind the closing quote of a field");
        err_hint(e, "inside quotes a quote is written twice; a quote may also be missing further up");
        return fail_at(r, *p, e);
    }
    return STEP_DONE;
}

static enum step one_field(struct csv *r, const char **p, const char *end, struct err *e)
{
    const char *begin = *p;

    if (r->fields.n == CSV_FIELDS_MAX) {
        err_set(e, ERR_INPUT, "row has more than %d fields", CSV_FIELDS_MAX);
        return fail_at(r, begin, e);
    }
    if (begin < end && *begin == '"') {
        *p = begin + 1;
        return quoted_field(r, p, end, e);
    }
    *p = begin + r->scan(r->stop, begin, (size_t)(end - begin));
    add_field(r, begin, (struct span){begin, (size_t)(*p - begin)}, false);
    return *p < end || r->eof ? STEP_DONE : STEP_MORE;
}

/* Moves *p behind the line end there, if any: LF, CRLF or CR. */
static enum step line_end(const struct csv *r, const char **p, const char *end)
{
    if (*p == end)
        return r->eof ? STEP_DONE : STEP_MORE;
    if (**p == '\r' && *p + 1 == end && !r->eof)
        return STEP_MORE;                                    /* perhaps the first half of CRLF */
    *p += **p == '\r' && *p + 1 < end && (*p)[1] == '\n' ? 2 : 1;
    return STEP_DONE;
}

/* Splits the row at r->row. *p is moved behind its line end. */
static enum step split(struct csv *r, const char **p, const char *end, bool *ended, struct err *e)
{
    vec_clear(&r->fields);
    vec_clear(&r->at);
    vec_clear(&r->doubled);
    r->any_doubled = r->any_quoted = false;
    for (;;) {
        enum step s = one_field(r, p, end, e);

        if (s != STEP_DONE)
            return s;
        if (*p == end || **p != r->delimiter)
            break;
        ++*p;
    }
    *ended = *p < end;
    return line_end(r, p, end);
}

/* Skips marks and empty lines in front of a row. */
static enum step find_row(struct csv *r, const char **p, const char *end)
{
    static const char mark[3] = {'\xef', '\xbb', '\xbf'};

    for (;;) {
        size_t n = (size_t)(end - *p);
        const char *next;
        enum step s;

        if (n == 0)
            return STEP_MORE;
        if (n < sizeof mark && !r->eof && memcmp(*p, mark, n) == 0)
            return STEP_MORE;
        next = *p + (n >= sizeof mark && memcmp(*p, mark, sizeof mark) == 0 ? sizeof mark : 0);
        if (next == end && !r->eof)
            return STEP_MORE;
        if (next < end && *next != '\n' && *next != '\r') {
            *p = next;
            return STEP_DONE;
        }
        s = line_end(r, &next, end);
        if (s != STEP_DONE)
            return s;
        *p = next;
        r->start = (size_t)(next - r->w);
        r->line++;
    }
}

static int too_long(const struct csv *r, struct err *e)
{
    err_set(e, ERR_INPUT, "row is longer than %d MiB; is a quote missing?", CSV_ROW_MAX >> 20);
    return err_at(e, r->name, r->row_line, 0);
}

static int refill(struct csv *r, struct err *e)
{
    size_t kept = r->end - r->start;
    int got;

    if (kept > CSV_ROW_MAX)
        return too_long(r, e);
    if (kept > 0)
        memmove(r->w, r->w + r->start, kept);
    if (r->nul)
        r->nul -= r->start;
    r->start = 0;
    r->end = kept;
    if (r->cap < kept + r->block) {
        ptrdiff_t nul = r->nul ? r->nul - r->w : 0;

        r->cap = kept * 2 + r->block;
        r->w = xrealloc(r->w, r->cap);
        r->nul = r->nul ? r->w + nul : NULL;
    }
    got = r->fill(r->from, r->w + kept, r->block, e);
    if (got < 0)
        return err_at(e, r->name, 0, 0);
    r->eof = got == 0;
    if (!r->nul && got > 0)
        r->nul = memchr(r->w + kept, '\0', (size_t)got);
    r->end += (size_t)got;
    return 0;
}

static void undouble(struct csv *r, size_t row_bytes)
{
    buf_clear(&r->plain);
    buf_reserve(&r->plain, row_bytes);                       /* so that no span moves */
    for (size_t i = 0; i < r->fields.n; i++) {
        struct span *f = &r->fields.v[i];
        size_t from = r->plain.n;
        const char *p = f->p, *end = f->p + f->n, *q;

        if (!r->doubled.v[i])
            continue;
        for (; (q = memchr(p, '"', (size_t)(end - p))) != NULL; p = q + 2)
            buf_add(&r->plain, p, (size_t)(q + 1 - p));
        buf_add(&r->plain, p, (size_t)(end - p));
        *f = (struct span){r->plain.p + from, r->plain.n - from};
    }
}

static int64_t lines_in(const char *p, const char *end)
{
    int64_t n = 0;

    for (; (p = memchr(p, '\n', (size_t)(end - p))) != NULL; p++)
        n++;
    return n;
}

/* A split row becomes the caller's. next is behind its line end. */
static int hand_out(struct csv *r, const char *next, bool ended, struct csv_row *row, struct err *e)
{
    const struct span *last = &r->fields.v[r->fields.n - 1];

    if (next - r->row > CSV_ROW_MAX)
        return too_long(r, e);
    if (r->nul && r->nul < next) {
        err_set(e, ERR_INPUT, "NUL byte: this is no text");
        return fail_at(r, r->nul, e);
    }
    r->line += (r->any_quoted ? lines_in(r->row, last->p + last->n) : 0) + ended;
    r->start = (size_t)(next - r->w);
    if (r->any_doubled)
        undouble(r, (size_t)(next - r->row));
    *row = (struct csv_row){r->row_line, r->fields.n, r->fields.v, ended};
    return 1;
}

int csv_next(struct csv *r, struct csv_row *row, struct err *e)
{
    for (;;) {
        const char *p = r->w + r->start, *end = r->w + r->end;
        bool ended = false;
        enum step s = find_row(r, &p, end);

        r->row = p;
        r->row_line = r->line;
        if (s == STEP_DONE)
            s = split(r, &p, end, &ended, e);
        if (s == STEP_DONE)
            return hand_out(r, p, ended, row, e);
        if (s == STEP_FAILED)
            return -1;
        if (r->eof)
            return 0;
        if (refill(r, e) < 0)
            return -1;
    }
}
