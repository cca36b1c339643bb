/* sink: text on its way out. Whoever writes adds to `text`, and calls sink_relieve now and then; what has come together is then handed on,
 * so that a long text never stands in memory whole. The first error stays with the sink: nobody on the way has to carry it. */
#ifndef GPUTAB_BASE_SINK_H
#define GPUTAB_BASE_SINK_H

#include <stdbool.h>

#include "gputab/base/buf.h"
#include "gputab/base/err.h"

struct sink {                      /* zeroed: text just grows */
    struct buf text;
    int (*take)(void *to, struct span text, struct err *e);
    void *to;
    bool failed;
    struct err err;                /* of take */
};

void sink_relieve(struct sink *s);                           /* at a line's end; the text may be gone afterwards */
/* Hands on what is left, and says how all of it went. */
int sink_end(struct sink *s, struct err *e) GPUTAB_MUST_CHECK;
void sink_free(struct sink *s);

#endif
