/* fuzz_remote_reply: an answer of remote read; see fuzz_answer.h.
 *
 * The first byte says what the others are: '0' a streamed answer, '1' one in samples; '2' messages, each behind two bytes of length (lowest
 * first), which are made frames with right checksums here; '3' a message that is made a block here. */
#include "fuzz_answer.h"
#include "fuzz_frames.h"
#include "gputab/codec/snappy.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct span s = fuzz_span(data, size);
    struct buf answer = {0};
    int kind;

    if (size == 0)
        return 0;
    kind = *s.p & 3;
    s = (struct span){ s.p + 1, s.n - 1 };
    if (kind < 2)
        buf_add_span(&answer, s);
    else if (kind == 2)
        fuzz_add_frames(&answer, s);
    else
        snappy_add_literal(&answer, s);
    fuzz_answer(&transport_remote_read, 200, kind & 1 ? "application/x-protobuf" : "application/x-streamed-protobuf", buf_span(&answer));
    buf_free(&answer);
    return 0;
}
