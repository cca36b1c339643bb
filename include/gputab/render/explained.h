/* explained: an explanation as text for people, and as one object of schema gputab.explain/1 for programs. */
#ifndef GPUTAB_RENDER_EXPLAINED_H
#define GPUTAB_RENDER_EXPLAINED_H

#include "gputab/render/render.h"
#include "gputab/value/explanation.h"

void explained_text(const struct explanation *x, const struct render_cfg *cfg, struct sink *out);
void explained_json(const struct explanation *x, struct sink *out);

#endif
