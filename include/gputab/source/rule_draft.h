/* rule_draft: a rule while it is read, and the typed values that its keys take. Only the rule modules of source/ include this.
 * The read functions are for the tables of codec/yaml; the binder's owner is the struct rule_draft. */
#ifndef GPUTAB_SOURCE_RULE_DRAFT_H
#define GPUTAB_SOURCE_RULE_DRAFT_H

#include "gputab/base/buf.h"
#include "gputab/base/diag.h"
#include "gputab/base/err.h"
#include "gputab/codec/yaml.h"
#include "gputab/value/rule.h"

struct rule_draft {
    struct rule rule;
    struct diag *diag;             /* may be NULL */
    struct err unbuilt;            /* the first thing written that has no effect yet; raised when all else is in order */
};

/* A name out of a list: its enum value is first + its index. Those whose bit (1 << index) is not in built are noted as unbuilt. */
struct rule_choices {
    const char *what;              /* "split method": how the note calls it */
    const char *const *names;      /* NULL-terminated */
    unsigned first, built;
};

struct rule_duration {
    int64_t least_ms, most_ms;
};

#define RULE_DURATION_MAX_MS (31 * TIME_DAY)
#define RULE_PRICE_MAX (1000000 * MONEY_ONE)

/* Targets: const char * in the rule's arena (checked by yaml_check_text); the same, no bucket's name;
 * const char ** NULL-terminated; money; money, percent; int64_t (arg: struct rule_duration); an enum (arg: struct rule_choices). */
yaml_read rule_read_text, rule_read_team, rule_read_texts, rule_read_price, rule_read_percent, rule_read_duration, rule_read_choice;
/* time_ms */
yaml_read rule_read_time;

/* A text that may be a key as well: the same checks as rule_read_team. */
int rule_check_team(struct yaml_binder *b, const struct yaml_node *text) GPUTAB_MUST_CHECK;

/* An error at the key of `shares` unless sum is 100 %. */
int rule_check_sum(struct yaml_binder *b, const struct yaml_node *shares, money sum) GPUTAB_MUST_CHECK;

/* Parts of reading a rule (rule.c), for those who read one in another way. The binder's owner is the draft.
 * The file's text; what it says as a document, of the right schema, which becomes the binder's; the values of a map of the rule's keys;
 * what concerns several keys, and what has no effect yet. */
int rule_load(const char *path, struct buf *text, struct err *e) GPUTAB_MUST_CHECK;
int rule_read_document(struct yaml_binder *b, struct span text, const char *path, struct yaml_doc *doc) GPUTAB_MUST_CHECK;
int rule_bind(struct yaml_binder *b, const struct yaml_node *map) GPUTAB_MUST_CHECK;
int rule_check(struct yaml_binder *b) GPUTAB_MUST_CHECK;

/* Notes that `what` is written but has no effect yet. Returns 0: reading goes on, the note is raised at the end. */
int rule_unbuilt(struct yaml_binder *b, const struct yaml_node *at, const char *what, const char *hint);

#endif
