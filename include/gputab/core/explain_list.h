/* explain_list: what explain has kept, as lines of sections; for the modules that tell an explanation, and nobody else. */
#ifndef GPUTAB_CORE_EXPLAIN_LIST_H
#define GPUTAB_CORE_EXPLAIN_LIST_H

#include "gputab/core/explain_state.h"

struct explain_list {              /* an explanation in the making */
    struct explain *x;
    const struct explain_lines_config *cfg;
    struct explanation *out;
    VEC(const struct explain_group *) groups;      /* those gathered last */
    struct intern *nodes;          /* of the row: cluster and name */
    struct buf b;                  /* scratch */
};

typedef void (*explain_list_describe)(struct explain_list *l, const struct explain_group *g, struct buf *b);
typedef bool (*explain_list_wanted)(const struct explain_list *l, const struct explain_group *g);

/* The groups of a part, the largest first; wanted NULL: all. */
void explain_list_gather(struct explain_list *l, enum explain_part part, explain_list_wanted wanted);
/* Lines of the groups gathered: with prices, each its own or an average; or without. note NULL: none. */
void explain_list_priced(struct explain_list *l, struct explanation_section *to, explain_list_describe what, explain_list_describe note);
void explain_list_plain(struct explain_list *l, struct explanation_section *to, explain_list_describe what, explain_list_describe note);

const char *explain_list_text(const struct explain_list *l, uint32_t id);
void explain_list_part(struct buf *b, const char *s);        /* behind a comma, where there is something before and to add */
void explain_list_pool(struct explain_list *l, const struct explain_group *g, struct buf *b);      /* model, region, purchase option */
void explain_list_node(struct explain_list *l, const struct explain_group *g, struct buf *b);
money explain_list_magnitude(money m);

#endif
