/* fingerprint: 128 bits that stand for a text, keyed by a secret of the process: nobody can make two texts that have the same one, and by
 * chance it does not happen. Fingerprints of one process mean nothing to another: they must never decide an order.
 *
 * It is SipHash-1-3 with 128 bits, by Aumasson and Bernstein (https://www.aumasson.jp/siphash/siphash.pdf). */
#ifndef GPUTAB_BASE_FINGERPRINT_H
#define GPUTAB_BASE_FINGERPRINT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "gputab/base/span.h"

struct fingerprint {
    uint64_t low, high;
};

struct fingerprint_key {
    uint64_t low, high;
};

/* A key that nobody knows. */
struct fingerprint_key fingerprint_new_key(void);

struct fingerprint fingerprint_of(struct fingerprint_key key, struct span text);

/* The same of a text that comes in pieces, cut anywhere. */
struct fingerprint_stream {
    struct fingerprint_state { uint64_t a, b, c, d; } state;
    char tail[8];                  /* the last n % 8 bytes */
    size_t n;
};
struct fingerprint_stream fingerprint_begin(struct fingerprint_key key);
void fingerprint_add(struct fingerprint_stream *s, const void *p, size_t n);
struct fingerprint fingerprint_end(const struct fingerprint_stream *s);

/* 64 bits without a key, alike in every process: to put texts into an order that has no meaning. It takes a third of the time, and those
 * who want to can make two texts that have the same. */
uint64_t fingerprint_order(struct span text);

/* From fingerprints to numbers. {0} is empty. */
struct fingerprint_map {
    struct fingerprint_slot *slots;
    size_t mask;                   /* slots - 1 */
    struct fingerprint_entry *v;   /* in the order in which they came */
    size_t n, cap;
};
/* Room for n of them, so that they come in without the table growing step by step. */
void fingerprint_map_reserve(struct fingerprint_map *m, size_t n);
/* Where the number of the fingerprint stands; *found: whether it was there. The place is good until the next call. */
uint32_t *fingerprint_map_at(struct fingerprint_map *m, struct fingerprint f, bool *found);
/* The number of one that is there; NULL: it is not. */
const uint32_t *fingerprint_map_find(const struct fingerprint_map *m, struct fingerprint f);
void fingerprint_map_free(struct fingerprint_map *m);

#endif
