/* charge_book: the bill's charges by node, with what the metrics know of that node: its names, its GPUs, when it was first seen.
 * Lone corrections are spread over the usage charges inside their interval here, by billed time. */
#ifndef GPUTAB_CORE_CHARGE_BOOK_H
#define GPUTAB_CORE_CHARGE_BOOK_H

#include "gputab/core/residency.h"
#include "gputab/core/split.h"
#include "gputab/value/charge.h"
#include "gputab/value/inventory.h"

struct book_gpu {
    uint32_t gpu;                  /* inventory index */
    struct timespan seen;          /* from its first sample on the node to behind its last one */
};

struct book_node {                 /* one resource id, in the bill or in the metrics */
    uint32_t resource;             /* string id */
    size_t first_charge, n_charges;        /* in book.charges, sorted by span.from, span.to */
    int64_t longest_ms;            /* of its charges */
    VEC(uint32_t) nodes;           /* inventory nodes that had this resource, canonical order */
    VEC(struct book_gpu) gpus;     /* seen on it, canonical order */
    time_ms first_ms, last_ms;     /* first and last sample of those GPUs; first > last: none */
};

/* A charge of the bill, or a part of it, that is in a charge of the book. */
struct book_origin {
    uint32_t charge;               /* index in the bill's charges */
    money cost, invoiced;
    money share;                   /* of the bill's charge; MONEY_ONE: it is whole. The shares of its parts sum to that */
};

struct book_origins {              /* grows by vec_push */
    struct book_origin *v;
    size_t n, cap;
};

struct book_charge {
    uint32_t bill;                 /* index in the bill's charges; of a part: its set's charge */
    uint32_t more;                 /* index + 1 in `more`; 0: it is the bill's charge as it is */
};

struct book_more {                 /* what few charges have */
    money cost;                    /* instead of the bill's: with the corrections' parts in it */
    struct charge_parts corrected; /* the corrections' parts of its pieces, where the bill tells these */
    struct book_origins others;    /* besides its own charge, which a scale set's machine has none of: the rest of its cost */
    uint32_t part;                 /* index + 1; 0: none */
    bool nothing;                  /* there is nothing to divide: a part without a share (yet), or a set's charge that was shared out */
};

struct book_part {                 /* a machine's part of a scale set's charge (core/scale_set), whose options and interval it has */
    uint32_t node;                 /* index */
    uint32_t at;                   /* index of its charge in the book, which has its cost */
    int64_t billed_ns;
    money list;
};

struct book_set {
    size_t charge;                 /* index of the set's charge in the book */
    size_t first_part, n_parts;
};

struct charge_book {
    const struct bill *bill;
    const struct intern *names;
    VEC(struct book_charge) charges;       /* grouped by node */
    VEC(struct book_more) more;
    VEC(struct book_node) nodes;   /* those that the bill names first, in its order */
    VEC(struct book_part) parts;   /* by set and machine */
    VEC(struct book_set) sets;     /* by the ends of their charges */
    struct intern *by_resource;    /* resource id bytes -> index + 1 */
    struct cuts *cuts;             /* per inventory node */
    size_t n_inventory_nodes;
};

/* Gives nodes whose metrics name no instance type the one that the bill names for their resource. Before charge_book_build. */
void charge_book_add_types(const struct bill *bill, struct inventory *inv);

/* For core/scale_set: the order of a node's charges, and the next charge of a node whose earlier ones were counted. */
int charge_book_compare(const struct charge_book *b, struct book_charge x, struct book_charge y);
void charge_book_count(const struct charge_book *b, struct book_node *n, size_t index);
/* The charge's own, made when it has none. Valid until the next one is made. */
struct book_more *charge_book_more(struct charge_book *b, size_t i);

/* The bill must outlive the book. */
void charge_book_build(struct charge_book *b, const struct bill *bill, const struct inventory *inv);
struct charge charge_book_charge(const struct charge_book *b, size_t i);     /* with the book's cost */
uint32_t charge_book_resource(const struct charge_book *b, size_t i);
bool charge_book_is_nothing(const struct charge_book *b, size_t i);          /* there is nothing to divide */
/* For its interval, and whether it is a correction. */
static inline const struct charge_kept *charge_book_kept(const struct charge_book *b, size_t i)
{
    return &b->bill->charges.v[b->charges.v[i].bill];
}
struct split_billed charge_book_billed(const struct charge_book *b, size_t i);       /* what the bill says of its pieces */
/* What of the bill is in a charge: each origin's parts sum to it over all charges of the book. */
size_t charge_book_origins(const struct charge_book *b, size_t i);
struct book_origin charge_book_origin(const struct charge_book *b, size_t i, size_t k);
/* NULL when the resource is neither billed nor seen. */
const struct book_node *charge_book_find(const struct charge_book *b, uint32_t resource);
/* Calls for each charge of the node whose span holds t: returns the index of the first one at or after `from` (start with n's
 * first_charge), SIZE_MAX when there is none. */
size_t charge_book_next(const struct charge_book *b, const struct book_node *n, time_ms t, size_t from);
void charge_book_free(struct charge_book *b);

#endif
