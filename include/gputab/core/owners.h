/* owners: whose a pod is, over time. First matching owner line of the rule wins: see gputab-rule(5), owners.
 *
 * A pod version is a pod with one set of attributes (team, cost centre, bucket, workload). A pod gets a new version when a label of it
 * or of its namespace, its workload, or the date of an owner line changes something. Bare names lead to the versions of the pods
 * (by uid) that they mean over time. */
#ifndef GPUTAB_CORE_OWNERS_H
#define GPUTAB_CORE_OWNERS_H

#include "gputab/base/arena.h"
#include "gputab/base/buf.h"
#include "gputab/value/entry.h"
#include "gputab/value/inventory.h"
#include "gputab/value/rule.h"

struct pod_version {
    uint32_t pod;                  /* inventory index; never a bare name that has an alias at the time */
    uint32_t team;                 /* string id; 0 when bucket is set */
    uint32_t cost_centre;          /* string id; 0: none */
    uint32_t workload;             /* "Deployment/web"; 0: none, the pod is its own: "Pod/name" */
    uint32_t bucket : 4;           /* BUCKET_NONE, BUCKET_UNMAPPED, BUCKET_SYSTEM */
    uint32_t owner_line : 28;      /* line in the rule file that matched; 0: none */
};

struct owners {
    VEC(struct pod_version) versions;
    struct steps *of_pod;          /* per inventory pod: version index over time; the first step is at TIME_MIN */
    struct arena steps;            /* of all pods */
};

/* names receives the team strings. */
void owners_build(struct owners *o, const struct rule *rule, const struct inventory *inv, struct intern *names);
uint32_t owners_version(const struct owners *o, uint32_t pod, time_ms t);
void owners_free(struct owners *o);

/* Prometheus' spelling of a label name: "label_" and every character but [a-zA-Z0-9_] as an underscore. */
void owners_add_metric_name(struct buf *b, const char *label);

/* The label names that the rule asks for, NULL-terminated, borrowed from the rule; free() the array. */
const char **owners_labels(const struct rule *rule, enum rule_match match);

#endif
