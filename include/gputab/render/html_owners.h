/* html_owners: whom the money went to: teams, and buckets that no team is charged for, for charts and for the summary. */
#ifndef GPUTAB_RENDER_HTML_OWNERS_H
#define GPUTAB_RENDER_HTML_OWNERS_H

#include "gputab/render/figures.h"

struct html_owner {
    char *name;                    /* owned */
    bool bucket;
    struct figures f;
};

struct html_owners {
    VEC(struct html_owner) v;      /* teams, the costliest first; then buckets likewise; (unbilled), which costs nothing, is not there */
    size_t n_teams;
    struct figures teams, buckets; /* sums */
};

/* s: by team, or by anything else, whose first key stands in for it then. */
void html_owners_fill(struct html_owners *o, const struct figure_set *s);  /* *o zeroed by the caller */
void html_owners_free(struct html_owners *o);
/* Whether a row is a team's: of a team in no cost centre only that is (unmapped), where cost centre is a key, too. */
bool html_is_team(const char *team, const char *bucket);

#endif
