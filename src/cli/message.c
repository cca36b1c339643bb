/* message: errors and warnings as text on stderr.
 * Whatever comes from files is made printable here, once, so that no name in a bill can move the cursor or colour a terminal.
 * It decides nothing: which warnings exist is the diag's business, whether they are shown the command's. */
#include "gputab/cli/message.h"

#include <errno.h>
#include <inttypes.h>
#include <unistd.h>

#include "gputab/base/span.h"
#include "gputab/base/utf8.h"

static void add_place(struct buf *b, const struct err *e)
{
    if (!e->file[0])
        return;
    utf8_add_printable(b, span_of(e->file));
    if (e->line > 0)
        buf_addf(b, ":%" PRId64, e->line);
    if (e->line > 0 && e->column > 0)
        buf_addf(b, ":%" PRId64, e->column);
    buf_adds(b, ": ");
}

static void add_hint(struct buf *b, const char *hint)
{
    if (!hint || !hint[0])
        return;
    buf_adds(b, "hint: ");
    utf8_add_printable(b, span_of(hint));
    buf_addc(b, '\n');
}

void message_add_error(struct buf *b, const struct err *e)
{
    buf_adds(b, "gputab: ");
    add_place(b, e);
    utf8_add_printable(b, span_of(e->text[0] ? e->text : "it failed without saying why"));
    buf_addc(b, '\n');
    add_hint(b, e->hint);
}

static void add_item(struct buf *b, const struct diag_item *item)
{
    int64_t shown = 0;

    buf_addf(b, "gputab: warning %s (%" PRId64 "x): ", item->code, item->count);
    for (int i = 0; i < DIAG_TEXTS && item->texts[i]; i++, shown++) {
        buf_adds(b, i ? "  also: " : "");
        utf8_add_printable(b, span_of(item->texts[i]));
        buf_addc(b, '\n');
    }
    if (shown == 0)
        buf_addc(b, '\n');
    if (shown == DIAG_TEXTS && item->count > shown)
        buf_addf(b, "  and %" PRId64 " more\n", item->count - shown);
    add_hint(b, item->hint);
}

void message_add_warnings(struct buf *b, const struct diag *d)
{
    for (size_t i = 0; i < d->n; i++)
        add_item(b, &d->items[i]);
}

/* Where stderr itself can't be written, nobody is left to tell. */
void message_write(const struct buf *b)
{
    size_t done = 0;

    while (done < b->n) {
        ssize_t n = write(STDERR_FILENO, b->p + done, b->n - done);

        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return;
        done += (size_t)n;
    }
}

void message_error(const struct err *e)
{
    struct buf b = {0};

    message_add_error(&b, e);
    message_write(&b);
    buf_free(&b);
}

void message_warnings(const struct diag *d)
{
    struct buf b = {0};

    message_add_warnings(&b, d);
    message_write(&b);
    buf_free(&b);
}
