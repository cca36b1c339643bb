/* json_in: two small machines, one for what may come next between tokens, one inside a token.
 *
 * A token that lies within one piece is handed on as a span into that piece, found eight bytes at a time; only those with escapes or
 * characters beyond ASCII, or cut by the end of a piece, go through the machine of tokens, and are copied where they must. The nest is
 * one bit per level. Columns (in characters) are the distance from a place that is moved at line ends, which stand only between tokens,
 * and by bytes that continue a character, which stand only in strings: plain text costs nothing.
 *
 * Not here: any tree, any number as a number, any comfort beyond the RFC (comments, trailing commas, a byte order mark). */
#include "gputab/codec/json_in.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "gputab/base/buf.h"
#include "gputab/base/xalloc.h"
#include "gputab/codec/json_scan.h"

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

struct json_in {
    json_in_handler handler;
    json_in_pair pair;             /* NULL: none yet */
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
    unsigned pairs;                /* the depth at which items may be pairs; 0: none */
    uint64_t objects;              /* bit d: level d is an object */
    const char *piece;
    int64_t line;
    int64_t column;                /* of the piece's first byte, if all between it and the place at hand were plain text */
    int64_t start;                 /* column of the token, which ends in the line in which it begins */
};

struct json_in *json_in_new(json_in_handler handler, void *ctx)
{
    struct json_in *j = xcalloc(1, sizeof *j);

    j->handler = handler;
    j->ctx = ctx;
    j->line = j->column = 1;
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
    struct json_in fresh = { .handler = j->handler, .ctx = j->ctx, .text = j->text, .line = 1, .column = 1 };

    buf_clear(&fresh.text);
    *j = fresh;
}

/* ---- errors: NULL, where else the place behind what was read is returned ---- */

static int64_t column_of(const struct json_in *j, const char *p)
{
    return j->column + (p - j->piece);
}

static const char *fail_at(const struct json_in *j, int64_t column, struct err *e, const char *what)
{
    err_set(e, ERR_INPUT, "%s", what);
    err_at(e, "", j->line, column);
    return NULL;
}

static const char *fail(const struct json_in *j, const char *p, struct err *e, const char *what)
{
    return fail_at(j, column_of(j, p), e, what);
}

/* A character that may not stand here. */
static const char *unexpected(const struct json_in *j, const char *p, struct err *e)
{
    unsigned char c = (unsigned char)*p;
    const char *want = wanted[j->want];

    if (c > ' ' && c < 0x7f)
        err_set(e, ERR_INPUT, "'%c' where %s should be", c, want);
    else
        err_set(e, ERR_INPUT, "byte 0x%02x where %s should be", c, want);
    err_at(e, "", j->line, column_of(j, p));
    return NULL;
}

/* ---- what tokens do; p: behind the token ----
 *
 * Inline here and below is what every whole token goes through. */

static inline const char *emit(struct json_in *j, enum json_in_kind kind, struct span text, const char *p, struct err *e)
{
    if (j->handler(j->ctx, kind, text, e) == 0)
        return p;
    err_at(e, "", j->line, j->start);
    return NULL;
}

static inline bool in_object(const struct json_in *j)
{
    return j->depth > 0 && (j->objects >> (j->depth - 1) & 1);
}

/* Also takes the comma that mostly stands behind a value. */
static inline const char *after_value(struct json_in *j, const char *p, const char *end)
{
    bool object = in_object(j);

    j->token = TOKEN_NONE;
    if (j->depth > 0 && p < end && *p == ',') {
        j->want = object ? WANT_NAME : WANT_VALUE;
        return p + 1;
    }
    j->want = j->depth == 0 ? WANT_NOTHING : object ? WANT_MORE_NAMES : WANT_MORE_ITEMS;
    return p;
}

static inline const char *end_value(struct json_in *j, enum json_in_kind kind, struct span text, const char *p, const char *end,
                                    struct err *e)
{
    return emit(j, kind, text, after_value(j, p, end), e);
}

