/* json_in: two small machines, one for what may come next between tokens, one inside a token.
 *
 * A token that lies within one piece is handed on as a span into that piece; only tokens with escapes, or cut by the end of a piece, are
 * copied. The nest is one bit per level. Lines and columns (in characters) are counted in passing: line ends stand only between tokens
 * and bytes that continue a character only in strings, so plain text costs nothing.
 *
 * Not here: any tree, any number as a number, any comfort beyond the RFC (comments, trailing commas, a byte order mark). */
#include "gputab/codec/json_in.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "gputab/base/buf.h"
#include "gputab/base/xalloc.h"

/* What may come between tokens. */
enum want { WANT_VALUE, WANT_FIRST_ITEM, WANT_FIRST_NAME, WANT_NAME, WANT_COLON, WANT_MORE_ITEMS, WANT_MORE_NAMES, WANT_NOTHING };

static const char *const wanted[] = {
    [WANT_VALUE] = "a value", [WANT_FIRST_ITEM] = "a value or ]", [WANT_FIRST_NAME] = "a name or }", [WANT_NAME] = "a name",
    [WANT_COLON] = "a colon", [WANT_MORE_ITEMS] = "a comma or ]", [WANT_MORE_NAMES] = "a comma or }", [WANT_NOTHING] = "the end",
};

enum token { TOKEN_NONE, TOKEN_STRING, TOKEN_ESCAPE, TOKEN_HEX, TOKEN_LOW_BACKSLASH, TOKEN_LOW_U, TOKEN_NUMBER, TOKEN_WORD };

/* Inside a number: what was read last. */
enum digits { DIGITS_START, DIGITS_MINUS, DIGITS_ZERO, DIGITS_WHOLE, DIGITS_POINT, DIGITS_FRACTION, DIGITS_E, DIGITS_E_SIGN,
              DIGITS_EXPONENT, DIGITS_STATES };

struct place {
    int64_t line, column;
};

struct json_in {
    json_in_handler handler;
    void *ctx;
    enum want want;
    enum token token;
    bool is_name;                  /* the string is one */
    bool another;                  /* a document may begin behind this one */
    struct buf text;               /* of the token, as far as it had to be copied */
    enum digits digits;
    const char *word;              /* rest of true, false or null */
    enum json_in_kind word_kind;
    unsigned hex_left, code, high; /* of \uXXXX; high: a high surrogate before it, or 0 */
    unsigned utf8_left;            /* bytes that the character still needs */
    unsigned char utf8_min, utf8_max;
    unsigned depth;
    uint64_t objects;              /* bit d: level d is an object */
    const char *piece;
    int64_t offset;                /* of the piece in the document */
    int64_t line, line_start;      /* offset at which it begins */
    int64_t tails;                 /* bytes of the line that continue a character */
    struct place start;            /* of the token */
};

struct json_in *json_in_new(json_in_handler handler, void *ctx)
{
    struct json_in *j = xcalloc(1, sizeof *j);

    j->handler = handler;
    j->ctx = ctx;
    j->line = 1;
    return j;
}

void json_in_free(struct json_in *j)
{
    if (!j)
        return;
    buf_free(&j->text);
    free(j);
}

void json_in_reset(struct json_in *j)
{
    struct json_in fresh = { .handler = j->handler, .ctx = j->ctx, .text = j->text, .line = 1 };

    buf_clear(&fresh.text);
    *j = fresh;
}

static struct place place_of(const struct json_in *j, const char *p)
{
    return (struct place){ j->line, j->offset + (p - j->piece) - j->line_start - j->tails + 1 };
}

static int fail_at(const struct place at, struct err *e, const char *what)
{
    err_set(e, ERR_INPUT, "%s", what);
    return err_at(e, "", at.line, at.column);
}

static int fail(const struct json_in *j, const char *p, struct err *e, const char *what)
{
    return fail_at(place_of(j, p), e, what);
}

/* A character that may not stand here. */
static int unexpected(const struct json_in *j, const char *p, struct err *e)
{
    unsigned char c = (unsigned char)*p;
    const char *want = wanted[j->want];
    struct place at = place_of(j, p);

    if (c > ' ' && c < 0x7f)
        err_set(e, ERR_INPUT, "'%c' where %s should be", c, want);
    else
        err_set(e, ERR_INPUT, "byte 0x%02x where %s should be", c, want);
    return err_at(e, "", at.line, at.column);
}

