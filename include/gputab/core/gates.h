/* gates: whether a run kept to the bounds of its rule, in exact arithmetic.
 *
 *     coverage        (observed + starting) GPU time of billed GPU time, at least
 *     max_unmapped    cost of pods that no owner line matches, of what was billed, at most
 *     max_no_metrics  (no-metrics) without its reason starting, of what was billed, at most
 *     min_grade_a     grade A of what pods cost, and of what shared_fallback: refuse took from them, at least
 *
 * Of nothing billed, or no pods, a bound is kept. */
#ifndef GPUTAB_CORE_GATES_H
#define GPUTAB_CORE_GATES_H

#include "gputab/core/tally.h"
#include "gputab/value/notes.h"

/* Adds a note for each gate that the rule has. */
void gates_check(const struct rule *rule, const struct allocate_sums *sums, const struct tally *t, struct notes *out);

/* Which gate of the rule a note is about. */
enum rule_gate gate_of(const struct gate_note *note);
/* Adds "98.10 % of what was billed ...; at most 2 % is asked for" and, as a next step, who the most of it belongs to ("" nobody). */
void gate_add_failure(struct buf *text, struct buf *hint, const struct gate_note *note, const struct tally *t, int digits);

/* part / whole compared with percent, exactly: of the sign of `part - percent of whole`, for a whole of any sign; 0 of nothing. */
int percent_compare(money part, money whole, money percent);

#endif
