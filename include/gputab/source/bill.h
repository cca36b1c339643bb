/* bill: bill files (CSV) become charges and groups. One dialect table per provider; a dialect is recognised by its header.
 * Rows stream by; memory is bounded by the charges of GPU nodes, not by rows. */
#ifndef GPUTAB_SOURCE_BILL_H
#define GPUTAB_SOURCE_BILL_H

#include "gputab/base/diag.h"
#include "gputab/base/err.h"
#include "gputab/base/intern.h"
#include "gputab/value/catalogue.h"
#include "gputab/value/charge.h"
#include "gputab/value/inventory.h"
#include "gputab/value/rule.h"

struct bill_dialect;

enum { BILL_TYPES_MAX = 10000 };

struct bill_request {
    struct timespan period;
    enum rule_cost cost;
    enum rule_credits credits;
    bool unknown_types;                    /* collect bill.unknown_types, BILL_TYPES_MAX of them at most */
    bool list;                             /* also read what instance time would cost at public prices on demand: charge.list */
    bool blocks;                           /* the rule has capacity blocks: who spreads them says what still costs nothing (W105) */
    const struct rule_rate *rates;         /* into the currency of the report; n_rates 0: no row is converted */
    size_t n_rates;
    const struct rule_shared_cost *shared;   /* which rows they select: bill.shared */
    size_t n_shared;
    bool attached_include;                 /* rows attached to a GPU node join its charge (cost, never hours) */
    const struct bill_dialect *const *maps;  /* of the user, NULL-terminated: they go before the built-in ones; NULL: none */
    const struct catalogue *catalogue;
    const struct inventory *inventory;     /* complete: says which resources showed a GPU, and when */
    struct intern *names;                  /* the run's strings */
    struct diag *diag;
};

/* Reads all paths ("-" is stdin, read once) into *out, which is zeroed by the caller. Paths may be .gz or .zst by content.
 * The same file twice (equal bytes) is an error. -1 with *e set: ERR_INPUT with file and line. */
int bill_read(const char *const *paths, size_t n, const struct bill_request *req, struct bill *out, struct err *e) GPUTAB_MUST_CHECK;

#endif
