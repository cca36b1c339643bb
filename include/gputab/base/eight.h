/* eight: eight bytes of a text looked at in one go. They lie in a word as they stand in the text, the first one lowest (bytes_load8). */
#ifndef GPUTAB_BASE_EIGHT_H
#define GPUTAB_BASE_EIGHT_H

#include <stddef.h>
#include <stdint.h>

#include "gputab/base/bytes.h"

#define EIGHT_ALL(byte) (UINT64_C(0x0101010101010101) * (byte))    /* each of them `byte` */

/* One to seven bytes, at the end of the word; those before them are 0. */
static inline uint64_t eight_load_few(const char *p, size_t n)
{
    return bytes_load(p, n) << (8 * (8 - n));
}

/* How many bytes stand before the first one whose highest bit is set: 8 where there is none. */
static inline unsigned eight_before(uint64_t marks)
{
    marks &= EIGHT_ALL(0x80);
    return marks ? (unsigned)__builtin_ctzll(marks) / 8 : 8;
}

/* The highest bits as eight bits, that of the first byte lowest: each is moved to its place in the last byte, and none meets another. */
static inline unsigned eight_mask(uint64_t marks)
{
    return (unsigned)((marks >> 7 & EIGHT_ALL(1)) * UINT64_C(0x0102040810204080) >> 56);
}

/* The highest bit of each byte that is no digit; what the others are does not matter. */
static inline uint64_t eight_others(uint64_t word)
{
    uint64_t digits = word ^ EIGHT_ALL('0');

    return ((digits & EIGHT_ALL(0x7f)) + EIGHT_ALL(0x7f - 9)) | digits;
}

/* How many of the first bytes are digits. */
static inline unsigned eight_digits(uint64_t word)
{
    return eight_before(eight_others(word));
}

/* The number that eight digits are: neighbours are joined to pairs, pairs to fours, fours to eight. */
static inline uint32_t eight_number(uint64_t word)
{
    word ^= EIGHT_ALL('0');
    word = (word * 10 + (word >> 8)) & UINT64_C(0x00ff00ff00ff00ff);
    word = (word * 100 + (word >> 16)) & UINT64_C(0x0000ffff0000ffff);
    return (uint32_t)(word * 10000 + (word >> 32));
}

#endif
