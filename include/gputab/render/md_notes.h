/* md_notes: a report's notes in Markdown: what gates found, tables of budgets and changes, owner lines to paste. */
#ifndef GPUTAB_RENDER_MD_NOTES_H
#define GPUTAB_RENDER_MD_NOTES_H

#include "gputab/base/buf.h"
#include "gputab/value/report.h"

/* A line of a list; nothing where the rule has no gates. */
void md_gates(struct buf *b, const struct notes *n);
/* Behind the report's table, those that there are. */
void md_notes(struct buf *b, const struct report *r);

#endif
