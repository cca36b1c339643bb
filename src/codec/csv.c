/* csv: rows out of a sliding window.
 *
 * The window holds whole rows: when the last one is cut by the end of the window, it is moved to the front, a block is added and the row
 * is split again from its start. That costs one row a block and leaves the splitter without any state, so no cut can change a result.
 * Where the source has blocks of its own, the window is such a block, and the cut row is copied in front of it.
 * There are two splitters. The fast one walks over the marks of csv_scan, which cover the window as far as its quotes are in order. The
 * other one reads byte by byte what is left: rows with odd quotes or a NUL, and the last row of an input without a line end. It alone
 * finds errors. Both give places of cuts, and one piece of code makes fields of these.
 * Fields are spans into the window; those with doubled quotes are copied, once, into `plain`.
 * Lines and columns are not kept per field: they are worked out from the row's bytes when a message needs them.
 * The reader knows nothing of headers, types or NULL: that is for who reads the file. */
#include "gputab/codec/csv.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "gputab/base/ahead.h"
#include "gputab/base/buf.h"
#include "gputab/base/ring.h"
#include "gputab/base/utf8.h"
#include "gputab/base/vec.h"
#include "gputab/base/xalloc.h"
#include "gputab/codec/csv_scan.h"
#include "gputab/codec/unpack.h"

/* Kept out of what is done for every row, which is the faster the less there is of it. */
#define RARE __attribute__((noinline, cold))
#define INLINE static inline __attribute__((always_inline))

struct column {
    uint32_t field;
    uint32_t cut;                  /* at[cut] is in front of it, at[cut + 1] behind it */
};

struct csv {
    csv_fill fill;
    csv_lend lend;                 /* or NULL */
    void *from;
    char *name;
    char delimiter;
    size_t block;
    const struct csv_scan *scan;
    uint8_t stop[256];             /* bytes that end a bare field */

    char *w;                       /* the window, own or lent: unread bytes are w[start .. end) */
    size_t start, end;
    char *own;                     /* of cap bytes */
    size_t cap;
    bool eof;
    struct csv_marks marks;        /* of w[marked .. marks_end) */
    size_t marked, marks_end;
    bool inner_lines;              /* perhaps a line ends inside quotes there */

    VEC(struct column) columns;    /* the selected ones, ascending */
    VEC(uint32_t) wanted;          /* numbers of the cuts around them, ascending, ended by CSV_NO_CUT */
    uint32_t *at;                  /* the byte before the latest row, then where the wanted cuts are in it */

    int64_t line;                  /* of the unread bytes */
    int64_t row_line;              /* of the latest row */
    const char *row;               /* its bytes in the window, behind a byte order mark */
    size_t row_bytes;              /* with its line end */
    size_t row_fields;
    bool by_hand;                  /* it has no marks */
    VEC(struct span) fields;       /* NULL where not selected */
    struct buf plain;
    struct buf other;              /* csv_field's */
};

static_assert((int)CSV_FRONT <= (int)RING_FRONT && (int)CSV_NOT_LENT == (int)AHEAD_NONE, "unpack lends what csv wants");

enum step { STEP_FAILED = -1, STEP_MORE = 0, STEP_DONE = 1 };   /* STEP_MORE: the window ends too early */

static size_t bare_length(const struct csv *r, const char *p, const char *end)
{
    size_t i = 0, n = (size_t)(end - p);

    while (i < n && !r->stop[(uint8_t)p[i]])
        i++;
    return i;
}

/* ---- which columns ---- */

static void want_cut(struct csv *r, uint32_t cut)
{
    if (r->wanted.n == 0 || r->wanted.v[r->wanted.n - 1] != cut)
        vec_push(&r->wanted, cut);
}

