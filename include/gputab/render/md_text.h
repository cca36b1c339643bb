/* md_text: text in Markdown (CommonMark with GitHub's tables). Whatever comes from data goes through here: names come from clusters, and
 * one of them must not become a link, an image, a cell or a line. */
#ifndef GPUTAB_RENDER_MD_TEXT_H
#define GPUTAB_RENDER_MD_TEXT_H

#include "gputab/base/buf.h"

/* As text in a line or a cell. Only what would mean something is escaped, so that names stay readable as they are. */
void md_text(struct buf *b, const char *text);

#endif
