/* charge: one billed amount for one GPU node over one half-open UTC interval, and what the rest of the bill went to.
 * Made by source/bill. Strings are ids of the run's intern table. */
#ifndef GPUTAB_VALUE_CHARGE_H
#define GPUTAB_VALUE_CHARGE_H

#include <stdbool.h>
#include <stdint.h>

#include "gputab/base/diag.h"
#include "gputab/base/intern.h"
#include "gputab/base/vec.h"
#include "gputab/value/money.h"
#include "gputab/value/timespan.h"

/* The order decides: ties between equal amounts go to the earlier one. */
enum purchase { PURCHASE_ON_DEMAND, PURCHASE_SPOT, PURCHASE_RESERVED, PURCHASE_SAVINGS_PLAN, PURCHASE_CAPACITY_BLOCK,
                PURCHASE_COMMITTED, PURCHASE_UNKNOWN, PURCHASES };
extern const char *const purchase_names[PURCHASES];      /* "on_demand", ... */

enum piece { PIECE_GPU, PIECE_CPU, PIECE_MEMORY, PIECES };

/* What the bill says of one piece of a charge, where it has rows of their own for pieces. */
struct charge_part {
    enum piece piece;
    uint32_t gpu_model;            /* of GPU parts: the catalogue's name; 0: the bill names none */
    money cost;                    /* in proportion to the part inside the period, like the charge's */
};

struct charge_parts {              /* grows by vec_push */
    struct charge_part *v;
    size_t n, cap;
};

struct charge {
    uint32_t resource;             /* normal resource id (value/resource_id) */
    struct timespan span;          /* the rows' interval, cut to the report's period */
    money cost;                    /* the rows' cost of the kind that the rule asks for, in proportion to the part inside the period */
    money invoiced;                /* the billed cost of the same rows, likewise */
    money list;                    /* what the rows that bill time would cost on demand, likewise; 0: not asked for, or not known of all */
    int64_t billed_ns;             /* hours that the rows bill, at most the interval, likewise, in nanoseconds: a bill's part of an
                                      hour is no whole number of milliseconds; 0: only corrections. Of a scale set: those of all
                                      its machines, 0 when no row has any */
    bool correction_only;
    enum purchase purchase;        /* of the largest amount */
    uint32_t region;
    uint32_t instance_type;        /* as the bill names it; 0: unknown */
    int64_t vcpu_micro;            /* the bill's own columns; 0: unknown */
    int64_t memory_micro_gib;
    int64_t gpu_count_micro;
    uint32_t first_part, n_parts;  /* in bill.parts, at most one of a piece and model; none: the bill has one price for the machine.
                                      What they don't sum to is of rows beside them */
};

/* A charge as a bill keeps it: there may be a million of them, and most of what they say is the same. */
struct charge_kept {
    uint32_t resource;
    uint32_t terms : 31;           /* what else it says: id in charge_list.terms */
    uint32_t correction_only : 1;
    struct timespan span;
    int64_t billed_ns;
    money cost, invoiced;
};

struct charge_cut {                /* which of bill.parts are a charge's */
    uint32_t first, n;
};

/* Charges in 64 bytes each. Any field of `v` may be read, and its amounts changed, where they are. */
struct charge_list {
    struct charge_kept *v;
    size_t n, cap;
    struct intern *terms;          /* struct charge_terms as bytes; NULL: no charge was added yet */
    VEC(money) lists;              /* `list` by charge, as far as one that has any */
    VEC(struct charge_cut) parts;  /* likewise */
};

void charge_list_add(struct charge_list *l, const struct charge *c);
struct charge charge_list_at(const struct charge_list *l, size_t i);
void charge_list_put(struct charge_list *l, size_t i, const struct charge *c);         /* in place of the one there */
/* Charges that compare equal stay in their order. */
void charge_list_sort(struct charge_list *l, int (*compare)(const struct charge_kept *, const struct charge_kept *, const struct intern *),
                      const struct intern *names);
void charge_list_fit(struct charge_list *l);                 /* gives back what nothing is kept in */
void charge_list_free(struct charge_list *l);

