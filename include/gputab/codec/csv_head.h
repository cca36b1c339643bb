/* csv_head: columns by the names in a header row. Names are compared trimmed, ASCII letters without case. */
#ifndef GPUTAB_CODEC_CSV_HEAD_H
#define GPUTAB_CODEC_CSV_HEAD_H

#include <stddef.h>

#include "gputab/codec/csv.h"

/* Index of the first column of that name, or -1. */
int csv_head_find(const struct csv_row *head, const char *name);

/* A small table: the index of each of `names` (n of them) into index[], -1 where the header has none. The first `needed`
 * names must be there: otherwise ERR_INPUT that lists those that are not. */
int csv_head_bind(const struct csv *r, const struct csv_row *head, const char *const *names, size_t n, size_t needed, int *index,
                  struct err *e) GPUTAB_MUST_CHECK;

/* The trimmed field at index, empty where the index is -1 or the row is shorter. */
struct span csv_head_cell(const struct csv_row *row, int index);

#endif
