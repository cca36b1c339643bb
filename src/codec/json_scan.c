/* json_scan: where plain strings and numbers of JSON end.
 *
 * Bytes are looked at as words of eight while there are eight, one by one near the end: nothing behind it is read. */
#include "gputab/codec/json_scan.h"

#include <stdbool.h>
#include <stddef.h>

#include "gputab/base/bytes.h"
#include "gputab/base/eight.h"

static bool is_plain(unsigned char c)
{
    return c >= 0x20 && c < 0x80 && c != '"' && c != '\\';
}

/* A difference below zero has its highest bit set, as has a byte beyond ASCII; what is borrowed for it goes behind it only. */
static inline unsigned plain_before(uint64_t word)
{
    uint64_t quote = word ^ EIGHT_ALL('"'), backslash = word ^ EIGHT_ALL('\\');

    return eight_before((quote - EIGHT_ALL(1)) | (backslash - EIGHT_ALL(1)) | (word - EIGHT_ALL(0x20)) | word);
}

const char *json_plain_end(const char *p, const char *end)
{
    while (end - p >= 8) {
        unsigned n = plain_before(bytes_load8(p));

        p += n;
        if (n < 8)
            return p;
    }
    while (p < end && is_plain((unsigned char)*p))
        p++;
    return p;
}

static inline const char *digits_end(const char *p, const char *end)
{
    while (end - p >= 8) {
        unsigned n = eight_digits(bytes_load8(p));

        p += n;
        if (n < 8)
            return p;
    }
    while (p < end && *p >= '0' && *p <= '9')
        p++;
    return p;
}

/* The same, where there must be one at least; else NULL. */
static inline const char *some_digits_end(const char *p, const char *end)
{
    const char *behind = digits_end(p, end);

    return behind > p ? behind : NULL;
}

/* Most numbers are digits, perhaps with a point, that end within sixteen bytes: those are looked at all at once, so that no step waits for
 * the one before. There must be sixteen at p. NULL: not so, or no number. */
static inline const char *short_number_end(const char *p)
{
    unsigned others = eight_mask(eight_others(bytes_load8(p))) | eight_mask(eight_others(bytes_load8(p + 8))) << 8 | 1u << 16;
    unsigned at = (unsigned)__builtin_ctz(others);

    if (at == 0 || (*p == '0' && at > 1))
        return NULL;
    if (at < 16 && p[at] == '.') {
        unsigned point = at;

        at = (unsigned)__builtin_ctz(others & (others - 1));
        if (at == point + 1)
            return NULL;
    }
    return at < 16 && p[at] != 'e' && p[at] != 'E' ? p + at : NULL;
}

const char *json_number_end(const char *p, const char *end)
{
    const char *behind = end - p >= 16 ? short_number_end(p) : NULL;

    if (behind)
        return behind;
    p += p < end && *p == '-';
    p = p < end && *p == '0' ? p + 1 : some_digits_end(p, end);
    if (p && p < end && *p == '.')
        p = some_digits_end(p + 1, end);
    if (p && p < end && (*p == 'e' || *p == 'E')) {
        p++;
        p += p < end && (*p == '+' || *p == '-');
        p = some_digits_end(p, end);
    }
    return p && p < end ? p : NULL;
}
