/* fuzz_snappy: any bytes as a block. One that is right is cut when its last byte is missing, and what it holds makes a block again. */
#include "fuzz.h"
#include "gputab/codec/snappy.h"

enum { MAX = 1 << 16 };

static void check_round_trip(struct span plain)
{
    struct buf block = {0}, again = {0};
    struct err e = {0};

    snappy_add_literal(&block, plain);
    FUZZ_CHECK(snappy_decode(buf_span(&block), plain.n, &again, NULL, &e) == 0);
    FUZZ_CHECK(span_same(plain, buf_span(&again)));
    buf_free(&block);
    buf_free(&again);
}

static void check_cut(struct span block)
{
    for (size_t n = block.n > 40 ? block.n - 40 : 0; n < block.n; n++) {
        struct buf out = {0};
        struct err e = {0};
        bool cut = false;

        FUZZ_CHECK(snappy_decode((struct span){ block.p, n }, MAX, &out, &cut, &e) == -1 && cut);
        buf_free(&out);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct span block = fuzz_span(data, size);
    struct buf out = {0}, said = {0};
    struct err e = {0};
    bool cut = true;

    if (snappy_decode(block, MAX, &out, &cut, &e) == 0) {
        FUZZ_CHECK(!cut && out.n <= MAX && e.code == ERR_NONE);
        check_round_trip(buf_span(&out));
        check_cut(block);
    } else {
        FUZZ_CHECK(out.n == 0);
        fuzz_add_err(&said, &e);
    }
    check_round_trip(block);
    buf_free(&said);
    buf_free(&out);
    return 0;
}
