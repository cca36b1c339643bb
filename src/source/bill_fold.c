/* bill_fold: column names in snake case.
 *
 * AWS writes one report with three headers: categories and camel case, the same as a query engine rewrote it, and snake case. Folded, the
 * three are one table. A word ends before a capital that follows a small letter or a digit, and before the last of several capitals
 * when a small letter follows it ("ARNValue" is arn_value); the engine that took capitals one by one left "a_r_n", which is put right.
 * Azure writes its names in any case, with spaces or without, and in other languages puts the English one in parentheses behind: there
 * words are not told apart, only letters compared. */
#include "gputab/source/bill_fold.h"

#include <string.h>

enum sort { OTHER, SMALL, CAPITAL, DIGIT };

static enum sort sort_of(char c)
{
    if (c >= 'a' && c <= 'z')
        return SMALL;
    if (c >= 'A' && c <= 'Z')
        return CAPITAL;
    return c >= '0' && c <= '9' ? DIGIT : OTHER;
}

/* A word begins at s.p[i], which follows s.p[i - 1] without a separator. */
static bool begins_word(struct span s, size_t i)
{
    enum sort before = sort_of(s.p[i - 1]);

    if (sort_of(s.p[i]) != CAPITAL)
        return false;
    return before == SMALL || before == DIGIT || (before == CAPITAL && i + 1 < s.n && sort_of(s.p[i + 1]) == SMALL);
}

static bool separates(char c)
{
    return strchr("/: .-_\\", c) != NULL;                    /* also the NUL, which no name has */
}

static void end_word(struct buf *b, size_t start)
{
    if (b->n > start && b->p[b->n - 1] != '_')
        buf_addc(b, '_');
}

static void mend_arn(struct buf *b, size_t start)
{
    static const char apart[] = "_a_r_n";
    size_t n = sizeof apart - 1;

    if (b->n - start < n || memcmp(b->p + b->n - n, apart, n) != 0)
        return;
    b->n -= n;
    buf_adds(b, "_arn");
}

void bill_fold_name(struct buf *b, struct span name)
{
    size_t start = b->n;

    name = span_trim(name);
    for (size_t i = 0; i < name.n; i++) {
        char c = name.p[i];

        if (separates(c) || (i > 0 && begins_word(name, i)))
            end_word(b, start);
        if (!separates(c))
            buf_addc(b, (char)(sort_of(c) == CAPITAL ? c + ('a' - 'A') : c));
    }
    while (b->n > start && b->p[b->n - 1] == '_')
        b->p[--b->n] = '\0';
    mend_arn(b, start);
}

static struct span without_translation(struct span s)
{
    size_t open = s.n;

    if (s.n == 0 || s.p[s.n - 1] != ')')
        return s;
    while (open > 0 && s.p[open - 1] != '(')
        open--;
    return open > 0 ? (struct span){s.p + open, s.n - 1 - open} : s;
}

static char small(char c)
{
    return (char)(sort_of(c) == CAPITAL ? c + ('a' - 'A') : c);
}

bool bill_fold_same(struct span cell, const char *name)
{
    cell = without_translation(span_trim(cell));
    for (size_t i = 0; i < cell.n; i++) {
        if (cell.p[i] == ' ')
            continue;
        if (small(cell.p[i]) != small(*name))
            return false;
        name++;
    }
    return *name == '\0';
}
