/* notes (render): a report's notes in the terminal report: a phrase on gates, blocks of budgets and changes, owner lines to paste. */
#ifndef GPUTAB_RENDER_NOTES_H
#define GPUTAB_RENDER_NOTES_H

#include "gputab/render/ink.h"
#include "gputab/value/report.h"

/* "gates passed: 4 of 4", a phrase of a line; nothing where the rule has none. */
void notes_print_gates(struct ink *k, const struct notes *n);
/* Behind the table: those of budgets, previous and unmapped that there are. */
void notes_print(struct ink *k, const struct report *r);

#endif
