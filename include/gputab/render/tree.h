/* tree: the lines of a report by several keys as a hierarchy: cost centres, below them their teams, below these their pods.
 *
 * A line's path is the names of its keys; of a bucket's line it begins with the bucket, and keys that do not apply are left out. */
#ifndef GPUTAB_RENDER_TREE_H
#define GPUTAB_RENDER_TREE_H

#include "gputab/render/figures.h"
#include "gputab/render/ink.h"

/* Puts the lines into the order of a tree, the largest branch first (days by time), and fills s->shared. A report by one key, and one that
 * was sorted by a column, stays as it is. */
void tree_order(struct figure_set *s);

/* Of a line: how many levels its path has, the indented name of one of them, that of the last. */
size_t tree_levels(const struct figure_set *s, size_t line);
void tree_add_level(struct buf *b, const struct figure_set *s, size_t line, size_t level);
void tree_add_leaf(struct buf *b, const struct figure_set *s, size_t line);
size_t tree_width(const struct figure_set *s, const struct ink *k);        /* columns that the widest name of a branch takes */

/* The name under a key: what people call a cost centre with its id, "-" where the key does not apply. */
void tree_add_name(struct buf *b, const struct report *r, const struct cell *row, size_t key);

#endif
