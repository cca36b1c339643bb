/* owner_match: the owner lines of a rule, made ready to be held against many pods: what a pod is at an instant, and which line takes it. */
#ifndef GPUTAB_CORE_OWNER_MATCH_H
#define GPUTAB_CORE_OWNER_MATCH_H

#include "gputab/base/arena.h"
#include "gputab/base/buf.h"
#include "gputab/base/vec.h"
#include "gputab/value/inventory.h"
#include "gputab/value/rule.h"

struct owner_line {
    const struct rule_owner *rule;
    const struct span **names;     /* by matcher: label names as Prometheus writes them, ends with an empty one; NULL: it has none */
};

struct owner_match {
    const struct inventory *inv;   /* borrowed, like the rule */
    struct arena strings;
    VEC(struct owner_line) lines;
    unsigned asks;                 /* a bit by enum rule_match that some line asks for */
    bool opened;
    uint32_t namespace_name;       /* once opened: a namespace, */
    VEC(const struct owner_line *) open;   /* and the lines that take it; in `lines`, which no longer moves then */

    /* The pod at hand, at an instant; of what no line asks for nothing is looked up. */
    struct span texts[RULE_MATCHES];       /* of namespace, workload and node */
    uint32_t sets[RULE_MATCHES];           /* label set ids, of all others */
    struct buf workload;
};

struct time_list {
    time_ms *v;
    size_t n, cap;
};

void owner_match_init(struct owner_match *m, const struct rule *rule, const struct inventory *inv);
void owner_match_free(struct owner_match *m);

/* The first line that matches the pod at t, or NULL. *value: what "{value}" stands for, empty where the line has no label; valid until the
 * next call. */
const struct rule_owner *owner_match_find(struct owner_match *m, const struct pod *pod, time_ms t, struct span *value);

/* Appends the instants at which something of the pod changes that a line asks for. */
void owner_match_add_changes(const struct owner_match *m, const struct pod *pod, struct time_list *out);

/* Prometheus' spelling of a label's or annotation's name: "label_" or "annotation_", and every character but [a-zA-Z0-9_] as an
 * underscore. */
void owner_match_add_name(struct buf *b, enum rule_match match, const char *name);

#endif
