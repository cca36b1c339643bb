/* csv_scan: bit masks of a text's delimiters and line ends.
 *
 * Four masks say which of 64 bytes are quotes, delimiters, line ends or NUL; how they are made is all that machines differ in. What is
 * inside quotes is then the running parity of the quote mask: a doubled quote closes and opens, which changes nothing around it. That
 * is right as long as quotes open at the start of a field and close at its end. The masks say at once where that is not so, and there
 * marking stops, since everything behind would be wrong: what such a row means is csv's business.
 * Vectors of x86-64's baseline and of aarch64 are chosen when this is compiled, AVX2 and csv_scan512 when it runs. */
#include "gputab/codec/csv_scan.h"

#include <stdlib.h>
#include <string.h>

#include "gputab/base/xalloc.h"
#include "gputab/codec/csv_scan512.h"

#if defined(__x86_64__)
#include <immintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#endif

#define INLINE static inline __attribute__((always_inline))

enum { BLOCK = CSV_MARKS_BYTES };

/* Which of 64 bytes are what. */
struct classes {
    uint64_t quote, cut, end, nul;
};

typedef struct classes classify(const uint8_t *p, uint8_t delimiter);
typedef uint64_t parity(uint64_t m);

/* ---- room ---- */

/* More than there are, which csv_scan512 writes or reads without a look at them. */
enum { SPARE = 64 };

void csv_marks_reserve(struct csv_marks *m, size_t n)
{
    size_t blocks = (n + BLOCK - 1) / BLOCK + SPARE;

    if (blocks <= m->room)
        return;
    m->room = blocks < 2 * m->room ? 2 * m->room : blocks;
    m->cut = xreallocarray(m->cut, m->room, sizeof *m->cut);
    m->end = xreallocarray(m->end, m->room, sizeof *m->end);
    m->ended = xreallocarray(m->ended, m->room / 64 + 1, sizeof *m->ended);
    m->before = xreallocarray(m->before, m->room + SPARE, sizeof *m->before);
}

void csv_marks_free(struct csv_marks *m)
{
    free(m->cut);
    free(m->end);
    free(m->ended);
    free(m->before);
}

/* ---- from classes to marks ---- */

/* What the next block has to know of those before it, all of them 0 where a row begins. */
struct carry {
    uint64_t inside;               /* all ones: it begins inside quotes */
    uint64_t text;                 /* 1: the byte before it is text outside of quotes */
    uint64_t quote;                /* 1: the byte before it is a quote */
    uint64_t inner_ends;           /* not 0: some line ended inside quotes */
};

/* Bit i is the parity of the bits 0 to i. */
INLINE uint64_t parity_by_shifts(uint64_t m)
{
    for (int i = 1; i < BLOCK; i *= 2)
        m ^= m << i;
    return m;
}

/* Marks of one block; returns the bytes that cannot be: quotes that open behind text, text behind quotes that close, and NUL. Which of the
 * two a quote does need not be asked: where one opens, what follows is inside and no text, and what is before one that closes neither. What
 * opens behind a closing quote is the second half of a doubled one. */
INLINE uint64_t settle(struct classes c, parity running, struct carry *k, uint64_t *cut, uint64_t *end)
{
    uint64_t inside = running(c.quote) ^ k->inside;          /* from an opening quote to before its closing one */
    uint64_t text = ~(inside | c.quote | c.cut | c.end);
    uint64_t odd = (c.quote & (text << 1 | k->text)) | ((c.quote << 1 | k->quote) & text) | c.nul;

    *cut = c.cut & ~inside;
    *end = c.end & ~inside;
    k->inside = (uint64_t)((int64_t)inside >> (BLOCK - 1));
    k->text = text >> (BLOCK - 1);
    k->quote = c.quote >> (BLOCK - 1);
    k->inner_ends |= c.end & inside;
    return odd;
}

