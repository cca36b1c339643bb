/* allocate: the only place where money meets usage. Charges and facts in, entries out.
 *
 * A charge waits until the windows have passed its end, collects the facts inside it, is split into pieces (core/split), and each piece is
 * divided by largest remainder. Lone corrections are first spread over the usage charges inside their interval, by billed time.
 * The sum of the entries of a charge is its cost, exactly. */
#ifndef GPUTAB_CORE_ALLOCATE_H
#define GPUTAB_CORE_ALLOCATE_H

#include "gputab/base/diag.h"
#include "gputab/base/err.h"
#include "gputab/core/charge_book.h"
#include "gputab/core/owners.h"
#include "gputab/core/residency.h"
#include "gputab/core/split.h"
#include "gputab/value/catalogue.h"
#include "gputab/value/charge.h"
#include "gputab/value/entry.h"
#include "gputab/value/inventory.h"
#include "gputab/value/rule.h"
#include "gputab/value/usage.h"

/* A charge that is about to be divided; everything is borrowed for the call. */
struct allocate_charge {
    const struct charge *charge;   /* its cost with its part of lone corrections */
    const struct entry *keys;      /* those that all of its entries share */
    const struct split_node *node; /* what hardware it pays for */
    const struct split_result *pieces;     /* NULL: unknown hardware, all of it goes to (no-metrics) */
    bool as_billed;                /* its pieces are the bill's own amounts */
    money hours;                   /* that it pays for, 10^-12 h; 0: a correction */
    money gpu_hours[SPLIT_MODELS]; /* likewise, per model */
    const struct charge_book *book;        /* of which it is this charge: what it is of the bill, charge_book_origin tells */
    size_t at;
};

/* Where entries go (core/rollup). Calls that nobody needs are NULL. */
struct allocate_sink {
    void *to;
    void (*entry)(void *to, const struct entry *entry);
    /* Time in which the entry's pod had memory on a device; the entry's amounts don't count. */
    void (*presence)(void *to, const struct entry *entry, const struct timespan *spans, size_t n);
    /* GPU requests of the entry's pod, 10^-6 GPUs x ms; the entry's amounts and device keys don't count. */
    void (*requested)(void *to, const struct entry *entry, weight micro_ms);
    /* Everything of one UTC day has come. */
    void (*day_done)(void *to);
    /* The entries that follow, up to the next one of these, are the charge's; what is in no charge is (unbilled). */
    void (*charge)(void *to, const struct allocate_charge *charge);
};

struct allocate_config {
    const struct rule *rule;
    const struct catalogue *catalogue;
    const struct inventory *inventory;
    const struct owners *owners;
    const struct bill *bill;
    struct intern *names;
    struct timespan period;
    struct allocate_sink sink;
    struct diag *diag;
};

struct allocate_sums {
    money billed;                  /* cost of all charges */
    money gpu, cpu;                /* their GPU pieces, and their CPU pieces; memory is the rest */
    weight observed, hours;        /* GPU time observed and billed, 10^-6 GPUs x ns: coverage is their ratio */
    weight starting;               /* of what was billed and not observed: with the reason starting */
    bool split_by_bill, split_by_rule;     /* some charge was split as billed; some otherwise */
    bool requests_known;           /* GPU requests of pods were in the metrics at all */
};

struct allocate;

struct allocate *allocate_new(const struct allocate_config *cfg);
/* Per inventory node: where its facts must be cut. Borrowed, valid until allocate_free. */
const struct cuts *allocate_cuts(const struct allocate *a);
/* Takes facts of a window, all of a node together. */
void allocate_add(struct allocate *a, const struct usage *u);
/* The facts up to `end`, which closes a window, have been added: divides the charges that end there or before. */
int allocate_until(struct allocate *a, time_ms end, struct err *e) GPUTAB_MUST_CHECK;
/* Whether some charge holds facts, and with them versions of pods, for windows to come. */
bool allocate_waits(const struct allocate *a);
/* Divides what is left, and checks that everything was. */
int allocate_end(struct allocate *a, struct allocate_sums *out, struct err *e) GPUTAB_MUST_CHECK;
void allocate_free(struct allocate *a);

#endif
