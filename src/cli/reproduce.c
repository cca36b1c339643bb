/* reproduce: walks the table of options and spells those that were given, so that a new option needs no line here. What the settings
 * gave stays theirs: the command names their file. */
#include "gputab/cli/reproduce.h"

#include <string.h>

/* Not what decides the figures, or said in another way. */
static bool is_left_out(const char *name)
{
    static const char *const names[] = {"month", "last-month", "this-month", "from", "to", "config", "format", "output", "quiet",
                                        "verbose"};

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return false;
}

static void add_word(struct buf *b, struct span word)
{
    static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-./:=,+@%";
    size_t n = 0;

    while (n < word.n && strchr(plain, word.p[n]))
        n++;
    buf_addc(b, ' ');
    if (word.n && n == word.n) {
        buf_add_span(b, word);
        return;
    }
    buf_addc(b, '\'');
    for (size_t i = 0; i < word.n; i++) {
        if (word.p[i] == '\'')
            buf_adds(b, "'\\'");
        buf_addc(b, word.p[i]);
    }
    buf_addc(b, '\'');
}

/* "https://user@host/" without the user. */
static void add_value(struct buf *b, const char *text)
{
    const char *host = strstr(text, "://"), *at;
    struct buf shown = {0};

    if (host) {
        host += 3;
        at = memchr(host, '@', strcspn(host, "/"));
        buf_add(&shown, text, (size_t)(host - text));
        buf_adds(&shown, at ? at + 1 : host);
    } else {
        buf_adds(&shown, text);
    }
    add_word(b, buf_span(&shown));
    buf_free(&shown);
}

static void add_option(struct buf *b, const struct opt *o, const void *args)
{
    const char *field = (const char *)args + o->offset;

    if (o->type == OPT_FLAG && *(const bool *)field)
        buf_addf(b, " --%s", o->name);
    if ((o->type == OPT_TEXT || o->type == OPT_CHOICE) && *(const char *const *)(const void *)field) {
        buf_addf(b, " --%s", o->name);
        add_value(b, *(const char *const *)(const void *)field);
    }
    if (o->type == OPT_LIST) {
        const struct opt_list *list = (const void *)field;

        for (size_t i = 0; i < list->n; i++) {
            buf_addf(b, " --%s", o->name);
            add_value(b, list->v[i]);
        }
    }
}

static void add_time(struct buf *b, const char *option, time_ms t)
{
    buf_addf(b, " --%s ", option);
    time_add_text(b, t);
}

void reproduce_add(struct buf *b, const struct report_args *a, struct timespan period)
{
    struct opt_walk w = {report_opts};
    struct opt o;

    buf_adds(b, "gputab report");
    add_time(b, "from", period.from);
    add_time(b, "to", period.to);
    if (a->found.path) {
        buf_adds(b, " --config");
        add_value(b, a->found.path);
    }
    while (opt_walk_next(&w, &o))
        if (o.name && o.type != OPT_HEADING && !is_left_out(o.name))
            add_option(b, &o, a);
}