static void select_from(struct csv *r, const bool chosen[CSV_FIELDS_MAX])
{
    vec_clear(&r->columns);
    vec_clear(&r->wanted);
    for (uint32_t i = 0; i < CSV_FIELDS_MAX; i++) {
        if (!chosen[i])
            continue;
        if (i > 0)
            want_cut(r, i - 1);
        want_cut(r, i);
        vec_push(&r->columns, (struct column){i, (uint32_t)r->wanted.n - 1});
    }
    vec_push(&r->wanted, CSV_NO_CUT);
    r->at = xreallocarray(r->at, r->wanted.n + 1, sizeof *r->at);
    vec_clear(&r->fields);
}

void csv_select(struct csv *r, const int *columns, size_t n)
{
    bool chosen[CSV_FIELDS_MAX] = {false};

    for (size_t i = 0; i < n; i++)
        if (columns[i] >= 0 && columns[i] < CSV_FIELDS_MAX)
            chosen[columns[i]] = true;
    select_from(r, chosen);
}

struct csv *csv_new(csv_fill fill, void *from, const struct csv_config *config)
{
    struct csv *r = xcalloc(1, sizeof *r);
    bool all[CSV_FIELDS_MAX];

    r->fill = fill;
    r->from = from;
    r->name = xstrdup(config->name);
    r->delimiter = config->delimiter ? config->delimiter : ',';
    r->block = config->block ? config->block : CSV_BLOCK;
    r->scan = config->scan ? config->scan : csv_scan_best();
    r->stop[(uint8_t)r->delimiter] = r->stop['\n'] = r->stop['\r'] = 1;
    r->line = 1;
    r->cap = r->block;
    r->w = r->own = xmalloc(r->cap);
    memset(all, true, sizeof all);
    select_from(r, all);
    return r;
}

static int fill_from_unpack(void *from, char *p, size_t n, struct err *e)
{
    return unpack_read(from, p, n, e);
}

static int lend_from_unpack(void *from, char **p, struct err *e)
{
    return unpack_lend(from, p, e);
}

void csv_set_lend(struct csv *r, csv_lend lend)
{
    r->lend = lend;
}

struct csv *csv_over(struct unpack *u, const struct csv_config *config)
{
    struct csv *r = csv_new(fill_from_unpack, u, config);

    csv_set_lend(r, lend_from_unpack);
    return r;
}

void csv_free(struct csv *r)
{
    if (!r)
        return;
    buf_free(&r->other);
    buf_free(&r->plain);
    vec_free(&r->fields);
    free(r->at);
    vec_free(&r->wanted);
    vec_free(&r->columns);
    csv_marks_free(&r->marks);
    free(r->own);
    free(r->name);
    free(r);
}

/* ---- places ---- */

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

static enum step fail_at(const struct csv *r, const char *p, struct err *e)
{
    at_byte(r, p, e);
    return STEP_FAILED;
}

/* The end of the field that begins at p, in a row that is in order. */
static const char *field_end(const struct csv *r, const char *p, const char *end)
{
    if (p == end || *p != '"')
        return p + bare_length(r, p, end);
    for (p++; p < end; p += 2) {
        p = memchr(p, '"', (size_t)(end - p));
        if (!p || p + 1 == end || p[1] != '"')
            break;
    }
    return p ? p + 1 : end;
}

/* Where a field of the latest row begins. */
static const char *field_start(const struct csv *r, size_t field)
{
    const char *p = r->row, *end = r->row + r->row_bytes;

    for (; field > 0; field--)
        p = field_end(r, p, end) + 1;
    return p;
}

int csv_at(const struct csv *r, int field, struct err *e)
{
    if (field < 0 || (size_t)field >= r->row_fields)
        return err_at(e, r->name, r->row_line, 0);
    return at_byte(r, field_start(r, (size_t)field), e);
}

/* ---- byte by byte ---- */

/* *p is behind the opening quote; afterwards it is behind the closing one. */
static enum step quoted_field(struct csv *r, const char **p, const char *end, struct err *e)
{
    const char *begin = *p, *q = begin;