static int emit(struct json_in *j, enum json_in_kind kind, struct span text, struct err *e)
{
    if (j->handler(j->ctx, kind, text, e) == 0)
        return 0;
    return err_at(e, "", j->start.line, j->start.column);
}

static bool in_object(const struct json_in *j)
{
    return j->depth > 0 && (j->objects >> (j->depth - 1) & 1);
}

static void after_value(struct json_in *j)
{
    j->token = TOKEN_NONE;
    j->want = j->depth == 0 ? WANT_NOTHING : in_object(j) ? WANT_MORE_NAMES : WANT_MORE_ITEMS;
}

static int open_container(struct json_in *j, bool object, struct err *e)
{
    if (j->depth == JSON_IN_DEPTH)
        return fail_at(j->start, e, "nested too deeply");
    j->objects = (j->objects & ~(UINT64_C(1) << j->depth)) | (uint64_t)object << j->depth;
    j->depth++;
    j->want = object ? WANT_FIRST_NAME : WANT_FIRST_ITEM;
    return emit(j, object ? JSON_IN_OBJECT : JSON_IN_ARRAY, (struct span){ NULL, 0 }, e);
}

static int close_container(struct json_in *j, struct err *e)
{
    bool object = in_object(j);

    j->depth--;
    after_value(j);
    return emit(j, object ? JSON_IN_OBJECT_END : JSON_IN_ARRAY_END, (struct span){ NULL, 0 }, e);
}

static void begin(struct json_in *j, enum token token)
{
    j->token = token;
    buf_clear(&j->text);
}

static void begin_word(struct json_in *j, const char *word, enum json_in_kind kind)
{
    begin(j, TOKEN_WORD);
    j->word = word;
    j->word_kind = kind;
}

/* A value's first character at *p; *p stands behind what was read of it. */
static int begin_value(struct json_in *j, const char **p, struct err *e)
{
    switch (**p) {
    case '{': ++*p; return open_container(j, true, e);
    case '[': ++*p; return open_container(j, false, e);
    case '"': ++*p; begin(j, TOKEN_STRING); j->is_name = false; return 0;
    case 't': begin_word(j, "true", JSON_IN_TRUE); return 0;
    case 'f': begin_word(j, "false", JSON_IN_FALSE); return 0;
    case 'n': begin_word(j, "null", JSON_IN_NULL); return 0;
    case '-': case '0': case '1': case '2': case '3': case '4': case '5': case '6': case '7': case '8': case '9':
        begin(j, TOKEN_NUMBER);
        j->digits = DIGITS_START;
        return 0;
    default:
        return unexpected(j, *p, e);
    }
}

static int begin_name(struct json_in *j, const char **p, struct err *e)
{
    if (**p != '"')
        return unexpected(j, *p, e);
    ++*p;
    begin(j, TOKEN_STRING);
    j->is_name = true;
    return 0;
}

/* One character between tokens that is no blank. */
static int step_between(struct json_in *j, const char **p, struct err *e)
{
    char c = **p;

    j->start = place_of(j, *p);
    switch (j->want) {
    case WANT_FIRST_ITEM:
        if (c != ']')
            return begin_value(j, p, e);
        break;
    case WANT_VALUE:
        return begin_value(j, p, e);
    case WANT_FIRST_NAME:
        if (c != '}')
            return begin_name(j, p, e);
        break;
    case WANT_NAME:
        return begin_name(j, p, e);
    case WANT_COLON:
        if (c != ':')
            return unexpected(j, *p, e);
        ++*p;
        j->want = WANT_VALUE;
        return 0;
    case WANT_MORE_ITEMS:
    case WANT_MORE_NAMES:
        if (c == ',') {
            ++*p;
            j->want = j->want == WANT_MORE_NAMES ? WANT_NAME : WANT_VALUE;
            return 0;
        }
        if (c != (j->want == WANT_MORE_NAMES ? '}' : ']'))
            return unexpected(j, *p, e);
        break;
    case WANT_NOTHING:
        if (!j->another)
            return unexpected(j, *p, e);
        j->another = false;
        return begin_value(j, p, e);
    }
    ++*p;
    return close_container(j, e);
}

