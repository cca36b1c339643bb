/* rule_draft: the scalars of a rule, typed by what the schema expects and by nothing else.
 *
 * YAML hands over texts; here they become names, prices, percentages, durations and instants, or an error that says what would
 * have been right. What is valid but has no effect in this version is noted, and the note becomes the error once the whole file
 * has proved to be in order: so a mistake is told before a wish.
 * This module knows no key of the rule. */
#include "gputab/source/rule_draft.h"

#include <stdio.h>
#include <string.h>

#include "gputab/base/buf.h"

static struct rule_draft *draft_of(struct yaml_binder *b)
{
    return b->owner;
}

/* --- text --- */

int rule_read_text(struct yaml_binder *b, const struct yaml_node *value, void *target, const void *unused)
{
    (void)unused;
    if (yaml_expect(b, value, YAML_TEXT) < 0 || yaml_check_text(b, value) < 0)
        return -1;
    *(const char **)target = arena_strdup(&draft_of(b)->rule.strings, value->text);
    return 0;
}

int rule_check_team(struct yaml_binder *b, const struct yaml_node *text)
{
    struct span s = span_of(text->text);

    if (yaml_check_text(b, text) < 0)
        return -1;
    if (!span_starts(s, "(") || !span_ends(s, ")"))
        return 0;
    yaml_fail(b, text, "\"%s\" looks like a bucket", yaml_show(text->text).s);
    return err_hint(b->e, "names in parentheses are kept for buckets");
}

int rule_read_team(struct yaml_binder *b, const struct yaml_node *value, void *target, const void *unused)
{
    (void)unused;
    if (yaml_expect(b, value, YAML_TEXT) < 0 || rule_check_team(b, value) < 0)
        return -1;
    *(const char **)target = arena_strdup(&draft_of(b)->rule.strings, value->text);
    return 0;
}

int rule_read_texts(struct yaml_binder *b, const struct yaml_node *value, void *target, const void *unused)
{
    const char **texts;
    size_t i = 0;

    (void)unused;
    if (yaml_expect(b, value, YAML_LIST) < 0)
        return -1;
    texts = arena_alloc(&draft_of(b)->rule.strings, (value->n + 1) * sizeof *texts);
    for (const struct yaml_node *v = value->child; v; v = v->next)
        if (rule_read_text(b, v, &texts[i++], NULL) < 0)
            return -1;
    texts[i] = NULL;
    *(const char ***)target = texts;
    return 0;
}

/* --- numbers --- */

/* Like the amounts of a bill, a number with more decimals than money holds is rounded and counted. */
static int parse_number(struct yaml_binder *b, const struct yaml_node *value, struct span s, money *out)
{
    struct diag *diag = draft_of(b)->diag;
    bool rounded = false;

    if (money_parse(s, out, &rounded) < 0)
        return -1;
    if (rounded && diag) {
        diag_add(diag, "W205", "%s:%lld:%lld: %s has more than %d decimals; it is rounded", b->doc->name,
                 (long long)value->line, (long long)value->column, yaml_show(yaml_name(value)).s, MONEY_DECIMALS);
        diag_hint(diag, "W205", "write at most %d decimals", MONEY_DECIMALS);
    }
    return 0;
}

int rule_read_price(struct yaml_binder *b, const struct yaml_node *value, void *target, const void *unused)
{
    const char *name = yaml_name(value);
    money *out = target;

    (void)unused;
    if (yaml_expect(b, value, YAML_TEXT) < 0)
        return -1;
    if (parse_number(b, value, span_of(value->text), out) < 0)
        return yaml_fail(b, value, "%s must be a decimal number such as \"0.25\", not \"%s\"", yaml_show(name).s,
                         yaml_show(value->text).s);
    if (*out < 0)
        return yaml_fail(b, value, "%s must not be negative", yaml_show(name).s);
    if (*out > RULE_PRICE_MAX)
        return yaml_fail(b, value, "%s must not be more than 1000000", yaml_show(name).s);
    return 0;
}

static int fail_percent(struct yaml_binder *b, const struct yaml_node *value)
{
    yaml_fail(b, value, "%s must be a percentage such as \"95%%\", not \"%s\"", yaml_show(yaml_name(value)).s,
              yaml_show(value->text).s);
    return -1;
}

