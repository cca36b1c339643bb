/* yaml: one YAML document as a tree of texts, lists and maps that remember where they stand, and a binder that reads maps by tables.
 *
 * Scalars are never typed here: `no`, `0042`, `1e3` and `~` are texts; who reads them knows what they should be. Refused, with
 * their place: aliases, anchors, tags, directives, a second document, duplicate keys, keys that are no text, unquoted text over
 * several lines, tabs in the indentation, control characters (escaped ones too), bytes that are not UTF-8, nests deeper than
 * YAML_DEPTH, more than YAML_BYTES bytes. Errors are ERR_USAGE: YAML is what settings and rules are written in. */
#ifndef GPUTAB_CODEC_YAML_H
#define GPUTAB_CODEC_YAML_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "gputab/base/arena.h"
#include "gputab/base/err.h"
#include "gputab/base/span.h"

enum { YAML_BYTES = 1024 * 1024, YAML_DEPTH = 32, YAML_TEXT_MAX = 256 };   /* the last: characters */

enum yaml_kind { YAML_TEXT, YAML_LIST, YAML_MAP };

/* A value. `child` and `next` walk the items of a list or the values of a map in the order of the file. */
struct yaml_node {
    enum yaml_kind kind;
    bool plain;                    /* a text without quotes */
    bool flow;                     /* a list or map in brackets */
    int64_t line, column;          /* 1-based, characters */
    const char *text;              /* TEXT: one line; "" also when nothing is written (then plain is set) */
    const struct yaml_node *key;   /* the key it stands under; of an item: its list's; of a key: its map's; NULL: the root's */
    struct yaml_node *child, *next;
    size_t n;                      /* children */
};

struct yaml_doc {
    struct arena nodes;
    const char *name;              /* borrowed: the file's name in messages */
    const struct yaml_node *root;  /* NULL: nothing is written */
};

/* Reads text into *doc, which is zeroed by the caller and released by yaml_doc_free, also after an error. name must live as long. */
int yaml_doc_read(struct span text, const char *name, struct yaml_doc *doc, struct err *e) GPUTAB_MUST_CHECK;
void yaml_doc_free(struct yaml_doc *doc);

/* The value under key in a map, or NULL. */
const struct yaml_node *yaml_get(const struct yaml_node *map, const char *key);

/* --- reading by tables --- */

struct yaml_binder {
    const struct yaml_doc *doc;
    void *owner;                   /* the caller's own, for its read functions */
    struct arena *texts;           /* where yaml_read_text and those after it keep what they read; NULL: they are not used */
    struct err *e;
};

/* Reads value into *target. Returns 0, or -1 with an error at its place. arg is the one of the table's row. */
typedef int yaml_read(struct yaml_binder *b, const struct yaml_node *value, void *target, const void *arg);

struct yaml_key {
    const char *name;
    yaml_read *read;
    size_t offset;                 /* of the target in the struct that the map is bound to */
    const void *arg;
};

struct yaml_schema {
    const struct yaml_key *keys;
    size_t n;
};

#define YAML_SCHEMA(rows) { (rows), sizeof(rows) / sizeof *(rows) }

/* Binds a map's values in the order of the file. An unknown key is an error with the nearest name, a key without a value too. */
int yaml_bind(struct yaml_binder *b, const struct yaml_node *map, const struct yaml_schema *schema, void *target) GPUTAB_MUST_CHECK;

/* Read functions for tables. Targets: the struct that the outer map is bound to (arg: struct yaml_schema); a
 * `const struct yaml_node *` (no arg); an enum that counts from 0 (arg: const char *const *, its names, NULL-terminated); none (arg: the
 * schema's name, which the value must be). */
yaml_read yaml_read_map, yaml_read_node, yaml_read_enum, yaml_read_schema;

/* Likewise, kept in b->texts: a text (`const char *`); a text or a list of 1 to YAML_TEXTS_MAX (`const char *const *`, ended by NULL); the
 * code of a currency (`const char *`). No arg. */
enum { YAML_TEXTS_MAX = 1000 };
yaml_read yaml_read_text, yaml_read_texts, yaml_read_currency;

/* Whether the document is a map that has the schema of that name. Before binding: of another kind of file, that is what should be said. */
int yaml_check_schema(struct yaml_binder *b, const char *name) GPUTAB_MUST_CHECK;

/* 0 when value is of that kind and (a text) written at all; else the error: "team must be text, not a list". */
int yaml_expect(const struct yaml_binder *b, const struct yaml_node *value, enum yaml_kind kind) GPUTAB_MUST_CHECK;

/* A text, of a key as well: not empty, no white space at its ends, no longer than YAML_TEXT_MAX. */
int yaml_check_text(const struct yaml_binder *b, const struct yaml_node *text) GPUTAB_MUST_CHECK;

/* Every item of a list must be a map; each is read by item(). */
typedef int yaml_read_item(struct yaml_binder *b, const struct yaml_node *item);
int yaml_read_items(struct yaml_binder *b, const struct yaml_node *list, yaml_read_item *item) GPUTAB_MUST_CHECK;

/* Sets an error at the place of a node. Returns -1. */
int yaml_fail(const struct yaml_binder *b, const struct yaml_node *at, const char *fmt, ...) GPUTAB_PRINTF(3, 4);

/* What messages call a value ("team"), and a text short enough to be shown in one. */
const char *yaml_name(const struct yaml_node *value);
struct yaml_shown { char s[72]; };
struct yaml_shown yaml_show(const char *text);

#endif
