/* groups: the lines of a report under its first keys (teams, and in each team its workloads), the costliest first, cut to what a reader can
 * look at: of what is left out the sums stay. */
#ifndef GPUTAB_RENDER_GROUPS_H
#define GPUTAB_RENDER_GROUPS_H

#include "gputab/render/figures.h"

enum { GROUP_NONE = -1, GROUP_LEVELS = 2 };

/* Figures of one line or of several. The hours that people see are rounded: a rate needs those of the table. */
struct group_sum {
    struct figures f;
    money hours;
};

struct group_line {                /* one line of the report */
    uint32_t row;                  /* of its table */
    struct group_sum s;
};

struct group {
    int up;                        /* index of the group around it; GROUP_NONE: it is an outer one */
    int next;                      /* the next one in the same group, or the next outer one; GROUP_NONE: none */
    int first;                     /* the first group in it */
    size_t n_groups;               /* in it */
    enum figure_part part;
    uint32_t row;                  /* a row of the table that has the group's keys: its costliest */
    struct group_sum sum;
    VEC(struct group_line) lines;  /* of an innermost group: the costliest */
    size_t n_lines;                /* of an innermost group: all */
};

struct groups {
    const struct figure_set *s;    /* borrowed */
    VEC(struct group) v;
    int first;                     /* outer group: what is charged first, then buckets; GROUP_NONE: none */
    size_t shown, total;           /* lines kept, and all */
};

struct groups_config {
    size_t keys[GROUP_LEVELS];     /* so many of the first keys make an outer group (0: all lines are one), and an inner one (0: none) */
    bool by_bucket;                /* and the bucket is one of the keys */
    enum figure_part from;         /* lines of earlier parts are left out */
    bool in_order;                 /* groups stay as their first lines stand */
    size_t lines_of_group;         /* that are kept of an innermost group, */
    size_t lines;                  /* and of all */
};

void groups_fill(struct groups *g, const struct figure_set *s, const struct groups_config *cfg);    /* *g zeroed by the caller */
void groups_free(struct groups *g);
/* What the kept lines of an innermost group leave out. Returns how many lines. */
size_t group_rest(const struct group *g, struct group_sum *rest);
void group_sum_add(struct group_sum *sum, const struct group_sum *part);

#endif
