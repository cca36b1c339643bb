/* message: the only place that writes to stderr. One message, one write, so that lines of parallel runs never mix.
 *
 *     gputab: FILE:LINE:COLUMN: what is wrong
 *     hint: the next step
 */
#ifndef GPUTAB_CLI_MESSAGE_H
#define GPUTAB_CLI_MESSAGE_H

#include "gputab/base/buf.h"
#include "gputab/base/diag.h"
#include "gputab/base/err.h"

/* Control bytes of what comes from data are replaced. */
void message_add_error(struct buf *b, const struct err *e);
void message_add_warnings(struct buf *b, const struct diag *d);   /* one paragraph per code, sorted by code; "" when there are none */

void message_error(const struct err *e);
void message_warnings(const struct diag *d);
void message_write(const struct buf *b);                     /* to stderr */

#endif
