/* xlsx_lines: teams under their cost centres, and the buckets behind them: the order of the sheets Summary and Teams.
 * Lines point into the table of the part REPORT_TEAMS; only names of cost centres and sums are kept. */
#ifndef GPUTAB_RENDER_XLSX_LINES_H
#define GPUTAB_RENDER_XLSX_LINES_H

#include <stdbool.h>

#include "gputab/base/arena.h"
#include "gputab/base/vec.h"
#include "gputab/value/report.h"

/* Columns of the table that add up. The first ones are in every sheet. */
enum amount { AMOUNT_HOURS, AMOUNT_VRAM, AMOUNT_GPU, AMOUNT_CPU, AMOUNT_MEMORY, AMOUNT_TOTAL, AMOUNT_UNHELD, AMOUNT_IDLE, AMOUNT_SHARED,
              AMOUNT_LEAST, AMOUNT_MOST, AMOUNT_A, AMOUNT_B, AMOUNT_C, AMOUNT_D, AMOUNT_EXACT,
              AMOUNT_BUDGET, AMOUNT_PREVIOUS,      /* of the report's notes */
              AMOUNTS };

struct amounts {
    money v[AMOUNTS];              /* 0 when unknown */
    bool known[AMOUNTS];           /* of a sum: any part of it */
};

enum { XLSX_NO_ROW = UINT32_MAX };

struct xlsx_line {
    uint32_t row;                  /* of the table; XLSX_NO_ROW: only notes speak of it: a budget without cost, a team that is gone */
    money total;
    const struct budget_note *budget;
    const struct change_note *change;          /* either may be NULL */
};

struct xlsx_group {
    const char *id, *name;         /* of the cost centre; name "" when the rule has none. "": teams in none */
    size_t first, n;               /* lines */
    size_t budgeted;               /* lines that have a budget */
    size_t made;                   /* its place before groups were put in order */
    struct amounts sums;
};

struct xlsx_lines {
    const struct report *r;        /* the part; borrowed */
    VEC(struct xlsx_line) lines;   /* by group, largest first */
    VEC(struct xlsx_group) groups; /* by id; the last of them may be that of the buckets */
    bool centres;                  /* groups are worth a heading */
    bool has_buckets;
    struct xlsx_line memo;         /* (unbilled): in no sum */
    bool has_memo;
    struct amounts sums;
    bool used[AMOUNTS];            /* some line is not 0; AMOUNT_LEAST, _MOST: some differs from its total */
    int column[AMOUNTS], centre, team, bucket;     /* of the table; -1: it has none */
    struct arena strings;
};

void xlsx_lines_fill(struct xlsx_lines *l, const struct report *whole);      /* *l zeroed */
void xlsx_lines_free(struct xlsx_lines *l);

/* Name and amounts of a line; the name is valid until another one is read. */
const char *xlsx_line_read(const struct xlsx_lines *l, const struct xlsx_line *line, struct amounts *a);
bool xlsx_group_is_buckets(const struct xlsx_lines *l, const struct xlsx_group *g);

money amount_rate(const struct amounts *a);                  /* per GPU hour; 0 without hours */
money amount_share(money part, money whole);                 /* 0 of nothing */

#endif
