/* diag: warnings counted by code, with a few of their texts.
 *
 * Which texts are kept depends on the texts alone (the smallest ones), never on the order in which inputs are read, so that a
 * rerun or another transport reports the same bytes. Memory is bounded by the number of codes. Nothing is printed here. */
#include "gputab/base/diag.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gputab/base/utf8.h"
#include "gputab/base/xalloc.h"

enum { DIAG_TEXT_SIZE = 512 };

/* Index of the code, or where it would go. */
static size_t lower_bound(const struct diag *d, const char *code)
{
    size_t lo = 0, hi = d->n;

    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;

        if (strcmp(d->items[mid].code, code) < 0)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

const struct diag_item *diag_find(const struct diag *d, const char *code)
{
    size_t i = lower_bound(d, code);

    return i < d->n && strcmp(d->items[i].code, code) == 0 ? &d->items[i] : NULL;
}

static struct diag_item *find_or_add(struct diag *d, const char *code)
{
    size_t i = lower_bound(d, code);

    assert(strlen(code) < sizeof d->items->code);
    if (i < d->n && strcmp(d->items[i].code, code) == 0)
        return &d->items[i];
    if (d->n == d->cap) {
        d->cap = d->cap ? d->cap * 2 : 8;
        d->items = xreallocarray(d->items, d->cap, sizeof *d->items);
    }
    memmove(&d->items[i + 1], &d->items[i], (d->n - i) * sizeof *d->items);
    d->n++;
    d->items[i] = (struct diag_item){ 0 };
    memcpy(d->items[i].code, code, strlen(code) + 1);
    return &d->items[i];
}

static void GPUTAB_PRINTF(2, 0) format(char *text, const char *fmt, va_list args)
{
    int n = vsnprintf(text, DIAG_TEXT_SIZE, fmt, args);

    if (n < 0)
        text[0] = '\0';
    else if (n >= DIAG_TEXT_SIZE)
        text[utf8_whole(text, DIAG_TEXT_SIZE - 1)] = '\0';
}

static void keep_smallest(struct diag_item *item, const char *text)
{
    size_t i = 0;
    int c = -1;

    while (i < DIAG_TEXTS && item->texts[i] && (c = strcmp(item->texts[i], text)) < 0)
        i++;
    if (i == DIAG_TEXTS || (item->texts[i] && c == 0))
        return;
    free(item->texts[DIAG_TEXTS - 1]);
    memmove(&item->texts[i + 1], &item->texts[i], (DIAG_TEXTS - 1 - i) * sizeof item->texts[0]);
    item->texts[i] = xstrdup(text);
}

void diag_add(struct diag *d, const char *code, const char *fmt, ...)
{
    struct diag_item *item = find_or_add(d, code);
    char text[DIAG_TEXT_SIZE];
    va_list args;

    va_start(args, fmt);
    format(text, fmt, args);
    va_end(args);
    item->count++;
    keep_smallest(item, text);
}

void diag_once(struct diag *d, const char *code, const char *fmt, ...)
{
    char text[DIAG_TEXT_SIZE];
    uint32_t before;
    va_list args;

    va_start(args, fmt);
    format(text, fmt, args);
    va_end(args);
    if (!d->said)
        d->said = intern_new();
    before = intern_count(d->said);
    intern_str(d->said, text);
    if (intern_count(d->said) > before)
        diag_add(d, code, "%s", text);
}

/* A hint without a warning would show up as a warning that never happened: it is dropped. */
void diag_hint(struct diag *d, const char *code, const char *fmt, ...)
{
    size_t i = lower_bound(d, code);
    char text[DIAG_TEXT_SIZE];
    va_list args;

    if (!diag_find(d, code) || d->items[i].hint)
        return;
    va_start(args, fmt);
    format(text, fmt, args);
    va_end(args);
    d->items[i].hint = xstrdup(text);
}

void diag_free(struct diag *d)
{
    for (size_t i = 0; i < d->n; i++) {
        for (size_t k = 0; k < DIAG_TEXTS; k++)
            free(d->items[i].texts[k]);
        free(d->items[i].hint);
    }
    free(d->items);
    intern_free(d->said);
    *d = (struct diag){ 0 };
}
