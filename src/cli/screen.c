/* screen: asks the environment and the terminals, so that render/ needs neither.
 * The locale is looked at for its character set alone and never installed: numbers look the same everywhere. */
#include "gputab/cli/screen.h"

#include <langinfo.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { WIDTH_DEFAULT = 100, WIDTH_LEAST = 20, WIDTH_MOST = 1000, HELP_LEAST = 60, HELP_DEFAULT = 80, HELP_MOST = 100, REDRAW_DEFAULT = 80 };

static bool is_set(const char *name)
{
    const char *value = getenv(name);

    return value && *value;
}

/* 0: unknown. */
static int columns_of(const char *text)
{
    char *end;
    long n;

    if (!text || !*text)
        return 0;
    n = strtol(text, &end, 10);
    return *end || n < WIDTH_LEAST || n > WIDTH_MOST ? 0 : (int)n;
}

static int columns(void)
{
    struct winsize size;
    int n = columns_of(getenv("COLUMNS"));

    if (n)
        return n;
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col >= WIDTH_LEAST && size.ws_col <= WIDTH_MOST)
        return size.ws_col;
    return 0;
}

static bool shows_utf8(void)
{
    locale_t l = newlocale(LC_CTYPE_MASK, "", (locale_t)0);
    bool utf8;

    if (!l)
        return false;
    utf8 = strcmp(nl_langinfo_l(CODESET, l), "UTF-8") == 0;
    freelocale(l);
    return utf8;
}

static bool is_dumb(void)
{
    const char *term = getenv("TERM");

    return !term || !*term || strcmp(term, "dumb") == 0;
}

static bool draws(int fd)
{
    return isatty(fd) && !is_set("NO_COLOR") && shows_utf8();
}

void screen_fill_cfg(struct render_cfg *cfg)
{
    int n = columns();

    cfg->width = n ? n : WIDTH_DEFAULT;
    cfg->terminal = draws(STDOUT_FILENO);
    cfg->colour = cfg->terminal && !is_dumb();
    cfg->ascii = isatty(STDOUT_FILENO) && !shows_utf8();
}

size_t screen_help_width(void)
{
    int n = columns();

    if (!n)
        return HELP_DEFAULT;
    return (size_t)(n < HELP_LEAST ? HELP_LEAST : n > HELP_MOST ? HELP_MOST : n);
}

/* A terminal that controls nobody has no foreground: whoever writes to it is in front. */
static bool in_foreground(int fd)
{
    pid_t front = tcgetpgrp(fd);

    return front < 0 || front == getpgrp();
}

/* A line that is longer than a row could not be erased: here COLUMNS does not come before what the terminal says. */
bool screen_can_redraw(struct ink *k)
{
    struct winsize size;
    int n = columns_of(getenv("COLUMNS"));

    if (!isatty(STDERR_FILENO) || is_dumb() || !in_foreground(STDERR_FILENO))
        return false;
    k->width = (size_t)(n ? n : REDRAW_DEFAULT);
    if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
        k->width = size.ws_col;
    k->colour = k->drawing = draws(STDERR_FILENO);
    return true;
}
