/* sheet: the table of the terminal report: picks the columns that fit the width and prints the lines. */
#ifndef GPUTAB_RENDER_SHEET_H
#define GPUTAB_RENDER_SHEET_H

#include "gputab/render/figures.h"
#include "gputab/render/ink.h"

void sheet_print(struct ink *k, const struct report *r, const struct figure_set *s);

/* "teams", or "team" when n is 1: what the rows of the report are, by its first key. */
const char *sheet_noun(const struct report *r, size_t n);

#endif
