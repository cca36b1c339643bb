/* fuzz_xor_chunk: a chunk read sample by sample and at once. Both must say the same, and a chunk that is broken must stay so. */
#include "fuzz.h"
#include "gputab/codec/xor_chunk.h"

static struct steady runs[XOR_CHUNK_MAX];
static struct xor_sample all[XOR_CHUNK_MAX];

/* At once, and then sample by sample. */
static int decode(struct span bytes)
{
    int n = xor_chunk_decode(bytes, runs, XOR_CHUNK_MAX), samples = 0;

    for (int i = 0; i < n; i++) {
        FUZZ_CHECK(runs[i].n > 0 && (size_t)samples + runs[i].n <= xor_chunk_count(bytes));
        FUZZ_CHECK(runs[i].n == 1 || steady_last(&runs[i]) > runs[i].first);
        for (uint32_t k = 0; k < runs[i].n; k++)
            all[samples++] = (struct xor_sample){ steady_time(&runs[i], k), runs[i].value };
    }
    return n < 0 ? n : samples;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct span bytes = fuzz_span(data, size);
    int n = decode(bytes);
    struct xor_chunk c;
    struct xor_sample s;
    enum xor_chunk_step step;
    int read = 0;

    if (xor_chunk_begin(&c, bytes) < 0) {
        FUZZ_CHECK(n == -1 && size < 2);
        return 0;
    }
    while ((step = xor_chunk_next(&c, &s)) == XOR_CHUNK_SAMPLE) {
        FUZZ_CHECK(read < XOR_CHUNK_MAX);
        FUZZ_CHECK(n < 0 || (all[read].time_ms == s.time_ms && all[read].bits == s.bits));
        read++;
    }
    FUZZ_CHECK(step == (n < 0 ? XOR_CHUNK_BROKEN : XOR_CHUNK_END));
    FUZZ_CHECK(n < 0 || read == n);
    FUZZ_CHECK(xor_chunk_next(&c, &s) == step);
    if (n > 0)
        FUZZ_CHECK(xor_chunk_decode(bytes, runs, (size_t)n - 1) == -1);
    return 0;
}
