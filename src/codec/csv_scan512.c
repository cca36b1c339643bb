/* csv_scan512: marks of many blocks at a time, and rows found by counting.
 *
 * A block's classes are found as in csv_scan; what follows from them is worked out for eight blocks at once, one in each lane of a vector.
 * That leaves room to count the cuts before each block, and a row then needs no walk over its blocks: its end is found by a mask of blocks
 * that have one, its fields are a difference of counts, and the block of a wanted cut is the first one with a greater count. So no
 * branch depends on where in a row its cuts are, which no processor foresees. */
#include "gputab/codec/csv_scan512.h"

#if defined(__x86_64__)

#include <immintrin.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define AVX512 __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx512vpopcntdq,avx2,bmi,bmi2,popcnt")))
#define INLINE static inline __attribute__((always_inline))

/* Of a step the classes come first and then the marks: vectors whose lanes were stored one by one just now are slow to load. */
enum { BLOCK = CSV_MARKS_BYTES, LANES = 8, GROUPS = 8, STEP = GROUPS * LANES * BLOCK, COUNTS = 32 };

/* ---- classes ---- */

struct group {
    uint64_t quote[LANES], cut[LANES], end[LANES];
};

/* False: there is a NUL. A byte's low half chooses the one of `ends` that it may be, where there is one, else one that it is not. */
AVX512 INLINE bool classify(const char *p, __m512i delimiter, struct group *g)
{
    const __m512i ends = _mm512_broadcast_i32x4(_mm_setr_epi8(1, 0, 0, 0, 0, 0, 0, 0, 0, 0, '\n', 0, 0, '\r', 0, 0));
    __m512i least = _mm512_set1_epi8(1);

    for (size_t i = 0; i < LANES; i++) {
        __m512i v = _mm512_loadu_si512(p + i * BLOCK);

        g->quote[i] = _mm512_cmpeq_epi8_mask(v, _mm512_set1_epi8('"'));
        g->cut[i] = _mm512_cmpeq_epi8_mask(v, delimiter);
        g->end[i] = _mm512_cmpeq_epi8_mask(v, _mm512_shuffle_epi8(ends, v));
        least = _mm512_min_epu8(least, v);
    }
    return _mm512_testn_epi8_mask(least, least) == 0;
}

AVX512 INLINE __m512i nul_in(const char *p)
{
    uint64_t nul[LANES];

    for (size_t i = 0; i < LANES; i++) {
        __m512i v = _mm512_loadu_si512(p + i * BLOCK);

        nul[i] = _mm512_testn_epi8_mask(v, v);
    }
    return _mm512_loadu_si512(nul);
}

/* ---- marks ---- */

/* As in csv_scan: what the next group has to know. */
struct carry {
    uint64_t inside, text, quote;  /* 0 or 1 */
    uint64_t inner_ends;
    uint16_t cuts;
};

AVX512 INLINE __m512i parities(__m512i m)
{
    m = _mm512_xor_si512(m, _mm512_slli_epi64(m, 1));
    m = _mm512_xor_si512(m, _mm512_slli_epi64(m, 2));
    m = _mm512_xor_si512(m, _mm512_slli_epi64(m, 4));
    m = _mm512_xor_si512(m, _mm512_slli_epi64(m, 8));
    m = _mm512_xor_si512(m, _mm512_slli_epi64(m, 16));
    return _mm512_xor_si512(m, _mm512_slli_epi64(m, 32));
}

/* Of eight bits: bit i is the parity of those below it and of `carried`. */
INLINE unsigned parity_below(unsigned m, uint64_t carried)
{
    m = m << 1 | (unsigned)carried;
    m ^= m << 1;
    m ^= m << 2;
    return m ^ m << 4;
}

/* From an opening quote to before its closing one. */
AVX512 INLINE __m512i insides(__m512i quote, uint64_t carried)
{
    __m512i alone = parities(quote);                         /* as if each lane began outside */
    unsigned open = parity_below(_mm512_movepi64_mask(alone), carried);

    return _mm512_mask_xor_epi64(alone, (__mmask8)open, alone, _mm512_set1_epi64(-1));
}

/* One bit up through all lanes. */
AVX512 INLINE __m512i shift_up(__m512i m, uint64_t carried)
{
    __m512i tops = _mm512_srli_epi64(m, BLOCK - 1);

    return _mm512_or_si512(_mm512_slli_epi64(m, 1), _mm512_alignr_epi64(tops, _mm512_set1_epi64((long long)carried), LANES - 1));
}

AVX512 INLINE uint64_t top_bit(__m512i m)
{
    return (uint64_t)_mm512_movepi64_mask(m) >> (LANES - 1);
}

/* Behind each lane the bits up to there. */
AVX512 INLINE __m128i running_sum(__m512i m, uint16_t before)
{
    __m128i n = _mm512_cvtepi64_epi16(_mm512_popcnt_epi64(m));

    n = _mm_add_epi16(n, _mm_slli_si128(n, 2));
    n = _mm_add_epi16(n, _mm_slli_si128(n, 4));
    n = _mm_add_epi16(n, _mm_slli_si128(n, 8));
    return _mm_add_epi16(n, _mm_set1_epi16((short)before));
}

