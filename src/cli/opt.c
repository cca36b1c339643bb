/* opt: parses a command line against a table of options and writes the same table as help.
 * An own parser rather than getopt_long: that one accepts prefixes of names, prints by itself and can't say what was meant.
 * Accepted: --name VALUE, --name=VALUE, -o VALUE, -oVALUE, bundled flags (-qv), "--" before operands that begin with a dash. A value
 * that begins with a dash (but "-" itself) needs the form with "=", so that a forgotten value never swallows the next option.
 * It knows no command and no meaning: checks across options are the command's. */
#include "gputab/cli/opt.h"

#include <stdlib.h>
#include <string.h>

#include "gputab/base/nearest.h"
#include "gputab/base/span.h"
#include "gputab/base/utf8.h"

struct parser {
    const struct opt *opts;
    struct opt found;              /* the option at hand */
    int argc;
    const char *const *argv;
    int next;                      /* the next argument to look at */
    void *args;
    struct opt_list *operands;     /* NULL: none allowed */
    struct err *e;
};

void opt_list_free(struct opt_list *l)
{
    vec_free(l);
}

static bool is_option(const struct opt *o)
{
    return o->type != OPT_HEADING;
}

static bool takes_value(const struct opt *o)
{
    return o->type == OPT_TEXT || o->type == OPT_CHOICE || o->type == OPT_LIST;
}

bool opt_walk_next(struct opt_walk *w, struct opt *row)
{
    if (w->next->type == OPT_STOP && w->outer) {
        w->next = w->outer;
        w->outer = NULL;
        w->base = 0;
    }
    if (w->next->type == OPT_TABLE) {
        w->outer = w->next + 1;
        w->base = w->next->offset;
        w->next = w->next->table;
    }
    if (w->next->type == OPT_STOP)
        return false;
    *row = *w->next++;
    row->offset += w->base;
    return true;
}

/* Until the next search; NULL: there is none. */
static const struct opt *find_name(struct parser *p, struct span name)
{
    struct opt_walk w = {p->opts};

    while (opt_walk_next(&w, &p->found))
        if (is_option(&p->found) && p->found.name && span_eq(name, p->found.name))
            return &p->found;
    return NULL;
}

static const struct opt *find_letter(struct parser *p, char letter)
{
    struct opt_walk w = {p->opts};

    while (opt_walk_next(&w, &p->found))
        if (is_option(&p->found) && p->found.letter && p->found.letter == letter)
            return &p->found;
    return NULL;
}

/* "--output" or "-o", as messages write it. */
static const char *spell(const struct opt *o, char out[80])
{
    struct buf b = {0};

    if (o->name)
        buf_addf(&b, "--%.60s", o->name);
    else
        buf_addf(&b, "-%c", o->letter);
    memcpy(out, buf_str(&b), b.n + 1);
    buf_free(&b);
    return out;
}

static bool is_planned(const struct opt *o, const char *value)
{
    for (const char *const *p = o->planned; p && *p; p++)
        if (strcmp(*p, value) == 0)
            return true;
    return false;
}

static int refuse_choice(const struct opt *o, const char *value, struct err *e)
{
    struct nearest near = nearest_to(value);
    struct buf all = {0};
    char name[80];

    for (size_t i = 0; o->choice(i); i++) {
        nearest_try(&near, o->choice(i));
        buf_addf(&all, "%s%s", i ? ", " : "", o->choice(i));
    }
    if (is_planned(o, value))
        err_set(e, ERR_USAGE, "%s \"%s\" is not built yet in this version", spell(o, name), value);
    else
        err_set(e, ERR_USAGE, "%s knows no \"%s\"", spell(o, name), value);
    if (near.name && !is_planned(o, value))
        err_hint(e, "did you mean \"%s\"? It knows %s", near.name, buf_str(&all));
    else
        err_hint(e, "it knows %s", buf_str(&all));
    buf_free(&all);
    return -1;
}

static bool is_choice(const struct opt *o, const char *value)
{
    for (size_t i = 0; o->choice(i); i++)
        if (strcmp(o->choice(i), value) == 0)
            return true;
    return false;
}

/* Values are kept for good once they are checked; the same value twice is harmless, another one would silently replace the first. */
static int keep_text(const struct opt *o, const char *value, const char **field, struct err *e)
{
    char name[80];

    if (o->type == OPT_CHOICE && !is_choice(o, value))
        return refuse_choice(o, value, e);
    if (*field && strcmp(*field, value) != 0)
        return err_set(e, ERR_USAGE, "%s is given twice, as \"%s\" and as \"%s\"", spell(o, name), *field, value);
    *field = value;
    return 0;
}

