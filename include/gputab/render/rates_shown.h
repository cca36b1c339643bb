/* rates_shown: rates as text for people, as CSV (a line per pool), and as one object of schema gputab.rates/1. */
#ifndef GPUTAB_RENDER_RATES_SHOWN_H
#define GPUTAB_RENDER_RATES_SHOWN_H

#include "gputab/render/render.h"
#include "gputab/value/rates.h"

void rates_text(const struct rates *r, const struct render_cfg *cfg, struct sink *out);
void rates_csv(const struct rates *r, const struct render_cfg *cfg, struct sink *out);
void rates_json(const struct rates *r, struct sink *out);

#endif