/* The last bytes, which are fewer than a block. */
INLINE uint64_t settle_rest(const char *p, size_t n, uint8_t delimiter, classify look, parity running, struct carry *k,
                            uint64_t *cut, uint64_t *end)
{
    uint8_t block[BLOCK] = {0};
    uint64_t there = ((uint64_t)1 << n) - 1;
    struct classes c;

    memcpy(block, p, n);
    c = look(block, delimiter);
    return settle((struct classes){c.quote & there, c.cut & there, c.end & there, c.nul & there}, running, k, cut, end) &
        there;
}

/* Forgets the marks of a block from the first odd byte on; where that is. */
static size_t cut_short(const struct csv_marks *m, size_t block, uint64_t odd)
{
    uint64_t before = (odd & -odd) - 1;

    m->cut[block] &= before;
    m->end[block] &= before;
    return block * BLOCK + (size_t)__builtin_ctzll(odd);
}

INLINE size_t mark_all(const char *p, size_t n, char delimiter, const struct csv_marks *out, bool *lines, classify look, parity running)
{
    struct carry k = {0};
    const char *at = p, *whole = p + (n - n % BLOCK);
    uint64_t *cut = out->cut, *end = out->end, odd = 0;

    for (; at < whole && !odd; at += BLOCK)
        odd = settle(look((const uint8_t *)at, (uint8_t)delimiter), running, &k, cut++, end++);
    if (at < p + n && !odd) {
        odd = settle_rest(at, n % BLOCK, (uint8_t)delimiter, look, running, &k, cut++, end++);
        at += BLOCK;
    }
    *lines |= k.inner_ends != 0;
    return odd ? cut_short(out, (size_t)(at - p) / BLOCK - 1, odd) : n;
}

/* ---- from marks to a row ---- */

/* m without its n lowest bits. */
INLINE uint64_t skip(uint64_t m, size_t n)
{
    for (; n > 0; n--)
        m &= m - 1;
    return m;
}

/* Bits of a block that nobody asks for are counted, not looked at. */
INLINE bool find_row(const struct csv_marks *m, size_t n, size_t from, const uint32_t *wanted, uint32_t *at, struct csv_cuts *out)
{
    uint64_t live = ~(uint64_t)0 << from % BLOCK;
    size_t fields = 0, found = 0;

    for (size_t i = from / BLOCK; i * BLOCK < n; i++, live = ~(uint64_t)0) {
        uint64_t end = m->end[i] & live, first = end & -end;
        uint64_t cuts = (m->cut[i] & live & (first - 1)) | first;               /* without an end: first - 1 is all ones */
        size_t passed = fields;

        fields += (size_t)__builtin_popcountll(cuts);
        for (; wanted[found] < fields; found++) {
            cuts = skip(cuts, wanted[found] - passed);
            passed = wanted[found];
            at[found] = (uint32_t)(i * BLOCK + (size_t)__builtin_ctzll(cuts));
        }
        if (end) {
            *out = (struct csv_cuts){fields, found, i * BLOCK + (size_t)__builtin_ctzll(end)};
            return true;
        }
    }
    *out = (struct csv_cuts){fields, found, n};
    return false;
}

/* A way of marking out of its two steps; `with` is what its functions may use of the machine. */
#define SCAN(id, look, running, with)                                                                                                 \
    with static size_t id##_mark(const char *p, size_t n, char delimiter, const struct csv_marks *out, bool *lines)                   \
    {                                                                                                                                 \
        return mark_all(p, n, delimiter, out, lines, look, running);                                                                  \
    }                                                                                                                                 \
    with static bool id##_row(const struct csv_marks *m, size_t n, size_t from, const uint32_t *wanted, uint32_t *at,                 \
                              struct csv_cuts *out)                                                                                   \
    {                                                                                                                                 \
        return find_row(m, n, from, wanted, at, out);                                                                                 \
    }                                                                                                                                 \
    static const struct csv_scan id##_scan = {#id, id##_mark, id##_row};