/* Marks of the eight blocks from `block` on; the bytes that cannot be, but for NUL (csv_scan's settle says why). *ended gets a bit for each
 * block. */
AVX512 INLINE __m512i settle(const struct group *g, const struct csv_marks *out, size_t block, struct carry *k, uint64_t *ended)
{
    __m512i quote = _mm512_loadu_si512(g->quote), cut = _mm512_loadu_si512(g->cut), end = _mm512_loadu_si512(g->end);
    __m512i inside = insides(quote, k->inside);
    __m512i text = _mm512_andnot_si512(_mm512_or_si512(_mm512_or_si512(inside, quote), _mm512_or_si512(cut, end)), _mm512_set1_epi64(-1));
    __m512i odd = _mm512_or_si512(_mm512_and_si512(quote, shift_up(text, k->text)), _mm512_and_si512(shift_up(quote, k->quote), text));
    __m128i sums;

    k->inner_ends |= _mm512_test_epi64_mask(inside, end);
    cut = _mm512_andnot_si512(inside, cut);
    end = _mm512_andnot_si512(inside, end);
    sums = running_sum(cut, k->cuts);
    _mm512_storeu_si512(out->cut + block, cut);
    _mm512_storeu_si512(out->end + block, end);
    _mm_storeu_si128((__m128i *)(void *)(out->before + block + 1), sums);
    *ended = _mm512_test_epi64_mask(end, end);
    k->inside = top_bit(inside);
    k->text = top_bit(text);
    k->quote = top_bit(quote);
    k->cuts = (uint16_t)_mm_extract_epi16(sums, LANES - 1);
    return odd;
}

/* The first odd byte. */
AVX512 static size_t first_of(__m512i odd, size_t block)
{
    uint64_t lanes[LANES];
    size_t i = 0;

    _mm512_storeu_si512(lanes, odd);
    while (!lanes[i])
        i++;
    return (block + i) * BLOCK + (size_t)__builtin_ctzll(lanes[i]);
}

/* The 4096 bytes at p, which are those from `at` on. Where marking stops, or behind them. */
AVX512 INLINE size_t mark_step(const char *p, size_t at, __m512i delimiter, const struct csv_marks *out, struct carry *k)
{
    struct group groups[GROUPS];
    uint64_t ended = 0;
    bool clean = true;

    for (size_t g = 0; g < GROUPS; g++)
        clean &= classify(p + g * LANES * BLOCK, delimiter, &groups[g]);
    for (size_t g = 0; g < GROUPS; g++) {
        size_t block = at / BLOCK + g * LANES;
        uint64_t some;
        __m512i odd = settle(&groups[g], out, block, k, &some);

        ended |= some << g * LANES;
        if (__builtin_expect(!clean, 0))
            odd = _mm512_or_si512(odd, nul_in(p + g * LANES * BLOCK));
        if (__builtin_expect(_mm512_test_epi64_mask(odd, odd) != 0, 0)) {
            out->ended[at / STEP] = ended;
            return first_of(odd, block);
        }
    }
    out->ended[at / STEP] = ended;
    return at + STEP;
}

/* Forgets the marks from byte n on. The counts behind it may be too high, where nobody looks for a cut. */
static void forget(const struct csv_marks *m, size_t n)
{
    uint64_t before = ((uint64_t)1 << n % BLOCK) - 1;
    size_t i = n / BLOCK;

    m->cut[i] &= before;
    m->end[i] &= before;
    m->ended[i / 64] &= ((uint64_t)1 << i % 64) - 1;
    m->ended[i / 64] |= (uint64_t)(m->end[i] != 0) << i % 64;
}

/* The last step is filled up with NUL, which has no marks and where marking stops. */
AVX512 static size_t mark(const char *p, size_t n, char delimiter, const struct csv_marks *out, bool *lines)
{
    __m512i all = _mm512_set1_epi8(delimiter);
    struct carry k = {0};
    char rest[STEP];
    size_t at = 0, stop = 0;

    out->before[0] = 0;
    for (; at == stop && at < n; at += STEP) {
        const char *from = p + at;

        if (n - at < STEP) {
            memset(rest, 0, sizeof rest);
            from = memcpy(rest, from, n - at);
        }
        stop = mark_step(from, at, all, out, &k);
    }
    if (stop < n)
        forget(out, stop);
    *lines |= k.inner_ends != 0;
    return stop;
}

/* ---- rows ---- */

/* The first block from that of byte `from` on with an end behind it; `blocks` when there is none. */
INLINE size_t find_end(const struct csv_marks *m, size_t blocks, size_t from)
{
    size_t i = from / BLOCK;
    uint64_t ended;

    if (m->end[i] & ~(uint64_t)0 << from % BLOCK)
        return i;
    if (++i == blocks)
        return blocks;
    ended = m->ended[i / 64] & ~(uint64_t)0 << i % 64;
    for (i /= 64; !ended; ended = m->ended[i])
        if (++i * 64 >= blocks)
            return blocks;
    return i * 64 + (size_t)__builtin_ctzll(ended);
}

