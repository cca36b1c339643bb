/* team_notes: what a table by team says beside budgets, and beside the period before. */
#ifndef GPUTAB_CORE_TEAM_NOTES_H
#define GPUTAB_CORE_TEAM_NOTES_H

#include "gputab/value/notes.h"
#include "gputab/value/rule.h"
#include "gputab/value/table.h"

/* A month's budget for a period: whole months count whole, of others the part of their hours that is inside; not rounded. */
money budget_of_period(money month, struct timespan period);

/* by_team: a table whose first column is the team, with total_cost. Adds a note for each budget of the rule, by team. */
void team_notes_budgets(struct notes *out, const struct rule *rule, const struct table *by_team, struct timespan period, int digits);
/* out->previous.teams has teams and buckets with what they cost before: adds those that are new, and the costs of now. */
void team_notes_changes(struct notes *out, const struct table *by_team);

#endif