static inline const char *open_container(struct json_in *j, bool object, const char *p, struct err *e)
{
    if (j->depth == JSON_IN_DEPTH)
        return fail_at(j, j->start, e, "nested too deeply");
    j->objects = (j->objects & ~(UINT64_C(1) << j->depth)) | (uint64_t)object << j->depth;
    j->depth++;
    j->want = object ? WANT_FIRST_NAME : WANT_FIRST_ITEM;
    return emit(j, object ? JSON_IN_OBJECT : JSON_IN_ARRAY, (struct span){ NULL, 0 }, p, e);
}

static inline const char *close_container(struct json_in *j, const char *p, const char *end, struct err *e)
{
    bool object = in_object(j);

    if (j->pairs == j->depth)
        j->pairs = 0;
    j->depth--;
    return end_value(j, object ? JSON_IN_OBJECT_END : JSON_IN_ARRAY_END, (struct span){ NULL, 0 }, p, end, e);
}

static inline const char *end_string(struct json_in *j, struct span text, const char *p, const char *end, struct err *e)
{
    if (!j->is_name)
        return end_value(j, JSON_IN_STRING_VALUE, text, p, end, e);
    j->token = TOKEN_NONE;
    j->want = WANT_COLON;
    if (p < end && *p == ':') {
        j->want = WANT_VALUE;
        p++;
    }
    return emit(j, JSON_IN_NAME, text, p, e);
}

/* ---- between tokens; p: at a character that is no blank ---- */

/* Behind the number at p, where it lies whole in the piece and is not too long; else NULL. */
static inline const char *number_end(const char *p, const char *end)
{
    const char *behind = json_number_end(p, end);

    return behind && behind - p <= JSON_IN_NUMBER ? behind : NULL;
}

/* Pairs from the [ at p on, each with the comma behind it, until one is not whole, or not plain, or not taken. Returns where that is. */
static const char *take_pairs(struct json_in *j, const char *p, const char *end)
{
    do {
        const char *number = p + 1, *comma = number_end(number, end), *text, *quote;

        if (!comma || end - comma < 2 || comma[0] != ',' || comma[1] != '"')
            break;
        text = comma + 2;
        quote = json_plain_end(text, end);
        if (end - quote < 2 || quote[0] != '"' || quote[1] != ']' || quote - text > JSON_IN_STRING)
            break;
        if (!j->pair(j->ctx, (struct span){ number, (size_t)(comma - number) }, (struct span){ text, (size_t)(quote - text) }))
            break;
        p = after_value(j, quote + 2, end);
    } while (j->want == WANT_VALUE && p < end && *p == '[');
    return p;
}

static void begin(struct json_in *j, enum token token)
{
    j->token = token;
    buf_clear(&j->text);
}

static inline const char *read_string(struct json_in *j, bool is_name, const char *p, const char *end, struct err *e)
{
    const char *text = p + 1, *quote = json_plain_end(text, end);

    j->is_name = is_name;
    if (quote < end && *quote == '"' && quote - text <= JSON_IN_STRING)
        return end_string(j, (struct span){ text, (size_t)(quote - text) }, quote + 1, end, e);
    begin(j, TOKEN_STRING);
    return text;
}

static inline const char *read_number(struct json_in *j, const char *p, const char *end, struct err *e)
{
    const char *behind = number_end(p, end);

    if (behind)
        return end_value(j, JSON_IN_NUMBER_VALUE, (struct span){ p, (size_t)(behind - p) }, behind, end, e);
    begin(j, TOKEN_NUMBER);
    j->digits = DIGITS_START;
    return p;
}

static inline const char *read_array(struct json_in *j, const char *p, const char *end, struct err *e)
{
    if (j->pairs > 0 && j->pairs == j->depth && j->depth < JSON_IN_DEPTH) {
        const char *behind = take_pairs(j, p, end);

        if (behind > p)
            return behind;
    }
    return open_container(j, false, p + 1, e);
}

static const char *read_word(struct json_in *j, const char *word, enum json_in_kind kind, const char *p)
{
    begin(j, TOKEN_WORD);
    j->word = word;
    j->word_kind = kind;
    return p;
}