static const char *skip_blanks(struct json_in *j, const char *p, const char *end)
{
    for (; p < end && (*p == ' ' || *p == '\n' || *p == '\t' || *p == '\r'); p++)
        if (*p == '\n') {
            j->line++;
            j->line_start = j->offset + (p - j->piece) + 1;
            j->tails = 0;
        }
    return p;
}

/* Takes a run of the string's bytes into j->text, within the cap. */
static int keep(struct json_in *j, const char *from, size_t n, struct err *e)
{
    if (j->text.n + n > JSON_IN_STRING)
        return fail_at(j->start, e, "string is longer than 1 MiB");
    if (n > 0)
        buf_add(&j->text, from, n);
    return 0;
}

/* The run [from, *p) ends the string; *p is its quote. */
static int end_string(struct json_in *j, const char *from, const char **p, struct err *e)
{
    struct span text = { from, (size_t)(*p - from) };

    if (j->text.n > 0 || text.n > JSON_IN_STRING) {
        if (keep(j, text.p, text.n, e) < 0)
            return -1;
        text = buf_span(&j->text);
    }
    ++*p;
    if (!j->is_name) {
        after_value(j);
        return emit(j, JSON_IN_STRING_VALUE, text, e);
    }
    j->token = TOKEN_NONE;
    j->want = WANT_COLON;
    return emit(j, JSON_IN_NAME, text, e);
}

/* A byte of a character beyond ASCII: 0, or -1 where it cannot be one. RFC 3629 narrows the second byte after E0, ED, F0 and F4. */
static int step_utf8(struct json_in *j, const char *p, struct err *e)
{
    unsigned char c = (unsigned char)*p;

    if (j->utf8_left > 0) {
        if (c < j->utf8_min || c > j->utf8_max)
            return fail(j, p, e, "string is not UTF-8");
        j->utf8_left--;
        j->tails++;
    } else if (c >= 0xc2 && c <= 0xf4) {
        j->utf8_left = c < 0xe0 ? 1 : c < 0xf0 ? 2 : 3;
    } else {
        return fail(j, p, e, "string is not UTF-8");
    }
    j->utf8_min = c == 0xe0 ? 0xa0 : c == 0xf0 ? 0x90 : 0x80;
    j->utf8_max = c == 0xed ? 0x9f : c == 0xf4 ? 0x8f : 0xbf;
    return 0;
}

static bool is_plain(unsigned char c)
{
    return c >= 0x20 && c < 0x80 && c != '"' && c != '\\';
}

static int step_string(struct json_in *j, const char **p, const char *end, struct err *e)
{
    const char *from = *p;

    for (;; ++*p) {
        unsigned char c;

        if (j->utf8_left == 0)
            while (*p < end && is_plain((unsigned char)**p))
                ++*p;
        c = *p < end ? (unsigned char)**p : '"';
        if (*p < end && (c >= 0x80 || j->utf8_left > 0)) {
            if (j->text.n + (size_t)(*p - from) > JSON_IN_STRING)
                return fail_at(j->start, e, "string is longer than 1 MiB");
            if (step_utf8(j, *p, e) < 0)
                return -1;
            continue;
        }
        if (*p < end && c == '"')
            return end_string(j, from, p, e);
        if (keep(j, from, (size_t)(*p - from), e) < 0)
            return -1;
        if (*p == end)
            return 0;
        if (c < 0x20)
            return fail(j, *p, e, "control character in a string");
        ++*p;
        j->token = TOKEN_ESCAPE;
        return 0;
    }
}

static int step_escape(struct json_in *j, const char **p, struct err *e)
{
    static const char escapes[] = "\"\\/bfnrt", meanings[] = "\"\\/\b\f\n\r\t";
    const char *at = **p ? strchr(escapes, **p) : NULL;

    if (**p == 'u') {
        ++*p;
        j->token = TOKEN_HEX;
        j->hex_left = 4;
        j->code = 0;
        return 0;
    }
    if (!at)
        return fail(j, *p, e, "unknown escape in a string");
    ++*p;
    j->token = TOKEN_STRING;
    return keep(j, &meanings[at - escapes], 1, e);
}