static int keep_value(struct parser *p, const struct opt *o, const char *value)
{
    void *field = (char *)p->args + o->offset;
    char name[80];

    if (!*value) {
        err_set(p->e, ERR_USAGE, "%s has an empty value", spell(o, name));
        return err_hint(p->e, "give a %s, or leave the option out", o->value);
    }
    if (o->type != OPT_LIST)
        return keep_text(o, value, field, p->e);
    vec_push((struct opt_list *)field, value);
    return 0;
}

/* An option without value: 1 when it asks for help. */
static int keep_flag(struct parser *p, const struct opt *o)
{
    char name[80];

    if (o->type == OPT_PLANNED)
        return err_set(p->e, ERR_USAGE, "%s is not built yet in this version", spell(o, name));
    if (o->type == OPT_HELP)
        return 1;
    *(bool *)((char *)p->args + o->offset) = true;
    return 0;
}

/* The value that follows as an argument of its own. */
static int keep_next(struct parser *p, const struct opt *o)
{
    char name[80];
    const char *value = p->next < p->argc ? p->argv[p->next] : NULL;

    if (!value || (value[0] == '-' && value[1])) {
        err_set(p->e, ERR_USAGE, "%s needs a value: %s", spell(o, name), o->value);
        return value && o->name ? err_hint(p->e, "a value that begins with a dash is written %s=VALUE", name) : -1;
    }
    p->next++;
    return keep_value(p, o, value);
}

static int refuse_unknown(const struct parser *p, struct span name)
{
    char *word = xstrndup(name.p, name.n);
    struct nearest near = nearest_to(word);
    struct opt_walk w = {p->opts};
    struct opt o;

    while (opt_walk_next(&w, &o))
        if (is_option(&o) && o.name && o.type != OPT_PLANNED)
            nearest_try(&near, o.name);
    err_set(p->e, ERR_USAGE, "unknown option \"--%s\"", word);
    if (near.name)
        err_hint(p->e, "did you mean \"--%s\"?", near.name);
    free(word);
    return -1;
}

static int parse_long(struct parser *p, const char *text)
{
    const char *equals = strchr(text, '=');
    struct span name = {text, equals ? (size_t)(equals - text) : strlen(text)};
    const struct opt *o = find_name(p, name);
    char spelled[80];

    if (!o)
        return refuse_unknown(p, name);
    if (takes_value(o))
        return equals ? keep_value(p, o, equals + 1) : keep_next(p, o);
    if (equals && o->type != OPT_PLANNED)
        return err_set(p->e, ERR_USAGE, "%s takes no value", spell(o, spelled));
    return keep_flag(p, o);
}

/* "-month" is a slip for "--month" more often than six letters. */
static int refuse_letter(struct parser *p, const char *text)
{
    const char *end = text;

    utf8_next(&end, text + strlen(text));
    err_set(p->e, ERR_USAGE, "unknown option \"-%.*s\"", (int)(end - text), text);
    return find_name(p, span_of(text)) ? err_hint(p->e, "did you mean \"--%s\"?", text) : -1;
}

/* A run of letters: flags, of which the last may be one with a value. */
static int parse_letters(struct parser *p, const char *text)
{
    int rc = 0;

    if (strlen(text) > 1 && find_name(p, span_of(text)) && !find_letter(p, *text))
        return refuse_letter(p, text);
    for (; *text && rc == 0; text++) {
        const struct opt *o = find_letter(p, *text);

        if (!o)
            return refuse_letter(p, text);
        if (takes_value(o))
            return text[1] ? keep_value(p, o, text + 1) : keep_next(p, o);
        rc = keep_flag(p, o);
    }
    return rc;
}

static int keep_operand(struct parser *p, const char *text)
{
    if (!p->operands)
        return err_set(p->e, ERR_USAGE, "unexpected argument \"%s\"", text);
    vec_push(p->operands, text);
    return 0;
}

int opt_parse(const struct opt *opts, int argc, const char *const *argv, void *args, struct opt_list *operands, struct err *e)
{
    struct parser p = {.opts = opts, .argc = argc, .argv = argv, .args = args, .operands = operands, .e = e};
    bool only_operands = false;
    int rc = 0;

    while (p.next < argc && rc == 0) {
        const char *arg = argv[p.next++];

        if (only_operands || arg[0] != '-' || !arg[1])
            rc = keep_operand(&p, arg);
        else if (arg[1] != '-')
            rc = parse_letters(&p, arg + 1);
        else if (arg[2])
            rc = parse_long(&p, arg + 2);
        else
            only_operands = true;
    }
    return rc;
}