static inline const char *read_value(struct json_in *j, const char *p, const char *end, struct err *e)
{
    switch (*p) {
    case '{': return open_container(j, true, p + 1, e);
    case '[': return read_array(j, p, end, e);
    case '"': return read_string(j, false, p, end, e);
    case 't': return read_word(j, "true", JSON_IN_TRUE, p);
    case 'f': return read_word(j, "false", JSON_IN_FALSE, p);
    case 'n': return read_word(j, "null", JSON_IN_NULL, p);
    case '-': case '0': case '1': case '2': case '3': case '4': case '5': case '6': case '7': case '8': case '9':
        return read_number(j, p, end, e);
    default: return unexpected(j, p, e);
    }
}

static const char *read_name(struct json_in *j, const char *p, const char *end, struct err *e)
{
    return *p == '"' ? read_string(j, true, p, end, e) : unexpected(j, p, e);
}

/* A comma or the container's end. */
static const char *read_more(struct json_in *j, char closing, enum want next, const char *p, const char *end, struct err *e)
{
    if (*p == ',') {
        j->want = next;
        return p + 1;
    }
    return *p == closing ? close_container(j, p + 1, end, e) : unexpected(j, p, e);
}

static const char *read_colon(struct json_in *j, const char *p, struct err *e)
{
    if (*p != ':')
        return unexpected(j, p, e);
    j->want = WANT_VALUE;
    return p + 1;
}

static const char *read_another(struct json_in *j, const char *p, const char *end, struct err *e)
{
    if (!j->another)
        return unexpected(j, p, e);
    j->another = false;
    return read_value(j, p, end, e);
}

static inline const char *read_token(struct json_in *j, const char *p, const char *end, struct err *e)
{
    j->start = column_of(j, p);
    switch (j->want) {
    case WANT_FIRST_ITEM: return *p == ']' ? close_container(j, p + 1, end, e) : read_value(j, p, end, e);
    case WANT_VALUE: return read_value(j, p, end, e);
    case WANT_FIRST_NAME: return *p == '}' ? close_container(j, p + 1, end, e) : read_name(j, p, end, e);
    case WANT_NAME: return read_name(j, p, end, e);
    case WANT_COLON: return read_colon(j, p, e);
    case WANT_MORE_ITEMS: return read_more(j, ']', WANT_VALUE, p, end, e);
    case WANT_MORE_NAMES: return read_more(j, '}', WANT_NAME, p, end, e);
    case WANT_NOTHING: return read_another(j, p, end, e);
    }
    return NULL;
}

static inline bool is_blank(char c)
{
    return c == ' ' || c == '\n' || c == '\t' || c == '\r';
}

static const char *skip_blanks(struct json_in *j, const char *p, const char *end)
{
    for (; p < end && is_blank(*p); p++)
        if (*p == '\n') {
            j->line++;
            j->column = j->piece - p;  /* so that 1 is that of the byte behind it */
        }
    return p;
}

/* ---- inside a token ---- */

/* Takes a run of the string's bytes into j->text, within the cap. */
static bool keep(struct json_in *j, const char *from, size_t n, struct err *e)
{
    if (j->text.n + n > JSON_IN_STRING) {
        fail_at(j, j->start, e, "string is longer than 1 MiB");
        return false;
    }
    if (n > 0)
        buf_add(&j->text, from, n);
    return true;
}

/* The last run ends the string at its quote. */
static const char *end_run(struct json_in *j, const char *from, const char *quote, const char *end, struct err *e)
{
    struct span text = { from, (size_t)(quote - from) };

    if (j->text.n > 0 || text.n > JSON_IN_STRING) {
        if (!keep(j, text.p, text.n, e))
            return NULL;
        text = buf_span(&j->text);
    }
    return end_string(j, text, quote + 1, end, e);
}