static int keep_code(struct json_in *j, unsigned code, struct err *e)
{
    char utf8[4];
    size_t n = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    static const unsigned char lead[] = { 0, 0, 0xc0, 0xe0, 0xf0 };

    for (size_t i = n; i-- > 1; code >>= 6)
        utf8[i] = (char)(0x80 | (code & 0x3f));
    utf8[0] = (char)(lead[n] | code);
    return keep(j, utf8, n, e);
}

/* The four digits are read. A high surrogate must be followed by a low one; alone neither is a character. */
static int end_hex(struct json_in *j, const char *p, struct err *e)
{
    unsigned code = j->code;
    bool high = code >= 0xd800 && code < 0xdc00, low = code >= 0xdc00 && code < 0xe000;

    if (low != (j->high != 0))
        return fail(j, p, e, "half of a surrogate pair in a string");
    if (high) {
        j->high = code;
        j->token = TOKEN_LOW_BACKSLASH;
        return 0;
    }
    if (low)
        code = 0x10000 + ((j->high - 0xd800) << 10) + (code - 0xdc00);
    j->high = 0;
    j->token = TOKEN_STRING;
    return keep_code(j, code, e);
}

static int step_hex(struct json_in *j, const char **p, struct err *e)
{
    static const char digits[] = "0123456789abcdef";
    char c = **p >= 'A' && **p <= 'F' ? (char)(**p - 'A' + 'a') : **p;
    const char *at = c ? strchr(digits, c) : NULL;

    if (!at)
        return fail(j, *p, e, "\\u needs four hexadecimal digits");
    j->code = j->code << 4 | (unsigned)(at - digits);
    if (--j->hex_left == 0 && end_hex(j, *p, e) < 0)
        return -1;
    ++*p;
    return 0;
}

/* The \u that a high surrogate needs behind it. */
static int step_low(struct json_in *j, const char **p, struct err *e)
{
    bool backslash = j->token == TOKEN_LOW_BACKSLASH;

    if (**p != (backslash ? '\\' : 'u'))
        return fail(j, *p, e, "half of a surrogate pair in a string");
    ++*p;
    j->token = backslash ? TOKEN_LOW_U : TOKEN_HEX;
    j->hex_left = 4;
    j->code = 0;
    return 0;
}

/* What follows a character of each class: 0, 1-9, sign, point, e. DIGITS_STATES: nothing may. */
static enum digits next_digits(enum digits d, char c)
{
    enum { ZERO, NINE, MINUS, PLUS, POINT, E, CLASSES };
    enum { NO = DIGITS_STATES };
    static const unsigned char table[DIGITS_STATES][CLASSES] = {
        [DIGITS_START] = { DIGITS_ZERO, DIGITS_WHOLE, DIGITS_MINUS, NO, NO, NO },
        [DIGITS_MINUS] = { DIGITS_ZERO, DIGITS_WHOLE, NO, NO, NO, NO },
        [DIGITS_ZERO] = { NO, NO, NO, NO, DIGITS_POINT, DIGITS_E },
        [DIGITS_WHOLE] = { DIGITS_WHOLE, DIGITS_WHOLE, NO, NO, DIGITS_POINT, DIGITS_E },
        [DIGITS_POINT] = { DIGITS_FRACTION, DIGITS_FRACTION, NO, NO, NO, NO },
        [DIGITS_FRACTION] = { DIGITS_FRACTION, DIGITS_FRACTION, NO, NO, NO, DIGITS_E },
        [DIGITS_E] = { DIGITS_EXPONENT, DIGITS_EXPONENT, DIGITS_E_SIGN, DIGITS_E_SIGN, NO, NO },
        [DIGITS_E_SIGN] = { DIGITS_EXPONENT, DIGITS_EXPONENT, NO, NO, NO, NO },
        [DIGITS_EXPONENT] = { DIGITS_EXPONENT, DIGITS_EXPONENT, NO, NO, NO, NO },
    };
    int class = c == '0' ? ZERO : c >= '1' && c <= '9' ? NINE : c == '-' ? MINUS : c == '+' ? PLUS : c == '.' ? POINT
                : c == 'e' || c == 'E' ? E : CLASSES;