int rule_read_percent(struct yaml_binder *b, const struct yaml_node *value, void *target, const void *unused)
{
    struct span s;
    money *out = target;

    (void)unused;
    if (yaml_expect(b, value, YAML_TEXT) < 0)
        return -1;
    s = span_of(value->text);
    if (!span_ends(s, "%"))
        return fail_percent(b, value);
    s.n--;
    if (parse_number(b, value, s, out) < 0)
        return fail_percent(b, value);
    if (*out < 0 || *out > 100 * MONEY_ONE)
        return yaml_fail(b, value, "%s must be between 0%% and 100%%, not %s", yaml_show(yaml_name(value)).s,
                         yaml_show(value->text).s);
    return 0;
}

/* The number as short as it is exact: 99.5, not 99.500000000000. */
static void add_short(struct buf *b, money number)
{
    money_add_text(b, number, MONEY_DECIMALS);
    while (b->n && b->p[b->n - 1] == '0')
        b->p[--b->n] = '\0';
    if (b->n && b->p[b->n - 1] == '.')
        b->p[--b->n] = '\0';
}

int rule_check_sum(struct yaml_binder *b, const struct yaml_node *shares, money sum)
{
    struct buf text = {0};

    if (sum == 100 * MONEY_ONE)
        return 0;
    add_short(&text, sum);
    yaml_fail(b, shares->key, "shares must sum to 100%%, these sum to %s%%", buf_str(&text));
    buf_free(&text);
    return -1;
}

/* --- time --- */

int rule_read_duration(struct yaml_binder *b, const struct yaml_node *value, void *target, const void *arg)
{
    const struct rule_duration *limit = arg;
    const char *name = yaml_name(value);
    int64_t *out = target;

    if (yaml_expect(b, value, YAML_TEXT) < 0)
        return -1;
    if (duration_parse(span_of(value->text), out) < 0)
        return yaml_fail(b, value, "%s must be a duration such as 30s, 5m or 1h, not \"%s\"", name, yaml_show(value->text).s);
    if (*out < limit->least_ms)
        return yaml_fail(b, value, "%s must be %s", name, limit->least_ms > 0 ? "longer than 0" : "0 or longer");
    if (*out > limit->most_ms)
        return yaml_fail(b, value, "%s must not be longer than %lldd", name, (long long)(limit->most_ms / TIME_DAY));
    return 0;
}

int rule_read_time(struct yaml_binder *b, const struct yaml_node *value, void *target, const void *unused)
{
    (void)unused;
    if (yaml_expect(b, value, YAML_TEXT) < 0)
        return -1;
    if (time_parse(span_of(value->text), target) == 0)
        return 0;
    yaml_fail(b, value, "%s \"%s\" is not a date", yaml_name(value), yaml_show(value->text).s);
    return err_hint(b->e, "write 2026-10-16, or 2026-10-16T10:00Z");
}

/* --- names, lists, notes --- */

static int note_choice(struct yaml_binder *b, const struct yaml_node *value, const struct rule_choices *c)
{
    char what[128], hint[128] = "in this version: ";
    size_t n = strlen(hint);
    const char *comma = "";

    for (unsigned i = 0; c->names[i]; i++) {
        if (!(c->built >> i & 1) || n >= sizeof hint)
            continue;
        n += (size_t)snprintf(hint + n, sizeof hint - n, "%s%s", comma, c->names[i]);
        comma = ", ";
    }
    snprintf(what, sizeof what, "%s %s", c->what, value->text);
    return rule_unbuilt(b, value, what, hint);
}

int rule_read_choice(struct yaml_binder *b, const struct yaml_node *value, void *target, const void *arg)
{
    const struct rule_choices *c = arg;
    unsigned i;

    if (yaml_read_enum(b, value, &i, c->names) < 0)
        return -1;
    if (!(c->built >> i & 1))
        note_choice(b, value, c);
    i += c->first;
    memcpy(target, &i, sizeof i);
    return 0;
}

int rule_unbuilt(struct yaml_binder *b, const struct yaml_node *at, const char *what, const char *hint)
{
    struct err *note = &draft_of(b)->unbuilt;

    if (note->code != ERR_NONE)
        return 0;
    err_set(note, ERR_USAGE, "%s is not built yet in this version", what);
    err_at(note, b->doc->name, at->line, at->column);
    if (hint)
        err_hint(note, "%s", hint);
    return 0;
}