/* Cuts of a row that begins in block `first` behind `start` of them, and of block `last` has the bytes of `below`. Counts are modulo 2^16,
 * so those of a row that may have more are added up. */
AVX512 INLINE size_t cuts_in(const struct csv_marks *m, size_t first, size_t last, uint16_t start, uint64_t below)
{
    size_t cuts = (size_t)__builtin_popcountll(m->cut[last] & below);

    if (last - first < (1 << 16) / BLOCK - 1)
        return (uint16_t)(m->before[last] + cuts - start);
    for (; first < last; first++) {
        cuts += (uint16_t)(m->before[first + 1] - start);
        start = m->before[first + 1];
    }
    return cuts;
}

/* Counts of a row's cuts behind each of COUNTS blocks. */
struct window {
    size_t block;
    __m512i counts;
};

AVX512 INLINE struct window window_at(const struct csv_marks *m, size_t block, uint16_t start)
{
    return (struct window){block, _mm512_sub_epi16(_mm512_loadu_si512(m->before + block + 1), _mm512_set1_epi16((short)start))};
}

/* Where cut k of the row is that begins behind `start` of them. No cut before the window is asked for again, so it may move. */
AVX512 INLINE uint32_t find_cut(const struct csv_marks *m, struct window *w, uint16_t start, uint16_t k)
{
    __m512i all = _mm512_set1_epi16((short)k);
    uint32_t more = _mm512_cmpgt_epu16_mask(w->counts, all);
    uint64_t nth;
    size_t i;

    while (__builtin_expect(more == 0, 0)) {
        *w = window_at(m, w->block + COUNTS, start);
        more = _mm512_cmpgt_epu16_mask(w->counts, all);
    }
    i = w->block + (size_t)__builtin_ctz(more);
    nth = _pdep_u64((uint64_t)1 << (uint16_t)(k + start - m->before[i]), m->cut[i]);
    return (uint32_t)(i * BLOCK + (size_t)__builtin_ctzll(nth));
}

/* Up to where a row begins. */
AVX512 INLINE uint16_t cuts_before(const struct csv_marks *m, size_t from)
{
    return (uint16_t)(m->before[from / BLOCK] + __builtin_popcountll(m->cut[from / BLOCK] & (((uint64_t)1 << from % BLOCK) - 1)));
}

AVX512 INLINE size_t find_cuts(const struct csv_marks *m, size_t first, uint16_t start, size_t cuts, const uint32_t *wanted, uint32_t *at)
{
    struct window w = window_at(m, first, start);
    size_t found = 0;

    for (; wanted[found] < cuts; found++)
        at[found] = find_cut(m, &w, start, (uint16_t)wanted[found]);
    return found;
}

/* The cuts of a row without an end. Seldom: only the last one of a window has none. */
AVX512 static __attribute__((noinline)) bool row_so_far(const struct csv_marks *m, size_t n, size_t from, const uint32_t *wanted,
                                                        uint32_t *at, struct csv_cuts *out)
{
    uint16_t start;

    *out = (struct csv_cuts){0, 0, n};
    if (from >= n)
        return false;
    start = cuts_before(m, from);
    out->fields = cuts_in(m, from / BLOCK, (n - 1) / BLOCK, start, ~(uint64_t)0);
    out->n = find_cuts(m, from / BLOCK, start, out->fields, wanted, at);
    return false;
}

AVX512 static bool row(const struct csv_marks *m, size_t n, size_t from, const uint32_t *wanted, uint32_t *at, struct csv_cuts *out)
{
    size_t first = from / BLOCK, blocks = (n + BLOCK - 1) / BLOCK, found, last, cuts, end;
    uint16_t start;
    uint64_t ends;

    if (from >= n || (last = find_end(m, blocks, from)) == blocks)
        return row_so_far(m, n, from, wanted, at, out);
    start = cuts_before(m, from);
    ends = last > first ? m->end[last] : m->end[last] & ~(uint64_t)0 << from % BLOCK;
    end = last * BLOCK + (size_t)__builtin_ctzll(ends);
    cuts = cuts_in(m, first, last, start, (ends & -ends) - 1);
    found = find_cuts(m, first, start, cuts, wanted, at);
    if (wanted[found] == cuts)
        at[found++] = (uint32_t)end;
    *out = (struct csv_cuts){cuts + 1, found, end};
    return true;
}

const struct csv_scan csv_scan512 = {"avx512", mark, row};

/* The first processors with AVX-512 slowed down as a whole when it was used, and BMI2 alone does not say that bits are deposited quickly:
 * those that count bits in vectors do better. */
bool csv_scan512_is_here(void)
{
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512vpopcntdq") && __builtin_cpu_supports("avx2") &&
        __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt");
}

#endif
