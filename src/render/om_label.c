/* om_label: backslashes, quotes and line feeds are escaped; all other characters may stand there as they are. A byte that is no UTF-8
 * becomes U+FFFD with its number: readers refuse a whole file for two series of one name. */
#include "gputab/render/om_label.h"

#include "gputab/base/utf8.h"

static void add_character(struct buf *b, const char *from, const char *to, uint32_t c)
{
    if (c == '\\' || c == '"')
        buf_addf(b, "\\%c", (char)c);
    else if (c == '\n')
        buf_adds(b, "\\n");
    else if (c == 0xfffd && to - from == 1)
        buf_addf(b, "\xef\xbf\xbd%02x", (unsigned char)*from);
    else
        buf_add(b, from, (size_t)(to - from));
}

void om_label(struct buf *b, const char *name, const char *value)
{
    struct span s = span_of(value);
    const char *p = s.p, *end = s.n ? s.p + s.n : s.p;

    buf_addf(b, "%s=\"", name);
    while (p != end) {
        const char *from = p;
        uint32_t c = utf8_next(&p, end);

        add_character(b, from, p, c);
    }
    buf_addc(b, '"');
}
