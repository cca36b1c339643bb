/* label_plan: what the names of a series' labels say about their values, for all series of a family that have the same names: they are
 * many, and come one behind the other. */
#ifndef GPUTAB_SOURCE_LABEL_PLAN_H
#define GPUTAB_SOURCE_LABEL_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "gputab/base/buf.h"
#include "gputab/base/fingerprint.h"
#include "gputab/base/intern.h"
#include "gputab/base/vec.h"
#include "gputab/codec/openmetrics.h"
#include "gputab/source/exporters.h"

enum { LABEL_TARGETS = 8 };        /* exporters_target_labels are fewer */

/* What a label name that is looked for means, by its id. */
struct label_meaning {
    int role;                      /* enum label_role; ROLES: none */
    int target;                    /* index into exporters_target_labels; -1: none */
};
struct label_meanings {
    struct intern *names;          /* ids in the order of exporters_labels, then of target labels */
    VEC(struct label_meaning) v;   /* by id - 1 */
};
void label_meanings_init(struct label_meanings *m);
void label_meanings_free(struct label_meanings *m);

/* Places are indexes into the labels; -1: there is no such label. {0} is a plan for nothing. */
struct label_plan {
    const char *cluster_label;     /* as it was asked for; NULL: no plan yet */
    struct buf names;              /* one behind the other */
    VEC(size_t) lengths;           /* of them */
    bool named;                    /* "__name__" is among them, which servers' answers do not leave there: it suits nobody */
    int cluster, only;             /* places: of the cluster's name, and of the label that says whether a series is read */
    int target[LABEL_TARGETS];     /* likewise, by index into exporters_target_labels */
    uint64_t roles;                /* which there are, a bit by role, */
    int role[ROLES];               /* and their places */
    struct fingerprint_key secret; /* by which the values are hashed to a key, and */
    uint64_t order;                /* what goes into the order of its series: of family and names; both are the caller's */
};
void label_plan_free(struct label_plan *p);

/* Whether the plan is for these labels: their names are those that it was made for, in the same order, and all have values. The text of
 * cluster_label is told by its address. */
bool label_plan_suits(const struct label_plan *p, const char *cluster_label, const struct openmetrics_label *labels, size_t n);

/* A plan for labels of the family that have values and are sorted by name; cluster_label is borrowed. */
void label_plan_make(struct label_plan *p, const struct label_meanings *m, const struct family *f, const char *cluster_label,
                     const struct openmetrics_label *labels, size_t n);

#endif