/* ---- the ways ---- */

static size_t mark_nothing(const char *p, size_t n, char delimiter, const struct csv_marks *out, bool *lines)
{
    (void)p, (void)n, (void)delimiter, (void)out, (void)lines;
    return 0;
}

static bool no_row(const struct csv_marks *m, size_t n, size_t from, const uint32_t *wanted, uint32_t *at, struct csv_cuts *out)
{
    (void)m, (void)n, (void)from, (void)wanted, (void)at;
    *out = (struct csv_cuts){0};
    return false;
}

static const struct csv_scan bytes_scan = {"bytes", mark_nothing, no_row};

#define EVERY_BYTE (~(uint64_t)0 / 255)                      /* 0x0101... */

/* Bit i: byte i of 8 is c. No carry runs from byte to byte, so none is taken for its neighbour. */
INLINE uint64_t equal_in_word(uint64_t word, uint8_t c)
{
    uint64_t low = ~(EVERY_BYTE << 7), x = word ^ c * EVERY_BYTE;
    uint64_t hit = ~(((x & low) + low) | x | low);           /* 0x80 where x is 0 */

    return (hit >> 7) * UINT64_C(0x0102040810204080) >> 56;
}

INLINE uint64_t load_word(const uint8_t *p)
{
    uint64_t word;

    memcpy(&word, p, sizeof word);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    word = __builtin_bswap64(word);
#endif
    return word;
}

INLINE struct classes classify_words(const uint8_t *p, uint8_t delimiter)
{
    struct classes c = {0};

    for (int i = 0; i < BLOCK; i += 8) {
        uint64_t w = load_word(p + i);

        c.quote |= equal_in_word(w, '"') << i;
        c.cut |= equal_in_word(w, delimiter) << i;
        c.end |= (equal_in_word(w, '\n') | equal_in_word(w, '\r')) << i;
        c.nul |= equal_in_word(w, 0) << i;
    }
    return c;
}

SCAN(words, classify_words, parity_by_shifts, )

#if defined(__x86_64__)

INLINE uint64_t equal_sse2(__m128i v, uint8_t c)
{
    return (uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(v, _mm_set1_epi8((char)c)));
}

INLINE struct classes classify_sse2(const uint8_t *p, uint8_t delimiter)
{
    struct classes c = {0};

    for (int i = 0; i < BLOCK; i += 16) {
        __m128i v = _mm_loadu_si128((const __m128i *)(const void *)(p + i));

        c.quote |= equal_sse2(v, '"') << i;
        c.cut |= equal_sse2(v, delimiter) << i;
        c.end |= (equal_sse2(v, '\n') | equal_sse2(v, '\r')) << i;
        c.nul |= equal_sse2(v, 0) << i;
    }
    return c;
}

SCAN(sse2, classify_sse2, parity_by_shifts, )

#define AVX2 __attribute__((target("avx2,bmi,bmi2,popcnt,pclmul")))

AVX2 INLINE uint64_t bits_of(__m256i low, __m256i high)
{
    return (uint32_t)_mm256_movemask_epi8(low) | (uint64_t)(uint32_t)_mm256_movemask_epi8(high) << 32;
}

AVX2 INLINE uint64_t equal_avx2(__m256i low, __m256i high, uint8_t c)
{
    __m256i all = _mm256_set1_epi8((char)c);

    return bits_of(_mm256_cmpeq_epi8(low, all), _mm256_cmpeq_epi8(high, all));
}

AVX2 INLINE __m256i ends_avx2(__m256i v)
{
    return _mm256_or_si256(_mm256_cmpeq_epi8(v, _mm256_set1_epi8('\n')), _mm256_cmpeq_epi8(v, _mm256_set1_epi8('\r')));
}

