/* json_notes: the members of a JSON report that stand beside its rows, each only where there is something to say. Only json.c of render/
 * includes this, and what else writes such members. */
#ifndef GPUTAB_RENDER_JSON_NOTES_H
#define GPUTAB_RENDER_JSON_NOTES_H

#include "gputab/codec/json_out.h"
#include "gputab/value/notes.h"

void json_money_member(struct json_out *j, const char *key, money amount, int digits);
void json_text_member(struct json_out *j, const char *key, const char *text);      /* NULL: null */
void json_time_member(struct json_out *j, const char *key, time_ms t);

/* only, sort, top: how the rows were chosen. */
void json_shape_members(struct json_out *j, const struct notes *n);
/* gates, budgets, previous, unmapped. */
void json_note_members(struct json_out *j, const struct notes *n, int digits);

#endif
