/* opt_help: the --help lines of a table of options: spellings left, texts right, wrapped.
 * It only reads the table; parsing is opt.c's, and where the text goes the caller's. */
#include <string.h>

#include "gputab/cli/opt.h"

enum { HELP_COLUMN = 26 };         /* where the texts begin */

/* "  -o, --output FILE" */
static void add_spelling(struct buf *b, const struct opt *o)
{
    if (o->letter)
        buf_addf(b, "  -%c%s", o->letter, o->name ? ", " : "");
    else
        buf_adds(b, "      ");
    if (o->name)
        buf_addf(b, "--%s", o->name);
    if (o->value)
        buf_addf(b, " %s", o->value);
}

/* Words of text from the current column on, broken before `width`, continued at HELP_COLUMN. */
static void add_wrapped(struct buf *b, const char *text, size_t width)
{
    size_t column = HELP_COLUMN;

    while (*text) {
        size_t n = strcspn(text, " ");

        if (column > HELP_COLUMN && column + 1 + n > width) {
            buf_addc(b, '\n');
            buf_fill(b, ' ', HELP_COLUMN);
            column = HELP_COLUMN;
        } else if (column > HELP_COLUMN) {
            buf_addc(b, ' ');
            column++;
        }
        buf_add(b, text, n);
        column += n;
        text += n + (text[n] == ' ');
    }
}

static void add_choices(struct buf *b, const struct opt *o)
{
    buf_adds(b, ": ");
    for (size_t i = 0; o->choice(i); i++)
        buf_addf(b, "%s%s", i ? ", " : "", o->choice(i));
}

static void add_row(struct buf *b, const struct opt *o, size_t width)
{
    struct buf left = {0}, text = {0};

    add_spelling(&left, o);
    buf_adds(&text, o->help);
    if (o->type == OPT_CHOICE)
        add_choices(&text, o);
    buf_add_span(b, buf_span(&left));
    if (left.n + 2 > HELP_COLUMN) {
        buf_addc(b, '\n');
        buf_fill(b, ' ', HELP_COLUMN);
    } else {
        buf_fill(b, ' ', HELP_COLUMN - left.n);
    }
    add_wrapped(b, buf_str(&text), width);
    buf_addc(b, '\n');
    buf_free(&left);
    buf_free(&text);
}

void opt_add_help(struct buf *b, const struct opt *opts, size_t width)
{
    struct opt_walk w = {opts};
    struct opt o;

    for (bool first = true; opt_walk_next(&w, &o); first = false) {
        if (o.type == OPT_HEADING)
            buf_addf(b, "%s%s:\n", first ? "" : "\n", o.help);
        else if (o.type != OPT_PLANNED)
            add_row(b, &o, width);
    }
}
