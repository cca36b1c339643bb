/* pull_error: what to tell people of an answer that is none. */
#ifndef GPUTAB_SOURCE_PULL_ERROR_H
#define GPUTAB_SOURCE_PULL_ERROR_H

#include "gputab/source/pull.h"

/* One answer, and who gave it. */
struct pull_answer {
    const struct pull_server *server;
    const struct transport *transport;
    const struct reply *reply;
    const struct http_result *result;
};

/* Appends what is wrong, on one line, without a secret. Returns a hint, "" for none. */
const char *pull_error_add(struct buf *b, const struct pull_answer *a);

/* Whether the server says that the question was too much at once. */
bool pull_error_wants_less(const struct pull_answer *a);

#endif
