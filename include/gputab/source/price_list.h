/* price_list: what nodes cost an hour where no bill says it, gputab-price-list(5): on premises, by a plain rate or by purchase and
 * power. */
#ifndef GPUTAB_SOURCE_PRICE_LIST_H
#define GPUTAB_SOURCE_PRICE_LIST_H

#include <stdbool.h>
#include <stddef.h>

#include "gputab/base/arena.h"
#include "gputab/base/diag.h"
#include "gputab/base/err.h"
#include "gputab/base/sha256.h"
#include "gputab/base/vec.h"
#include "gputab/value/charge.h"
#include "gputab/value/inventory.h"

/* Nodes that match all globs that are there; the first line wins. NULL: any. */
struct price_line {
    const char *const *nodes;      /* one of these; ends with NULL */
    const char *cluster, *type;
    const char *region;
    money hour;                    /* the price of one hour, all parts added up */
    bool used;                     /* some node was charged by it */
};

struct price_list {
    struct arena texts;
    const char *path, *name, *currency;
    VEC(struct price_line) lines;
    char sha256[SHA256_HEX];
    /* of price_list_charge */
    size_t unbilled, priced;       /* nodes with a GPU in the period for which no bill has charges; those of them that the list has */
    uint32_t without_price;        /* the name of the first that it has not, of inv->names; 0: there is none */
};

enum { PRICE_LINES_MAX = 10000 };

/* *l is zeroed by the caller and released by price_list_free, also after an error. */
int price_list_read(const char *path, struct price_list *l, struct err *e) GPUTAB_MUST_CHECK;
void price_list_free(struct price_list *l);

/* Adds to the bill a charge for each node and UTC hour of the period, from the hour of the first to that of the last sample of a GPU on
 * the node, when a line has the node and the bill has no charge for it. Nodes without a resource id get one in *inv. The bill is then
 * estimated, and the list is one of its files. -1 with *e set when the bill is in another currency. */
int price_list_charge(struct price_list *l, struct timespan period, struct inventory *inv, struct bill *bill, struct diag *diag,
                      struct err *e) GPUTAB_MUST_CHECK;

#endif
