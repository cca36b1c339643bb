/* path_pattern: placeholders in paths, and names that every file system takes.
 *
 * Values come from clusters and bills: nothing of them may lead out of the folder that was asked for, hide a file, or replace another one.
 * What is not allowed becomes an underscore; names that would be the same then, or on a system that knows no capitals, get a number. */
#include "gputab/cli/path_pattern.h"

#include <locale.h>
#include <string.h>
#include <wctype.h>

#include "gputab/base/nearest.h"
#include "gputab/base/utf8.h"

enum { NAME_MOST = 120 };          /* bytes; file systems take 255 with what stands around */

/* ---- placeholders ---- */

static bool is_month(struct timespan period)
{
    struct timespan month = timespan_this_month(period.from);

    return month.from == period.from && month.to == period.to;
}

static void add_month(struct buf *b, const struct path_words *w)
{
    struct buf date = {0};

    time_add_date(&date, w->period.from);
    buf_addf(b, "%.7s", buf_str(&date));
    buf_free(&date);
}

/* A colon is no part of a file's name everywhere. */
static void add_time(struct buf *b, time_ms t)
{
    size_t start = b->n;

    if (time_floor(t, TIME_DAY) == t) {
        time_add_date(b, t);
        return;
    }
    time_add_text(b, t);
    for (char *p = b->p + start; *p; p++)
        *p = *p == ':' ? '-' : *p;
}

static void add_from(struct buf *b, const struct path_words *w)
{
    add_time(b, w->period.from);
}

static void add_to(struct buf *b, const struct path_words *w)
{
    add_time(b, w->period.to);
}

static const struct { const char *name; void (*add)(struct buf *, const struct path_words *); } words_known[] = {
    {"month", add_month}, {"from", add_from}, {"to", add_to},
};
enum { WORDS_KNOWN = sizeof words_known / sizeof *words_known };

/* From "{" to behind "}", with the word between them; false: there is no end. */
static bool take_word(const char **p, struct span *word)
{
    const char *end = strchr(*p, '}');

    if (!end)
        return false;
    *word = (struct span){*p + 1, (size_t)(end - *p - 1)};
    *p = end + 1;
    return true;
}

static int refuse_word(const char *pattern, struct span word, const struct path_words *w, struct err *e)
{
    char name[40];
    struct nearest near;
    size_t n = word.n < sizeof name - 1 ? word.n : sizeof name - 1;

    memcpy(name, word.p, n);
    name[n] = '\0';
    near = nearest_to(name);
    for (int i = 0; i < WORDS_KNOWN; i++)
        nearest_try(&near, words_known[i].name);
    nearest_try(&near, w->key);
    err_set(e, ERR_USAGE, "--output \"%s\": {%s} stands for nothing", pattern, name);
    if (near.name)
        return err_hint(e, "did you mean {%s}?", near.name);
    return err_hint(e, "{%s}, {month}, {from} and {to} do", w->key);
}

static int check_word(const char *pattern, struct span word, const struct path_words *w, struct err *e)
{
    for (int i = 0; i < WORDS_KNOWN; i++) {
        if (!span_eq(word, words_known[i].name))
            continue;
        if (words_known[i].add != add_month || is_month(w->period))
            return 0;
        err_set(e, ERR_USAGE, "--output \"%s\": the period is no calendar month", pattern);
        return err_hint(e, "{from} and {to} stand for its first instant and the first one after it");
    }
    return refuse_word(pattern, word, w, e);
}

int path_pattern_check(const char *pattern, const struct path_words *w, struct err *e)
{
    int has_key = 0;

    for (const char *p = pattern; (p = strchr(p, '{'));) {
        struct span word;

        if (!take_word(&p, &word))
            return err_set(e, ERR_USAGE, "--output \"%s\": a { without its }", pattern);
        if (span_eq(word, w->key))
            has_key = 1;
        else if (check_word(pattern, word, w, e) < 0)
            return -1;
    }
    return has_key;
}

static void add_word(struct buf *b, struct span word, const struct path_words *w)
{
    for (int i = 0; i < WORDS_KNOWN; i++)
        if (span_eq(word, words_known[i].name))
            words_known[i].add(b, w);
    if (span_eq(word, w->key))
        buf_adds(b, w->value);
}

void path_pattern_add(struct buf *b, const char *pattern, const struct path_words *w)
{
    struct span word;

    for (const char *p = pattern; *p;) {
        if (*p == '{' && take_word(&p, &word))
            add_word(b, word, w);
        else
            buf_addc(b, *p++);
    }
}

/* ---- names ---- */

/* Devices of Windows, with any extension. */
static bool is_device(struct span name)
{
    static const char *const devices[] = {"con", "prn", "aux", "nul"};
    const char *point = memchr(name.p, '.', name.n);
    struct span stem = {name.p, point ? (size_t)(point - name.p) : name.n};

    for (size_t i = 0; i < sizeof devices / sizeof *devices; i++)
        if (span_eq_fold(stem, devices[i]))
            return true;
    if (stem.n != 4 || stem.p[3] < '0' || stem.p[3] > '9')
        return false;
    stem.n = 3;
    return span_eq_fold(stem, "com") || span_eq_fold(stem, "lpt");
}

static bool is_allowed(uint32_t c)
{
    if (c < 0x80)
        return c > ' ' && c < 0x7f && !strchr("/\\:*?\"<>|;'`$&{}", (int)c);
    return c >= 0xa0 && c != 0xfffd && !(c >= 0x2028 && c <= 0x202e) && !(c >= 0x2066 && c <= 0x2069);
}

void path_safe_name(struct buf *b, const char *value)
{
    struct buf name = {0};

    for (const char *p = value, *end = value + strlen(value); p != end;) {
        const char *from = p;
        uint32_t c = utf8_next(&p, end);

        if (is_allowed(c) && !(from == value && (c == '.' || c == '-')))
            buf_add(&name, from, (size_t)(p - from));
        else
            buf_addc(&name, '_');
    }
    if (name.n > NAME_MOST)
        name.n = utf8_whole(name.p, NAME_MOST);
    if (name.n && name.p[name.n - 1] == '.')
        name.p[name.n - 1] = '_';
    if (!name.n || is_device(buf_span(&name)))
        buf_addc(&name, '_');
    buf_add_span(b, buf_span(&name));
    buf_free(&name);
}

/* As a file system takes it that knows no capitals. */
static void add_folded(struct buf *b, struct span name)
{
    locale_t utf8 = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);

    for (const char *p = name.p, *end = name.p + name.n; p != end;) {
        wint_t c = (wint_t)utf8_next(&p, end);

        buf_addf(b, "%x ", (unsigned)(utf8 ? towlower_l(c, utf8) : c >= 'A' && c <= 'Z' ? c + 32 : c));
    }
    if (utf8)
        freelocale(utf8);
}

static bool take_name(struct intern *taken, struct span name)
{
    struct buf folded = {0};
    bool is_new;

    add_folded(&folded, name);
    is_new = intern_find(taken, folded.p, folded.n) == 0;
    intern_put(taken, folded.p, folded.n);
    buf_free(&folded);
    return is_new;
}

void path_own_name(struct buf *b, const char *value, struct intern *taken)
{
    struct buf name = {0};
    size_t n;

    path_safe_name(&name, value);
    n = name.n;
    for (unsigned i = 2; !take_name(taken, buf_span(&name)); i++) {
        name.n = n;
        buf_addf(&name, "-%u", i);
    }
    buf_add_span(b, buf_span(&name));
    buf_free(&name);
}
