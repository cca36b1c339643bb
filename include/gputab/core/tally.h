/* tally: exact sums that do not depend on what a report's rows are: by bucket, by reason, by grade, and who the largest parts belong to.
 *
 * It listens to entries (core/fan_out), before any policy moves money between rows. Names are kept as texts of its own, so that a day's
 * pods may go. */
#ifndef GPUTAB_CORE_TALLY_H
#define GPUTAB_CORE_TALLY_H

#include "gputab/core/allocate.h"

struct tally_sums {
    money bucket[BUCKETS];         /* NONE: pods of teams; UNMAPPED and SYSTEM: their pods; the others: money without a pod */
    money reason[REASONS];         /* of (idle) and (no-metrics) */
    money grade[GRADES];           /* of pods */
    money refused;                 /* of (unattributed), grade D: memory that nobody was told to hold */
};

enum tally_list {
    TALLY_UNMAPPED,                /* namespaces, by the cost of pods that no owner line matches */
    TALLY_UNSEEN,                  /* nodes, by what is (no-metrics), without its reason `starting` */
    TALLY_UNMEASURED,              /* teams and buckets, by the cost of pods that is not of grade A, and by what was refused */
    TALLY_LISTS
};

struct tally_part {
    const char *name;              /* "": none; valid until tally_free */
    money cost;
};

struct tally_parts {               /* the largest first, equal ones by name; free v */
    struct tally_part *v;
    size_t n, cap;
};

struct tally;

struct tally *tally_new(const struct inventory *inv, const struct owners *owners);      /* borrowed */
struct allocate_sink tally_sink(struct tally *t);
const struct tally_sums *tally_sums(const struct tally *t);
struct tally_parts tally_parts(const struct tally *t, enum tally_list list);
void tally_free(struct tally *t);              /* NULL allowed */

#endif
