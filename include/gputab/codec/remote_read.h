/* remote_read: the bytes of Prometheus' remote read, both ways, without the HTTP around them.
 *
 * One question asks one query, POSTed with Content-Encoding: snappy. The answer is in one of two forms, told by its content type:
 *   streamed   application/x-streamed-protobuf: frames with a checksum each, which hold chunks of series as the server stores them
 *   samples    application/x-protobuf: one snappy block with all samples, which is told only when it is whole
 * Chunks of a series may overlap and reach beyond the asked time; stale markers come as samples. An answer that is not whole is an error,
 * but of a streamed one events may have come before. Texts are UTF-8. */
#ifndef GPUTAB_CODEC_REMOTE_READ_H
#define GPUTAB_CODEC_REMOTE_READ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "gputab/base/buf.h"
#include "gputab/base/err.h"
#include "gputab/base/span.h"
#include "gputab/codec/openmetrics.h"

/* Caps, each an error that names it. */
enum {
    REMOTE_READ_FRAME = 64 << 20,            /* bytes of a frame; servers send 1 MiB */
    REMOTE_READ_BODY = 512 << 20,            /* bytes of an answer in samples, packed and unpacked */
    REMOTE_READ_LABELS = 256,                /* of a series */
    REMOTE_READ_LABEL_BYTES = 1 << 20        /* of all labels of a series together */
};

struct remote_read_question {
    struct span name_regex;                  /* for the whole metric name, in RE2 */
    const struct openmetrics_label *equal;   /* labels that must have these values; NULL when n_equal is 0 */
    size_t n_equal;
    const struct openmetrics_label *unequal; /* labels that must have other values, so that "" asks for any; likewise */
    size_t n_unequal;
    int64_t time_from_ms, time_to_ms;        /* both inclusive */
    bool samples_only;                       /* accept no streamed answer */
};

/* Appends the body of the request. */
void remote_read_add_request(struct buf *b, const struct remote_read_question *q);

enum remote_read_form { REMOTE_READ_STREAMED, REMOTE_READ_SAMPLES };

/* What an answer holds, in its order. Each returns 0, or -1 with *e set to stop. What is borrowed is valid during the call. */
struct remote_read_events {
    /* Begins a series: what follows belongs to it. A series that spans frames is named again in each. */
    int (*series)(void *ctx, const struct openmetrics_label *labels, size_t n, struct err *e);
    /* Streamed: a chunk as it came (see xor_chunk.h), with the times of its first and last sample by the server's word. */
    int (*chunk)(void *ctx, int64_t min_ms, int64_t max_ms, struct span xor_bytes, struct err *e);
    /* Samples: one. The value's bits are those that were sent, also of a NaN. Histograms are left out. */
    int (*sample)(void *ctx, int64_t time_ms, double value, struct err *e);
};

struct remote_read;

struct remote_read *remote_read_new(const struct remote_read_events *events, void *ctx);
void remote_read_free(struct remote_read *r);                /* NULL allowed */
void remote_read_begin(struct remote_read *r, enum remote_read_form form);      /* of an answer; whatever was before is forgotten */

/* Reads the next piece; how the answer is cut into pieces never shows. -1 with *e set (ERR_INPUT, or what an event set): after that only
 * a begin helps. */
int remote_read_feed(struct remote_read *r, const void *p, size_t n, struct err *e) GPUTAB_MUST_CHECK;

/* Says that no piece follows: -1 when the answer is not whole, and for samples whatever is wrong with it. */
int remote_read_end(struct remote_read *r, struct err *e) GPUTAB_MUST_CHECK;

/* Why it failed, where it matters for asking again. */
bool remote_read_cut(const struct remote_read *r);                   /* the answer ended too early */
bool remote_read_too_large(const struct remote_read *r);             /* it has more than REMOTE_READ_BODY: less can be asked for */
bool remote_read_unknown_encoding(const struct remote_read *r);      /* a chunk is no XOR chunk: only samples can be read */

#endif
