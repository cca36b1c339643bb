/* json_out: a writer that streams JSON into a buf. Knows bytes and nesting only; what the members mean is the caller's business.
 *
 * `struct json_out j; json_out_init(&j, &out); json_out_object(&j, JSON_OUT_LINES); json_out_key(&j, "a"); json_out_int(&j, 1);
 * json_out_end(&j);`
 * Numbers are integers or decimal texts, never binary floating point. Strings become valid UTF-8: malformed bytes turn into U+FFFD.
 * Misuse (a value without key, an end too many) is a fault of the program and asserted. */
#ifndef GPUTAB_CODEC_JSON_OUT_H
#define GPUTAB_CODEC_JSON_OUT_H

#include <stdbool.h>
#include <stdint.h>

#include "gputab/base/buf.h"
#include "gputab/base/span.h"

/* LINES puts each member on a line of its own, indented by two per level, `"key": value`; INLINE writes everything below on the
 * container's line without blanks. Below INLINE all is inline. An empty container is {} or [] in both. */
enum json_out_layout { JSON_OUT_LINES, JSON_OUT_INLINE };

enum { JSON_OUT_DEPTH = 16 };

struct json_out_level {
    char close;                    /* '}' or ']' */
    bool in_line;
    bool filled;                   /* has a member */
};

struct json_out {
    struct buf *out;               /* borrowed */
    int depth;                     /* open containers */
    bool after_key;
    struct json_out_level levels[JSON_OUT_DEPTH];
};

void json_out_init(struct json_out *j, struct buf *out);
void json_out_object(struct json_out *j, enum json_out_layout layout);
void json_out_array(struct json_out *j, enum json_out_layout layout);
void json_out_end(struct json_out *j);                               /* of the innermost open container */
void json_out_key(struct json_out *j, const char *key);
void json_out_span(struct json_out *j, struct span s);               /* a string */
void json_out_text(struct json_out *j, const char *s);               /* a string; NULL gives null */
void json_out_decimal(struct json_out *j, struct span number);       /* a number, as is: "-12.50"; asserted to be one */
void json_out_int(struct json_out *j, int64_t n);
void json_out_bool(struct json_out *j, bool value);
void json_out_null(struct json_out *j);

/* Appends s as a quoted JSON string, outside any container. */
void json_out_add_quoted(struct buf *b, struct span s);

#endif
