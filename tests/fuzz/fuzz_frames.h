/* fuzz_frames: messages, each behind two bytes of length (lowest first), as frames of remote read with right checksums. */
#ifndef GPUTAB_TESTS_FUZZ_FRAMES_H
#define GPUTAB_TESTS_FUZZ_FRAMES_H

#include "fuzz.h"
#include "gputab/codec/crc32c.h"
#include "gputab/codec/varint.h"

static inline void fuzz_add_frame(struct buf *b, struct span message)
{
    uint32_t crc = crc32c(message.p, message.n);

    varint_add(b, message.n);
    for (int shift = 24; shift >= 0; shift -= 8)
        buf_addc(b, (char)(crc >> shift));
    buf_add_span(b, message);
}

static inline void fuzz_add_frames(struct buf *b, struct span s)
{
    while (s.n >= 2) {
        size_t n = (size_t)(uint8_t)s.p[0] | (size_t)(uint8_t)s.p[1] << 8;

        s = (struct span){ s.p + 2, s.n - 2 };
        n = n < s.n ? n : s.n;
        fuzz_add_frame(b, (struct span){ s.p, n });
        s = (struct span){ s.p + n, s.n - n };
    }
}

#endif