/* NUL is what the smaller of two bytes is when one of them is: hardly ever, so one comparison does for both. */
AVX2 INLINE struct classes classify_avx2(const uint8_t *p, uint8_t delimiter)
{
    __m256i low = _mm256_loadu_si256((const __m256i *)(const void *)p), high = _mm256_loadu_si256((const __m256i *)(const void *)(p + 32));
    __m256i zero = _mm256_setzero_si256(), least = _mm256_cmpeq_epi8(_mm256_min_epu8(low, high), zero);
    struct classes c = {equal_avx2(low, high, '"'), equal_avx2(low, high, delimiter), bits_of(ends_avx2(low), ends_avx2(high)), 0};

    if (__builtin_expect(!_mm256_testz_si256(least, least), 0))
        c.nul = equal_avx2(low, high, 0);
    return c;
}

/* A product without carries by all ones adds each bit to all those above it. */
AVX2 INLINE uint64_t parity_by_product(uint64_t m)
{
    return (uint64_t)_mm_cvtsi128_si64(_mm_clmulepi64_si128(_mm_set_epi64x(0, (int64_t)m), _mm_set1_epi8(-1), 0));
}

SCAN(avx2, classify_avx2, parity_by_product, AVX2)

static bool has_avx2(void)
{
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") &&
        __builtin_cpu_supports("popcnt") && __builtin_cpu_supports("pclmul");
}

#elif defined(__aarch64__)

/* Bit by bit of four vectors: each byte keeps one bit of its own, and adding neighbours three times gathers them. */
INLINE uint64_t gather(uint8x16_t a, uint8x16_t b, uint8x16_t c, uint8x16_t d)
{
    static const uint8_t bit[16] = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
    uint8x16_t own = vld1q_u8(bit);
    uint8x16_t ab = vpaddq_u8(vandq_u8(a, own), vandq_u8(b, own)), cd = vpaddq_u8(vandq_u8(c, own), vandq_u8(d, own));
    uint8x16_t sum = vpaddq_u8(ab, cd);

    return vgetq_lane_u64(vreinterpretq_u64_u8(vpaddq_u8(sum, sum)), 0);
}

INLINE uint64_t equal_neon(const uint8x16_t v[4], uint8_t byte)
{
    uint8x16_t all = vdupq_n_u8(byte);

    return gather(vceqq_u8(v[0], all), vceqq_u8(v[1], all), vceqq_u8(v[2], all), vceqq_u8(v[3], all));
}

INLINE struct classes classify_neon(const uint8_t *p, uint8_t delimiter)
{
    uint8x16_t v[4] = {vld1q_u8(p), vld1q_u8(p + 16), vld1q_u8(p + 32), vld1q_u8(p + 48)};
    uint8x16_t least = vminq_u8(vminq_u8(v[0], v[1]), vminq_u8(v[2], v[3]));
    struct classes c = {equal_neon(v, '"'), equal_neon(v, delimiter), equal_neon(v, '\n') | equal_neon(v, '\r'), 0};

    if (__builtin_expect(vminvq_u8(least) == 0, 0))
        c.nul = equal_neon(v, 0);
    return c;
}

SCAN(neon, classify_neon, parity_by_shifts, )

#endif

static bool always(void)
{
    return true;
}

static const struct {
    const struct csv_scan *scan;
    bool (*is_here)(void);
} ways[] = {
    {&bytes_scan, always},
    {&words_scan, always},
#if defined(__x86_64__)
    {&sse2_scan, always},
    {&avx2_scan, has_avx2},
    {&csv_scan512, csv_scan512_is_here},
#elif defined(__aarch64__)
    {&neon_scan, always},
#endif
};

const struct csv_scan *csv_scan_of(size_t i)
{
    return i < sizeof ways / sizeof *ways && ways[i].is_here() ? ways[i].scan : NULL;
}

const struct csv_scan *csv_scan_best(void)
{
    size_t i = 0;

    while (csv_scan_of(i + 1))
        i++;
    return csv_scan_of(i);
}
