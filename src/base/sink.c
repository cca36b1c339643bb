/* sink: hands text on in pieces that are worth a system call. After an error text is dropped: it won't be shown, and must not pile up. */
#include "gputab/base/sink.h"

enum { WORTH = 64 * 1024 };

static void hand_on(struct sink *s)
{
    if (!s->failed && s->text.n && s->take(s->to, buf_span(&s->text), &s->err) < 0)
        s->failed = true;
    buf_clear(&s->text);
}

void sink_relieve(struct sink *s)
{
    if (s->take && s->text.n >= WORTH)
        hand_on(s);
}

int sink_end(struct sink *s, struct err *e)
{
    if (s->take)
        hand_on(s);
    if (!s->failed)
        return 0;
    if (e->code == ERR_NONE)
        *e = s->err;
    return -1;
}

void sink_free(struct sink *s)
{
    buf_free(&s->text);
}
