/* stub_read: a remote read request and its answer, out of the made fleet. */
#ifndef GPUTAB_BENCH_STUB_READ_H
#define GPUTAB_BENCH_STUB_READ_H

#include "gputab/base/span.h"

#include "fleet.h"

void stub_read_init(void);                             /* once, before all else */

/* Takes a part of the answer; -1: nobody wants more. */
typedef int (*stub_sink)(void *ctx, struct span bytes);

struct stub_query;

/* Why the request (a snappy block) cannot be answered, or NULL. *queries is for stub_read_free in any case. */
const char *stub_read_parse(struct span body, struct stub_query **queries);
void stub_read_answer(const struct fleet *f, const struct stub_query *queries, stub_sink sink, void *ctx);
void stub_read_free(struct stub_query *queries);

#endif