/* A byte of a character beyond ASCII: false where it cannot be one. RFC 3629 narrows the second byte after E0, ED, F0 and F4. */
static bool step_utf8(struct json_in *j, const char *p, struct err *e)
{
    unsigned char c = (unsigned char)*p;
    bool lead = j->utf8_left == 0;

    if (lead ? c < 0xc2 || c > 0xf4 : c < j->utf8_min || c > j->utf8_max) {
        fail(j, p, e, "string is not UTF-8");
        return false;
    }
    if (lead) {
        j->utf8_left = c < 0xe0 ? 1 : c < 0xf0 ? 2 : 3;
    } else {
        j->utf8_left--;
        j->column--;
    }
    j->utf8_min = c == 0xe0 ? 0xa0 : c == 0xf0 ? 0x90 : 0x80;
    j->utf8_max = c == 0xed ? 0x9f : c == 0xf4 ? 0x8f : 0xbf;
    return true;
}

static const char *step_string(struct json_in *j, const char *p, const char *end, struct err *e)
{
    const char *from = p;

    for (;; p++) {
        if (j->utf8_left == 0)
            p = json_plain_end(p, end);
        if (p < end && ((unsigned char)*p >= 0x80 || j->utf8_left > 0)) {
            if (j->text.n + (size_t)(p - from) > JSON_IN_STRING)
                return fail_at(j, j->start, e, "string is longer than 1 MiB");
            if (!step_utf8(j, p, e))
                return NULL;
            continue;
        }
        if (p < end && *p == '"')
            return end_run(j, from, p, end, e);
        if (!keep(j, from, (size_t)(p - from), e))
            return NULL;
        if (p == end)
            return p;
        if ((unsigned char)*p < 0x20)
            return fail(j, p, e, "control character in a string");
        j->token = TOKEN_ESCAPE;
        return p + 1;
    }
}

static const char *step_escape(struct json_in *j, const char *p, struct err *e)
{
    static const char escapes[] = "\"\\/bfnrt", meanings[] = "\"\\/\b\f\n\r\t";
    const char *at = *p ? strchr(escapes, *p) : NULL;

    if (*p == 'u') {
        j->token = TOKEN_HEX;
        j->hex_left = 4;
        j->code = 0;
        return p + 1;
    }
    if (!at)
        return fail(j, p, e, "unknown escape in a string");
    j->token = TOKEN_STRING;
    return keep(j, &meanings[at - escapes], 1, e) ? p + 1 : NULL;
}

static bool keep_code(struct json_in *j, unsigned code, struct err *e)
{
    char utf8[4];
    size_t n = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    static const unsigned char lead[] = { 0, 0, 0xc0, 0xe0, 0xf0 };

    for (size_t i = n; i-- > 1; code >>= 6)
        utf8[i] = (char)(0x80 | (code & 0x3f));
    utf8[0] = (char)(lead[n] | code);
    return keep(j, utf8, n, e);
}

/* The four digits are read, the last at p. A high surrogate must be followed by a low one; alone neither is a character. */
static const char *end_hex(struct json_in *j, const char *p, struct err *e)
{
    unsigned code = j->code;
    bool high = code >= 0xd800 && code < 0xdc00, low = code >= 0xdc00 && code < 0xe000;

    if (low != (j->high != 0))
        return fail(j, p, e, "half of a surrogate pair in a string");
    if (high) {
        j->high = code;
        j->token = TOKEN_LOW_BACKSLASH;
        return p + 1;
    }
    if (low)
        code = 0x10000 + ((j->high - 0xd800) << 10) + (code - 0xdc00);
    j->high = 0;
    j->token = TOKEN_STRING;
    return keep_code(j, code, e) ? p + 1 : NULL;
}

static const char *step_hex(struct json_in *j, const char *p, struct err *e)
{
    static const char digits[] = "0123456789abcdef";
    char c = *p >= 'A' && *p <= 'F' ? (char)(*p - 'A' + 'a') : *p;
    const char *at = c ? strchr(digits, c) : NULL;

    if (!at)
        return fail(j, p, e, "\\u needs four hexadecimal digits");
    j->code = j->code << 4 | (unsigned)(at - digits);
    return --j->hex_left == 0 ? end_hex(j, p, e) : p + 1;
}

