/* entry_store: the sums of rows that may become charges, by their keys. There may be millions: each takes 80 bytes, and some ten in an
 * index of keys, which goes when no key comes any more. */
#ifndef GPUTAB_SOURCE_ENTRY_STORE_H
#define GPUTAB_SOURCE_ENTRY_STORE_H

#include "gputab/base/err.h"
#include "gputab/source/bill_dialect.h"
#include "gputab/source/bill_entry.h"

/* What input can drive: rows of one entry, and different sizes of machines. */
enum { ENTRY_ROWS_MAX = (1 << 30) - 1, ENTRY_SIZES_MAX = 1 << 22 };

struct entry_store;

struct entry_store *entry_store_new(void);
void entry_store_free(struct entry_store *s);                /* NULL allowed */
uint32_t entry_store_count(const struct entry_store *s);

/* The number of the key's entry, which is added when there is none: the count before is its number then. */
uint32_t entry_store_put(struct entry_store *s, const struct bill_key *key);

/* Errors carry no place. */
int entry_store_add(struct entry_store *s, uint32_t number, const struct bill_row *row, struct err *e) GPUTAB_MUST_CHECK;

/* No key is put any more: the index goes. */
void entry_store_close(struct entry_store *s);

struct bill_entry entry_store_at(const struct entry_store *s, uint32_t number);
struct bill_key entry_store_key(const struct entry_store *s, uint32_t number);

#endif
