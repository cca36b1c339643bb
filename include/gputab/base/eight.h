/* eight: eight bytes of a text looked at in one go. They lie in a word as they stand in the text, the first one lowest. */
#ifndef GPUTAB_BASE_EIGHT_H
#define GPUTAB_BASE_EIGHT_H

#include <stdint.h>
#include <string.h>

#define EIGHT_ALL(byte) (UINT64_C(0x0101010101010101) * (byte))    /* each of them `byte` */

/* There must be eight at p. */
static inline uint64_t eight_load(const char *p)
{
    uint64_t word;

    memcpy(&word, p, sizeof word);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    word = __builtin_bswap64(word);
#endif
    return word;
}

/* How many bytes stand before the first one whose highest bit is set: 8 where there is none. */
static inline unsigned eight_before(uint64_t marks)
{
    marks &= EIGHT_ALL(0x80);
    return marks ? (unsigned)__builtin_ctzll(marks) / 8 : 8;
}

/* How many of the first bytes are digits. What is beyond 9 reaches the highest bit; what it carries goes behind it only. */
static inline unsigned eight_digits(uint64_t word)
{
    uint64_t digits = word ^ EIGHT_ALL('0');

    return eight_before((digits + EIGHT_ALL(0x7f - 9)) | digits);
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