/* Groups are reported, never spread silently. */
enum bill_group { GROUP_OTHER_RESOURCES, GROUP_ATTACHED, GROUP_TAX, GROUP_CREDIT, GROUP_REFUND, GROUP_FEE, GROUP_UNUSED_COMMITMENT,
                  GROUP_EXCLUDED, BILL_GROUPS };
extern const char *const bill_group_names[BILL_GROUPS];

struct bill_file {
    char *name;                    /* base name as given; "-" for stdin; owned */
    char sha256[65];               /* of the bytes as read (compressed ones for .gz) */
    int64_t rows, rows_used;       /* data rows; rows that went into charges */
};

/* Rows behind a header of their own: a file, or a file in an archive. */
struct bill_text {
    size_t file;                   /* index in bill.files */
    char *path;                    /* of the file as given, in an archive also the name there; owned */
    const char *name;              /* the same without folders before the file: the end of `path` */
    int64_t rows;
    const char *format;            /* "AWS Cost and Usage Report"; constant; NULL until it was read to its end */
    int columns, columns_known;    /* of the format's columns: those that the header has; all */
    char *missing;                 /* the others: "a, b"; NULL: none; owned */
    const char *resource_hint;     /* how to export the bill with resource ids, which it lacks; NULL: it has them; constant */
};

/* Rows of instance time whose type the catalogue does not know. */
struct bill_type {
    uint32_t type;
    int64_t rows;
    money cost;                    /* whole, not cut to the period */
};

/* A rate by which rows were converted. */
struct bill_rate {
    const char *from;              /* currency; texts are the rule's */
    time_ms month;
    money rate;
    const char *source;            /* "" unknown */
};

/* A fee (or the refund of one) that paid for a block of instances, a row of the bill in its group. */
struct bill_block_fee {
    uint32_t type, region;         /* string ids */
    enum bill_group group;
    struct timespan span;          /* the row's; the block starts on its first day, or in it when it is longer */
    money cost;                    /* whole */
};

/* What a shared cost of the rule selects; it is in the groups too. */
struct bill_shared_sum {
    money groups[GROUP_EXCLUDED];  /* cost inside the period, by group */
    money groups_invoiced[GROUP_EXCLUDED];
    int64_t rows;                  /* inside the period */
};

struct bill {
    struct charge_list charges;    /* sorted by resource text, span.from, span.to; only those with a part inside the period */
    struct charge_parts parts;     /* of the charges, in their order; of one charge by piece and the model's text */
    money groups[BILL_GROUPS];     /* cost inside the period */
    money groups_invoiced[BILL_GROUPS];
    int64_t group_rows[BILL_GROUPS];
    VEC(struct bill_shared_sum) shared;      /* by shared cost of the rule */
    money outside;                 /* cost of rows or parts of rows outside the period (all groups and charges but excluded) */
    money outside_invoiced;
    money file_total;              /* sum of the asked-for cost over every row but excluded ones: charges + groups + outside */
    money file_invoiced;
    uint32_t currency;             /* 0 while no row was read */
    bool is_final;                 /* false: estimated (an AWS row of the period without an invoice id, ...) */
    bool says_final;               /* some row says whether it was invoiced */
    struct timespan rows_span;     /* the earliest start and the latest end of the rows; from > to: none */
    VEC(struct bill_file) files;
    VEC(struct bill_text) texts;
    VEC(struct bill_rate) rates;   /* by month and currency; empty when all rows are in `currency` themselves */
    VEC(struct bill_block_fee) block_fees;
    VEC(struct bill_type) unknown_types;     /* in the order of arrival; only where they were asked for */
    int64_t rows;
};

void bill_free(struct bill *b);

/* The part of an amount of [span) that lies inside the period: all or nothing for an instant (from == to). Cumulative (money_part), so that
 * adjoining periods add up to the whole. */
money bill_part(money amount, struct timespan span, struct timespan period);
bool bill_inside(struct timespan span, struct timespan period);      /* any part at all */

/* W105: time that was billed and cost nothing. Said once for a node. */
void charge_warn_free(const struct charge_kept *c, const struct intern *names, struct diag *d);

#endif
