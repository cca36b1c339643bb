/* notes (render): a report's notes in the terminal report: a phrase on gates, blocks of budgets and changes, owner lines to paste. */
#ifndef GPUTAB_RENDER_NOTES_H
#define GPUTAB_RENDER_NOTES_H

#include "gputab/base/buf.h"
#include "gputab/render/ink.h"
#include "gputab/value/report.h"

/* Whether budgets and changes concern who reads this report: its rows are of teams, or it is a team's own. */
bool notes_of_teams(const struct report *r);
/* Not where another bucket is looked at. */
bool notes_owners_wanted(const struct notes *n);
/* A part of 1 with so many decimals, as a percentage: "98.00 %". */
void notes_add_percent(struct buf *b, money part, int digits);
/* "max_unmapped 1.73 %, at most 1.00 %": what a gate found, and what the rule asks for. */
void notes_add_gate(struct buf *b, const struct gate_note *g);
/* "+65.0", "-3.1", "new": percent of the amount before. */
void notes_add_change(struct buf *b, const struct change_note *c);
/* `- {namespace: "name", team: TODO}`, for the owners of a rule. */
void notes_add_owner_line(struct buf *b, const char *namespace);
/* "   # 310.32": a comment behind that line. */
void notes_add_owner_cost(struct buf *b, const struct report *r, const struct namespace_note *n);

/* "gates passed: 4 of 4", a phrase of a line; nothing where the rule has none. */
void notes_print_gates(struct ink *k, const struct notes *n);
/* Behind the table: those of budgets, previous and unmapped that there are. */
void notes_print(struct ink *k, const struct report *r);

#endif