    return class == CLASSES ? DIGITS_STATES : (enum digits)table[d][class];
}

static bool is_number(enum digits d)
{
    return d == DIGITS_ZERO || d == DIGITS_WHOLE || d == DIGITS_FRACTION || d == DIGITS_EXPONENT;
}

/* Any digit may follow and changes nothing: most of what numbers are made of. */
static bool takes_digits(enum digits d)
{
    return d == DIGITS_WHOLE || d == DIGITS_FRACTION || d == DIGITS_EXPONENT;
}

static int keep_digits(struct json_in *j, const char *from, size_t n, struct err *e)
{
    if (j->text.n + n > JSON_IN_NUMBER)
        return fail_at(j->start, e, "number is longer than 1024 bytes");
    if (n > 0)
        buf_add(&j->text, from, n);
    return 0;
}

static int end_number(struct json_in *j, struct span text, struct err *e)
{
    if (j->text.n > 0 || text.n > JSON_IN_NUMBER) {
        if (keep_digits(j, text.p, text.n, e) < 0)
            return -1;
        text = buf_span(&j->text);
    }
    after_value(j);
    return emit(j, JSON_IN_NUMBER_VALUE, text, e);
}

static int step_number(struct json_in *j, const char **p, const char *end, struct err *e)
{
    const char *from = *p;

    for (; *p < end; ++*p) {
        enum digits next;

        if (**p >= '0' && **p <= '9' && takes_digits(j->digits))
            continue;
        next = next_digits(j->digits, **p);
        if (next != DIGITS_STATES) {
            j->digits = next;
            continue;
        }
        if (is_number(j->digits))
            return end_number(j, (struct span){ from, (size_t)(*p - from) }, e);
        if (j->text.n + (size_t)(*p - from) > JSON_IN_NUMBER)
            return fail_at(j->start, e, "number is longer than 1024 bytes");
        return fail(j, *p, e, "number is not complete");
    }
    return keep_digits(j, from, (size_t)(*p - from), e);
}

static int step_word(struct json_in *j, const char **p, const char *end, struct err *e)
{
    for (; *p < end && *j->word; ++*p, j->word++)
        if (**p != *j->word)
            return fail_at(j->start, e, "word is none of true, false and null");
    if (*j->word)
        return 0;
    after_value(j);
    return emit(j, j->word_kind, (struct span){ NULL, 0 }, e);
}

static int step(struct json_in *j, const char **p, const char *end, struct err *e)
{
    switch (j->token) {
    case TOKEN_NONE: return step_between(j, p, e);
    case TOKEN_STRING: return step_string(j, p, end, e);
    case TOKEN_ESCAPE: return step_escape(j, p, e);
    case TOKEN_HEX: return step_hex(j, p, e);
    case TOKEN_LOW_BACKSLASH: case TOKEN_LOW_U: return step_low(j, p, e);
    case TOKEN_NUMBER: return step_number(j, p, end, e);
    case TOKEN_WORD: return step_word(j, p, end, e);
    }
    return 0;
}

int json_in_feed(struct json_in *j, const char *p, size_t n, struct err *e)
{
    const char *end = p + n;

    j->piece = p;
    while (p < end) {
        if (j->token == TOKEN_NONE && (p = skip_blanks(j, p, end)) == end)
            break;
        if (step(j, &p, end, e) < 0)
            return -1;
    }
    j->offset += (int64_t)n;
    return 0;
}

void json_in_expect_another(struct json_in *j)
{
    j->another = true;
}

int json_in_end(struct json_in *j, struct err *e)
{
    j->piece = "";                                     /* places are behind the last byte */
    if (j->depth == 0 && j->token == TOKEN_NUMBER && is_number(j->digits) && end_number(j, (struct span){ "", 0 }, e) < 0)
        return -1;
    if (j->token == TOKEN_NONE && j->want == WANT_NOTHING)
        return 0;
    return fail(j, j->piece, e, j->offset == 0 ? "nothing is there" : "it ends in the middle");
}
