/* settings_find: the places as a table, in the order in which they are looked at.
 *
 * A file that is there but cannot be read is not passed over: who wrote it means it, so reading it is what fails.
 * This module reads no file. */
#include "gputab/cli/settings_find.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "gputab/base/utf8.h"

/* ---- places ---- */

static const char variable[] = "GPUTAB_CONFIG";

static char *of_option(const char *config)
{
    return config ? xstrdup(config) : NULL;
}

static char *of_variable(const char *unused)
{
    const char *value = getenv(variable);

    (void)unused;
    return value && *value ? xstrdup(value) : NULL;
}

static char *of_folder(const char *unused)
{
    (void)unused;
    return xstrdup("gputab.yaml");
}

/* A relative $XDG_CONFIG_HOME does not count, as its specification has it. */
static char *of_user(const char *unused)
{
    const char *xdg = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");
    struct buf path = {0};

    (void)unused;
    if (xdg && *xdg == '/')
        buf_addf(&path, "%s/gputab/gputab.yaml", xdg);
    else if (home && *home)
        buf_addf(&path, "%s/.config/gputab/gputab.yaml", home);
    return path.n > 0 ? buf_take(&path) : NULL;
}

static char *of_system(const char *unused)
{
    (void)unused;
    return xstrdup("/etc/gputab/gputab.yaml");
}

static const struct {
    const char *why;
    bool named;                    /* it must be there */
    char *(*path)(const char *config);     /* NULL: it says none */
} places[] = {
    { "named by --config", true, of_option },
    { "named by GPUTAB_CONFIG", true, of_variable },
    { "in this folder", false, of_folder },
    { "the user's", false, of_user },
    { "the system's", false, of_system },
};

/* ---- looking ---- */

static bool says_none(const char *config)
{
    const char *value = getenv(variable);

    return !config && value && !*value;
}

static int take(struct settings_find *f, char *path, const char *why, struct err *e)
{
    f->path = path;
    f->why = why;
    return strcmp(path, "-") == 0 ? err_set(e, ERR_USAGE, "settings cannot be standard input: they are %s", why) : 0;
}

int settings_find(struct settings_find *f, const char *config, struct err *e)
{
    if (says_none(config)) {
        f->why = "GPUTAB_CONFIG is empty";
        return 0;
    }
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        char *path = places[i].path(config);

        if (path && (places[i].named || access(path, F_OK) == 0))
            return take(f, path, places[i].why, e);
        if (path)
            vec_push(&f->missed, path);
    }
    return 0;
}

void settings_find_free(struct settings_find *f)
{
    for (size_t i = 0; i < f->missed.n; i++)
        free(f->missed.v[i]);
    vec_free(&f->missed);
    free(f->path);
    *f = (struct settings_find){0};
}

void settings_find_add_text(struct buf *b, const struct settings_find *f)
{
    buf_adds(b, f->path ? "settings from " : "no settings");
    utf8_add_printable(b, span_of(f->path));
    if (f->why)
        buf_addf(b, ": %s", f->why);
    for (size_t i = 0; i < f->missed.n; i++) {
        buf_adds(b, i > 0 ? ", " : f->path ? "; looked before for " : "; looked for ");
        utf8_add_printable(b, span_of(f->missed.v[i]));
    }
}
