/* utf16: unit by unit; a pair of surrogates is one character. Halves without the other are errors: what a spreadsheet would show as a
 * question mark might be part of a name that somebody is charged under. */
#include "gputab/codec/utf16.h"

enum { HIGH = 0xd800, LOW = 0xdc00, SURROGATE = 0xf800, HALF = 0xfc00 };

static int half_a_pair(int64_t offset, struct err *e)
{
    err_set(e, ERR_INPUT, "UTF-16 text has half of a surrogate pair at byte %lld", (long long)offset);
    return err_hint(e, "save it as UTF-8");
}

static uint8_t *put(uint8_t *out, uint32_t c)
{
    if (c < 0x80) {
        *out++ = (uint8_t)c;
        return out;
    }
    if (c < 0x800) {
        *out++ = (uint8_t)(0xc0 | c >> 6);
    } else if (c < 0x10000) {
        *out++ = (uint8_t)(0xe0 | c >> 12);
        *out++ = (uint8_t)(0x80 | (c >> 6 & 0x3f));
    } else {
        *out++ = (uint8_t)(0xf0 | c >> 18);
        *out++ = (uint8_t)(0x80 | (c >> 12 & 0x3f));
        *out++ = (uint8_t)(0x80 | (c >> 6 & 0x3f));
    }
    *out++ = (uint8_t)(0x80 | (c & 0x3f));
    return out;
}

/* u->offset is behind the unit. */
static int add_unit(struct utf16 *u, uint16_t unit, uint8_t **out, struct err *e)
{
    bool low = (unit & HALF) == LOW;

    if (u->high && !low)
        return half_a_pair(u->offset - 4, e);
    if (!u->high && low)
        return half_a_pair(u->offset - 2, e);
    if ((unit & SURROGATE) == HIGH && !low) {
        u->high = unit;
        return 0;
    }
    *out = put(*out, low ? 0x10000 + ((uint32_t)(u->high & 0x3ff) << 10 | (unit & 0x3ff)) : unit);
    u->high = 0;
    return 0;
}

int utf16_add(struct utf16 *u, const uint8_t *p, size_t n, uint8_t *out, struct err *e)
{
    uint8_t *from = out;

    for (size_t i = 0; i < n; i++) {
        u->offset++;
        if (!u->has_byte) {
            u->byte = p[i];
        } else {
            uint16_t unit = (uint16_t)(u->big ? u->byte << 8 | p[i] : p[i] << 8 | u->byte);

            if (add_unit(u, unit, &out, e) < 0)
                return -1;
        }
        u->has_byte = !u->has_byte;
    }
    return (int)(out - from);
}

int utf16_end(const struct utf16 *u, struct err *e)
{
    if (u->high)
        return half_a_pair(u->offset - u->has_byte - 2, e);
    if (!u->has_byte)
        return 0;
    err_set(e, ERR_INPUT, "UTF-16 text ends in the middle of a character at byte %lld", (long long)u->offset);
    return err_hint(e, "copy the file again; nothing of it was used");
}