/* The \u that a high surrogate needs behind it. */
static const char *step_low(struct json_in *j, const char *p, struct err *e)
{
    bool backslash = j->token == TOKEN_LOW_BACKSLASH;

    if (*p != (backslash ? '\\' : 'u'))
        return fail(j, p, e, "half of a surrogate pair in a string");
    j->token = backslash ? TOKEN_LOW_U : TOKEN_HEX;
    j->hex_left = 4;
    j->code = 0;
    return p + 1;
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

static bool keep_digits(struct json_in *j, const char *from, size_t n, struct err *e)
{
    if (j->text.n + n > JSON_IN_NUMBER) {
        fail_at(j, j->start, e, "number is longer than 1024 bytes");
        return false;
    }
    if (n > 0)
        buf_add(&j->text, from, n);
    return true;
}

/* The last run of a number's bytes ends it. */
static const char *end_number(struct json_in *j, const char *from, const char *p, const char *end, struct err *e)
{
    struct span text = { from, (size_t)(p - from) };

    if (j->text.n > 0 || text.n > JSON_IN_NUMBER) {
        if (!keep_digits(j, text.p, text.n, e))
            return NULL;
        text = buf_span(&j->text);
    }
    return end_value(j, JSON_IN_NUMBER_VALUE, text, p, end, e);
}

static const char *step_number(struct json_in *j, const char *p, const char *end, struct err *e)
{
    const char *from = p;

    for (; p < end; p++) {
        enum digits next = next_digits(j->digits, *p);

        if (next != DIGITS_STATES) {
            j->digits = next;
            continue;
        }
        if (is_number(j->digits))
            return end_number(j, from, p, end, e);
        if (j->text.n + (size_t)(p - from) > JSON_IN_NUMBER)
            return fail_at(j, j->start, e, "number is longer than 1024 bytes");
        return fail(j, p, e, "number is not complete");
    }
    return keep_digits(j, from, (size_t)(p - from), e) ? p : NULL;
}

static const char *step_word(struct json_in *j, const char *p, const char *end, struct err *e)
{
    for (; p < end && *j->word; p++, j->word++)
        if (*p != *j->word)
            return fail_at(j, j->start, e, "word is none of true, false and null");
    return *j->word ? p : end_value(j, j->word_kind, (struct span){ NULL, 0 }, p, end, e);
}

static const char *step(struct json_in *j, const char *p, const char *end, struct err *e)
{
    switch (j->token) {
    case TOKEN_NONE: return is_blank(*p) ? skip_blanks(j, p, end) : read_token(j, p, end, e);
    case TOKEN_STRING: return step_string(j, p, end, e);
    case TOKEN_ESCAPE: return step_escape(j, p, e);
    case TOKEN_HEX: return step_hex(j, p, e);
    case TOKEN_LOW_BACKSLASH: case TOKEN_LOW_U: return step_low(j, p, e);
    case TOKEN_NUMBER: return step_number(j, p, end, e);
    case TOKEN_WORD: return step_word(j, p, end, e);
    }
    return NULL;
}

int json_in_feed(struct json_in *j, const char *p, size_t n, struct err *e)
{
    const char *end = p + n;

    j->piece = p;
    while (p < end)
        if (!(p = step(j, p, end, e)))
            return -1;
    j->column += (int64_t)n;
    return 0;
}

void json_in_expect_another(struct json_in *j)
{
    j->another = true;
}

void json_in_expect_pairs(struct json_in *j, json_in_pair pair)
{
    j->pair = pair;
    j->pairs = j->depth;
}

int json_in_end(struct json_in *j, struct err *e)
{
    const char *end = "";
    bool nothing = j->line == 1 && j->column == 1;

    j->piece = end;                                    /* places are behind the last byte */
    if (j->depth == 0 && j->token == TOKEN_NUMBER && is_number(j->digits) && !end_number(j, end, end, end, e))
        return -1;
    if (j->token == TOKEN_NONE && j->want == WANT_NOTHING)
        return 0;
    fail(j, end, e, nothing ? "nothing is there" : "it ends in the middle");
    return -1;
}
