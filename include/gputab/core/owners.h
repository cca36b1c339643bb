/* owners: whose a pod is, over time. First matching owner line of the rule wins: see gputab-rule(5), owners.
 *
 * A pod version is a pod with one set of attributes (team, cost centre, bucket, workload). A pod gets a new version when a label of it,
 * of its namespace or of its node, its workload, or the date of an owner line changes something. Bare names lead to the versions of the
 * pods (by uid) that they mean over time.
 *
 * The inventory's pods are those of one generation (a day, say); versions are the run's: a version names its pod by strings, and the same
 * version has the same index in every generation, so that facts and charges may hold on to it. */
#ifndef GPUTAB_CORE_OWNERS_H
#define GPUTAB_CORE_OWNERS_H

#include "gputab/base/arena.h"
#include "gputab/base/buf.h"
#include "gputab/base/fingerprint.h"
#include "gputab/value/entry.h"
#include "gputab/value/inventory.h"
#include "gputab/value/rule.h"

struct pod_id {                    /* string ids: the same pod in every generation */
    uint32_t cluster, namespace_name, name, uid;
};

struct pod_version {               /* without padding: compared by its bytes */
    struct pod_id pod;             /* never a bare name that has an alias at the time */
    uint32_t team;                 /* string id; 0 when bucket is set */
    uint32_t cost_centre;          /* string id; 0: none */
    uint32_t workload;             /* "Deployment/web"; 0: none, the pod is its own: "Pod/name" */
    uint32_t bucket : 4;           /* BUCKET_NONE, BUCKET_UNMAPPED, BUCKET_SYSTEM */
    uint32_t owner_line : 28;      /* line in the rule file that matched; 0: none */
};

struct owners {
    VEC(struct pod_version) versions;      /* of the run so far */
    VEC(uint32_t) rank;            /* per version: its place among all by cluster, namespace and name; of one name as they came */
    struct steps *of_pod;          /* per inventory pod of the generation: version index over time; the first step is at TIME_MIN */
    struct arena steps;            /* of all pods */
    struct fingerprint_key key;
    struct fingerprint_map known;  /* a version's bytes -> its index */
};

/* `struct owners o = {0};` is ready. Takes the inventory's pods for what of_pod is about from now on; once per generation. names receives
 * the team strings. */
void owners_update(struct owners *o, const struct rule *rule, const struct inventory *inv, struct intern *names);
/* pod: inventory index in this generation. */
uint32_t owners_version(const struct owners *o, uint32_t pod, time_ms t);
/* Whether two versions are of one pod: -1, 0 or 1, in no order that means anything. */
int owners_compare_pods(const struct owners *o, uint32_t a, uint32_t b);
/* The versions go, when no fact names one any more; nothing is known then until the next owners_update. */
void owners_forget(struct owners *o);
void owners_free(struct owners *o);

/* The names of labels or annotations that the lines, and idle owners, ask for, by matches (bits 1 << enum rule_match); NULL-terminated,
 * borrowed from the rule; free() the array. */
const char **owners_labels(const struct rule *rule, unsigned matches);

#endif
