/* azure_machine: numbers of machines out of their names.
 *
 * A set's own name may end in digits and hold underscores; so what follows the set's name is looked at first, and only in names that do not
 * begin with it what follows the last underscore. */
#include "gputab/source/azure_machine.h"

#include <stdint.h>

#include "gputab/value/resource_id.h"

enum { DIGITS_MAX = 9, COMPUTER_DIGITS = 6 };

static int digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'z')
        return c - 'a' + 10;
    return c >= 'A' && c <= 'Z' ? c - 'A' + 10 : 36;
}

/* -1: no such number. */
static int64_t number(struct span s, int base)
{
    int64_t n = 0;

    if (s.n == 0 || s.n > DIGITS_MAX)
        return -1;
    for (size_t i = 0; i < s.n; i++) {
        if (digit(s.p[i]) >= base)
            return -1;
        n = n * base + digit(s.p[i]);
    }
    return n;
}

/* What follows the set's name, which is in small letters; p NULL: the name does not begin with it. */
static struct span behind_set(struct span name, struct span set)
{
    if (name.n < set.n)
        return (struct span){NULL, 0};
    for (size_t i = 0; i < set.n; i++)
        if (digit(name.p[i]) != digit(set.p[i]) || (digit(set.p[i]) == 36 && name.p[i] != set.p[i]))
            return (struct span){NULL, 0};
    return (struct span){name.p + set.n, name.n - set.n};
}

static int64_t number_of(struct span name, struct span set)
{
    struct span rest = behind_set(name, set), last = span_after_last(name, '_');

    if (rest.p && rest.n == COMPUTER_DIGITS && rest.p[0] != '_')
        return number(rest, 36);
    if (rest.p && rest.n && rest.p[0] == '_')
        return number((struct span){rest.p + 1, rest.n - 1}, 10);
    return last.n < name.n ? number(last, 10) : -1;
}

bool azure_machine_in_set(struct buf *id, struct span resource)
{
    buf_clear(id);
    resource_id_add_normal(id, resource);
    return resource_id_is_set(buf_span(id));
}

void azure_machine_add(struct buf *id, struct span name)
{
    int64_t n = number_of(name, span_after_last(buf_span(id), '/'));

    if (n >= 0)
        buf_addf(id, "/virtualmachines/%lld", (long long)n);
}
