/* om_label: label values of the Prometheus and OpenMetrics text formats. */
#ifndef GPUTAB_RENDER_OM_LABEL_H
#define GPUTAB_RENDER_OM_LABEL_H

#include "gputab/base/buf.h"

/* `name="value"`; the value is escaped and valid UTF-8, and different values stay different. */
void om_label(struct buf *b, const char *name, const char *value);

#endif
