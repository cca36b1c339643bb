/* transport: questions that are forms, of the query API and of export, as far as they are the same.
 *
 * Not here: the transports themselves (prometheus_reply, remote_reply, export_reply). */
#include "gputab/source/transport.h"

#include "gputab/codec/http.h"

void question_add_selector(struct buf *b, const struct question *q)
{
    buf_adds(b, "{__name__=~\"");
    buf_add_span(b, q->families);
    buf_addc(b, '"');
    if (q->present)
        buf_addf(b, ",%s!=\"\"", q->present);
    buf_addc(b, '}');
}

void question_add_seconds(struct buf *form, const char *name, time_ms t)
{
    struct buf text = { 0 };

    buf_addf(&text, "%lld", (long long)(t / TIME_SECOND));
    http_add_form(form, name, buf_span(&text));
    buf_free(&text);
}

void question_add_params(struct buf *form, const struct question *q)
{
    for (const struct metrics_param *p = q->params; p && p->name; p++)
        http_add_form(form, p->name, span_of(p->value));
}
