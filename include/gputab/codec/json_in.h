/* json_in: a tokenizer for JSON (RFC 8259) that is fed pieces of any size and keeps no tree.
 *
 * Each token goes to a handler as it ends, so that a document may be larger than memory. How the input is cut into pieces never shows.
 * Texts are valid UTF-8 with their escapes undone and may hold any character, also U+0000. Errors: a nest deeper than JSON_IN_DEPTH, a
 * string over JSON_IN_STRING bytes, a number over JSON_IN_NUMBER bytes, and everything that is no JSON. Names that stand twice in one
 * object, and what numbers are good for, are the handler's business. */
#ifndef GPUTAB_CODEC_JSON_IN_H
#define GPUTAB_CODEC_JSON_IN_H

#include <stdbool.h>
#include <stddef.h>

#include "gputab/base/err.h"
#include "gputab/base/span.h"

enum { JSON_IN_DEPTH = 64, JSON_IN_STRING = 1 << 20, JSON_IN_NUMBER = 1024 };

enum json_in_kind {
    JSON_IN_OBJECT, JSON_IN_OBJECT_END, JSON_IN_ARRAY, JSON_IN_ARRAY_END,
    JSON_IN_NAME,                  /* of the member whose value follows */
    JSON_IN_STRING_VALUE, JSON_IN_NUMBER_VALUE, JSON_IN_TRUE, JSON_IN_FALSE, JSON_IN_NULL
};

/* text: of names, strings and numbers, the latter as written; valid during the call. Returns 0, or -1 with *e set, which ends the
 * reading; the token's place is added. */
typedef int (*json_in_handler)(void *ctx, enum json_in_kind kind, struct span text, struct err *e);

struct json_in;

struct json_in *json_in_new(json_in_handler handler, void *ctx);
void json_in_free(struct json_in *j);                        /* NULL allowed */
void json_in_reset(struct json_in *j);                       /* ready for another document */

/* Reads the next piece. -1 with *e set (ERR_INPUT, line and column of the place where it went wrong). After that only a reset helps. */
int json_in_feed(struct json_in *j, const char *p, size_t n, struct err *e) GPUTAB_MUST_CHECK;

/* For a handler of the end of the outermost container: another document may follow. */
void json_in_expect_another(struct json_in *j);

/* For a handler of the beginning of an array: its items that are a number and a plain text, [1,"a"], may go to `pair` as a whole, which
 * says whether it takes one. It does with it what the handler does with its tokens; where that would be an error, it does not take it. What
 * is not taken, cut by the end of a piece, or written in another way comes as tokens. This is for one array at a time, and none within. */
typedef bool (*json_in_pair)(void *ctx, struct span number, struct span text);
void json_in_expect_pairs(struct json_in *j, json_in_pair pair);

/* Says that no piece follows: -1 when the document is not complete. */
int json_in_end(struct json_in *j, struct err *e) GPUTAB_MUST_CHECK;

#endif
