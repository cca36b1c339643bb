/* markup: text in HTML and SVG. Whatever comes from data goes through here, and nothing else does: names come from clusters, and whoever
 * may start a pod may choose one. */
#ifndef GPUTAB_RENDER_MARKUP_H
#define GPUTAB_RENDER_MARKUP_H

#include "gputab/base/buf.h"
#include "gputab/base/span.h"

/* As text between tags and in quoted attributes alike: & < > " ' and ` are escaped; malformed bytes, control characters (but for
 * tabs and line ends, which become blanks), characters that turn the direction of what follows, and code points that are no characters
 * become U+FFFD. */
void markup_text(struct buf *b, const char *text);
void markup_span(struct buf *b, struct span text);
/* ` name="value"` */
void markup_attr(struct buf *b, const char *name, const char *value);
/* A name out of data, kept apart from the direction of the text around it: <bdi>name</bdi> */
void markup_name(struct buf *b, const char *name);

/* The text in at most `width` columns of a terminal, its middle left out for "…" when it is longer. */
void markup_add_cut(struct buf *b, const char *text, size_t width);

#endif