    for (;; q += 2) {
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
    *p = q + 1;
    if (*p < end && !r->stop[(uint8_t)**p]) {
        err_set(e, ERR_INPUT, "text behind the closing quote of a field");
        err_hint(e, "inside quotes a quote is written twice; a quote may also be missing further up");
        return fail_at(r, *p, e);
    }
    return STEP_DONE;
}

/* Moves *p from the start of a field to its end. */
static enum step one_field(struct csv *r, const char **p, const char *end, size_t number, struct err *e)
{
    if (number == CSV_FIELDS_MAX) {
        err_set(e, ERR_INPUT, "row has more than %d fields", CSV_FIELDS_MAX);
        return fail_at(r, *p, e);
    }
    if (*p < end && **p == '"') {
        ++*p;
        return quoted_field(r, p, end, e);
    }
    *p += bare_length(r, *p, end);
    return *p < end || r->eof ? STEP_DONE : STEP_MORE;
}

/* Moves *p from the start of a row to its end. Cuts are counted from the row's start. */
RARE static enum step cut_by_hand(struct csv *r, const char **p, const char *end, struct csv_cuts *cuts, struct err *e)
{
    *cuts = (struct csv_cuts){0};
    for (;; ++*p) {
        enum step s = one_field(r, p, end, cuts->fields, e);

        if (s != STEP_DONE)
            return s;
        if (r->wanted.v[cuts->n] == cuts->fields)
            r->at[++cuts->n] = (uint32_t)(*p - r->row);
        cuts->fields++;
        if (*p == end || **p != r->delimiter)
            return STEP_DONE;
    }
}

/* ---- by marks ---- */

RARE static void mark_from(struct csv *r, size_t from)
{
    size_t n = r->end - from;

    csv_marks_reserve(&r->marks, n);
    r->marked = from;
    r->inner_lines = false;
    r->marks_end = from + r->scan->mark(r->w + from, n, r->delimiter, &r->marks, &r->inner_lines);
}

/* The row's cuts, counted from the start of the marks. STEP_FAILED: it is for cut_by_hand. */
INLINE enum step cut_by_marks(struct csv *r, size_t from, struct csv_cuts *cuts)
{
    bool whole;

    if (from >= r->marks_end)
        mark_from(r, from);
    whole = r->scan->row(&r->marks, r->marks_end - r->marked, from - r->marked, r->wanted.v, r->at + 1, cuts);
    if (cuts->fields + !whole > CSV_FIELDS_MAX)
        return STEP_FAILED;
    return whole ? STEP_DONE : r->marks_end == r->end && !r->eof ? STEP_MORE : STEP_FAILED;
}

/* ---- rows ---- */

/* Moves *p behind the line end there, if any: LF, CRLF or CR. */
INLINE enum step line_end(const struct csv *r, const char **p, const char *end)
{
    if (*p == end)
        return r->eof ? STEP_DONE : STEP_MORE;
    if (**p == '\r' && *p + 1 == end && !r->eof)
        return STEP_MORE;                                    /* perhaps the first half of CRLF */
    *p += **p == '\r' && *p + 1 < end && (*p)[1] == '\n' ? 2 : 1;
    return STEP_DONE;
}

static const char mark[3] = {'\xef', '\xbb', '\xbf'};

RARE static enum step skip_to_row(struct csv *r, const char **p, const char *end)
{
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

/* Skips marks and empty lines in front of a row. */
INLINE enum step find_row(struct csv *r, const char **p, const char *end)
{
    return *p < end && **p != '\n' && **p != '\r' && **p != mark[0] ? STEP_DONE : skip_to_row(r, p, end);
}

RARE static int too_long(const struct csv *r, struct err *e)
{
    err_set(e, ERR_INPUT, "row is longer than %d MiB; is a quote missing?", CSV_ROW_MAX >> 20);
    return err_at(e, r->name, r->row_line, 0);
}

/* The unread bytes go to the front of the own window, which has room for `ask` more. */
static void keep(struct csv *r, size_t kept, size_t ask)
{
    bool is_own = r->w == r->own;

    if (r->cap < kept + ask) {
        r->cap = kept + ask;
        r->own = xrealloc(r->own, r->cap);
    }
    if (kept > 0)
        memmove(r->own, is_own ? r->own + r->start : r->w + r->start, kept);
    r->w = r->own;
    r->start = 0;
    r->end = kept;
    r->marked = r->marks_end = 0;
}

/* More bytes behind those that are kept, which go in front of lent ones when they fit there. */
static int more(struct csv *r, size_t kept, size_t ask, struct err *e)
{
    char *p;
    int got = r->lend && kept <= CSV_FRONT ? r->lend(r->from, &p, e) : CSV_NOT_LENT;

    if (got == CSV_NOT_LENT)
        return r->fill(r->from, r->own + kept, ask, e);
    if (got > 0) {
        r->w = p - kept;
        memcpy(r->w, r->own, kept);
    }
    return got;
}

/* A long row grows by as much as there is of it, so that it is not split again for every block. */
RARE static int refill(struct csv *r, struct err *e)
{
    size_t kept = r->end - r->start, ask = kept > r->block ? kept : r->block;
    int got;

    if (kept > CSV_ROW_MAX)
        return too_long(r, e);
    keep(r, kept, ask);
    got = more(r, kept, ask, e);
    if (got < 0)
        return err_at(e, r->name, 0, 0);
    r->eof = got == 0;
    r->end += (size_t)got;
    return 0;
}

/* ---- fields ---- */

static struct span undouble(struct buf *to, const char *p, const char *end)
{
    size_t from = to->n;
    const char *q;

    for (; (q = memchr(p, '"', (size_t)(end - p))) != NULL; p = q + 2)
        buf_add(to, p, (size_t)(q + 1 - p));
    buf_add(to, p, (size_t)(end - p));
    return (struct span){to->p + from, to->n - from};
}

/* `to` has room for the row before it is written to, so that no span moves. */
static __attribute__((noinline)) struct span quoted_text(const struct csv *r, struct buf *to, const char *p, const char *end)
{
    if (!memchr(p, '"', (size_t)(end - p)))
        return (struct span){p, (size_t)(end - p)};
    if (to->n == 0)
        buf_reserve(to, r->row_bytes);
    return undouble(to, p, end);
}

/* The text of the field in [p, end) without its quotes. Whether it is empty is not asked, which would be a branch that is hard to foresee:
 * behind an empty field there is a delimiter, a line end or the end of the window. */
INLINE struct span text_of(const struct csv *r, struct buf *to, const char *p, const char *end)
{
    return p < r->w + r->end && *p == '"' ? quoted_text(r, to, p + 1, end - 1) : (struct span){p, (size_t)(end - p)};
}

/* The selected fields of a row whose cuts are counted from `base`. */
INLINE void take_fields(struct csv *r, const char *base, size_t n)
{
    static const struct span none = {NULL, 0};
    const struct column *c = r->columns.v, *end = c + r->columns.n;
    const uint32_t *at = r->at;

    while (r->fields.n < n)
        vec_push(&r->fields, none);
    r->at[0] = (uint32_t)(r->row - base) - 1;                /* wraps, and below it wraps back */
    buf_clear(&r->plain);
    for (; c < end && c->field < n; c++)
        r->fields.v[c->field] = text_of(r, &r->plain, base + (uint32_t)(at[c->cut] + 1), base + at[c->cut + 1]);
    for (; c < end && c->field < r->fields.n; c++)
        r->fields.v[c->field] = none;
}

static struct span field_by_hand(struct csv *r, size_t field)
{
    const char *p = field_start(r, field);

    return text_of(r, &r->other, p, field_end(r, p, r->row + r->row_bytes));
}

static struct span field_by_marks(struct csv *r, size_t field)
{
    const char *base = r->w + r->marked;
    uint32_t wanted[] = {(uint32_t)field - 1, (uint32_t)field, CSV_NO_CUT}, at[2];
    struct csv_cuts cuts;

    if (field == 0) {
        at[0] = (uint32_t)(r->row - base) - 1;
        (void)r->scan->row(&r->marks, r->marks_end - r->marked, (size_t)(r->row - base), wanted + 1, at + 1, &cuts);
    } else
        (void)r->scan->row(&r->marks, r->marks_end - r->marked, (size_t)(r->row - base), wanted, at, &cuts);
    return text_of(r, &r->other, base + (uint32_t)(at[0] + 1), base + at[1]);
}

struct span csv_field(struct csv *r, size_t field)
{
    if (field >= r->row_fields)
        return (struct span){NULL, 0};
    buf_clear(&r->other);
    return r->by_hand ? field_by_hand(r, field) : field_by_marks(r, field);
}

/* ---- the reader ---- */

RARE static int64_t lines_in(const char *p, const char *end)
{
    int64_t n = 0;

    for (; (p = memchr(p, '\n', (size_t)(end - p))) != NULL; p++)
        n++;
    return n;
}

/* What a splitter found. */
struct found {
    struct csv_cuts cuts;
    const char *base;              /* where cuts are counted from */
    const char *end, *next;        /* of the row, without its line end and with it */
    bool by_hand;
};

INLINE enum step find_cuts(struct csv *r, const char *end, struct found *f, struct err *e)
{
    const char *p = r->row;
    enum step s = cut_by_marks(r, (size_t)(p - r->w), &f->cuts);

    f->by_hand = s == STEP_FAILED;
    f->base = f->by_hand ? r->row : r->w + r->marked;
    if (f->by_hand)
        s = cut_by_hand(r, &p, end, &f->cuts, e);
    else
        p = f->base + f->cuts.end;
    if (s != STEP_DONE)
        return s;
    f->end = f->next = p;
    return line_end(r, &f->next, end);
}

RARE static int check_nul(const struct csv *r, const struct found *f, struct err *e)
{
    const char *nul = memchr(r->row, '\0', (size_t)(f->next - r->row));

    if (!nul)
        return 0;
    err_set(e, ERR_INPUT, "NUL byte: this is no text");
    at_byte(r, nul, e);
    return -1;
}

/* A row that was found becomes the caller's. */
INLINE int hand_out(struct csv *r, const struct found *f, struct csv_row *row, struct err *e)
{
    bool ended = f->next > f->end;

    if (f->next - r->row > CSV_ROW_MAX)
        return too_long(r, e);
    if (f->by_hand && check_nul(r, f, e) < 0)
        return -1;
    r->line += (f->by_hand || r->inner_lines ? lines_in(r->row, f->end) : 0) + ended;
    r->start = (size_t)(f->next - r->w);
    r->row_bytes = (size_t)(f->next - r->row);
    r->row_fields = f->cuts.fields;
    r->by_hand = f->by_hand;
    take_fields(r, f->base, f->cuts.fields);
    *row = (struct csv_row){r->row_line, f->cuts.fields, r->fields.v, ended};
    return 1;
}

int csv_next(struct csv *r, struct csv_row *row, struct err *e)
{
    r->row_fields = 0;
    for (;;) {
        const char *p = r->w + r->start, *end = r->w + r->end;
        struct found f;
        enum step s = find_row(r, &p, end);

        r->row = p;
        r->row_line = r->line;
        if (s == STEP_DONE)
            s = find_cuts(r, end, &f, e);
        if (s == STEP_DONE)
            return hand_out(r, &f, row, e);
        if (s == STEP_FAILED)
            return -1;
        if (r->eof)
            return 0;
        if (refill(r, e) < 0)
            return -1;
    }
}
