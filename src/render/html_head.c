/* html_head: the head of the page, with its policy, and the banner: who, what, when, and how far to trust it. */
#include <string.h>

#include "gputab/base/sha256.h"
#include "gputab/render/html.h"
#include "html_page_data.h"

/* ---- style, script and policy ---- */

static const char *const *lines_of(enum html_style what)
{
    return what == HTML_STYLE ? html_page_css : html_page_js;
}

static int hex_digit(char c)
{
    return c <= '9' ? c - '0' : c - 'a' + 10;
}

/* Base64 of a hash that is given in hex: 32 bytes, so that one pad is left. */
static void add_base64(struct buf *b, const char *hex)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    unsigned bits = 0;
    int n = 0;

    for (; *hex; hex++) {
        bits = bits << 4 | (unsigned)hex_digit(*hex);
        for (n += 4; n >= 6; n -= 6)
            buf_addc(b, digits[bits >> (n - 6) & 63]);
    }
    if (n)
        buf_addc(b, digits[bits << (6 - n) & 63]);
    buf_adds(b, "=");
}

/* What the policy lets in must have this hash: all bytes between the tags. */
static void add_hash(struct buf *b, enum html_style what)
{
    struct sha256 *h = sha256_new();
    char hex[SHA256_HEX];

    for (const char *const *line = lines_of(what); *line; line++)
        sha256_add(h, *line, strlen(*line));
    sha256_end(h, hex);
    buf_adds(b, "'sha256-");
    add_base64(b, hex);
    buf_addc(b, '\'');
}

static void add_policy(struct buf *b)
{
    buf_adds(b, "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src ");
    add_hash(b, HTML_STYLE);
    buf_adds(b, "; script-src ");
    add_hash(b, HTML_SCRIPT);
    buf_adds(b, "; base-uri 'none'; form-action 'none'\">\n");
}

static void add_lines(struct buf *b, const char *tag, enum html_style what)
{
    buf_addf(b, "<%s>", tag);
    for (const char *const *line = lines_of(what); *line; line++)
        buf_adds(b, *line);
    buf_addf(b, "</%s>\n", tag);
}

static void add_title(struct buf *b, const struct report *r)
{
    buf_addf(b, "GPU costs %s%s", r->split_key ? "of " : "", r->split_key ? r->split_value : "");
    buf_adds(b, r->split_key ? ", " : "");
    html_add_period(b, r->period);
    buf_addf(b, ": %s%s", r->mode, r->draft ? " (DRAFT)" : "");
}

void html_head(struct html *h)
{
    struct buf title = {0};

    add_title(&title, h->r);
    buf_adds(h->b, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
    add_policy(h->b);
    buf_adds(h->b, "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                   "<meta name=\"referrer\" content=\"no-referrer\">\n<meta name=\"color-scheme\" content=\"light dark\">\n");
    buf_adds(h->b, "<meta name=\"generator\"");
    buf_adds(h->b, " content=\"gputab ");
    markup_text(h->b, h->r->tool_version);
    buf_adds(h->b, "\">\n<title>");
    markup_text(h->b, buf_str(&title));
    buf_adds(h->b, "</title>\n");
    add_lines(h->b, "style", HTML_STYLE);
    buf_addf(h->b, "</head>\n<body%s>\n<a class=\"skip\" href=\"#rows\">To the table</a>\n", h->r->draft ? " class=\"draft\"" : "");
    buf_free(&title);
}

/* ---- banner ---- */

static void add_badge(struct buf *b, const char *class, const char *text)
{
    buf_addf(b, "<span class=\"badge %s\">", class);
    for (; *text; text++)
        buf_addc(b, *text >= 'a' && *text <= 'z' ? (char)(*text - 'a' + 'A') : *text);
    buf_adds(b, "</span>\n");
}

static bool gates_failed(const struct report *r)
{
    return notes_gates_passed(&r->notes) < r->notes.gates.n;
}

static void add_badges(struct html *h)
{
    const struct report *r = h->r;

    buf_adds(h->b, "<p class=\"badges\">");
    add_badge(h->b, "mode", r->mode);
    if (r->draft)
        add_badge(h->b, "bad", "draft");
    if (r->bill->rows == 0)
        add_badge(h->b, "warn", "bill empty");
    else
        add_badge(h->b, r->bill->is_final ? "good" : "warn", r->bill->is_final ? "bill final" : "bill estimated");
    if (r->filtered)
        add_badge(h->b, "warn", "filtered");
    if (r->notes.gates.n)
        add_badge(h->b, gates_failed(r) ? "bad" : "good", gates_failed(r) ? "gates failed" : "gates passed");
    buf_adds(h->b, "</p>\n");
}

static void add_fact(struct html *h, const char *term, struct buf *text)
{
    buf_addf(h->b, "<div><dt>%s</dt><dd>", term);
    markup_text(h->b, buf_str(text));
    buf_adds(h->b, "</dd></div>\n");
    buf_clear(text);
}

static void add_facts(struct html *h)
{
    const struct report *r = h->r;
    struct buf b = {0};

    buf_adds(h->b, "<dl class=\"facts\">\n");
    html_add_dates(&b, r->period);
    buf_adds(&b, ", ");
    render_add_hours(&b, r->period);
    buf_adds(&b, timespan_ms(r->period) == TIME_HOUR ? " hour" : " hours");
    add_fact(h, "Period", &b);
    buf_addf(&b, "%s%s%s", r->rule_name, r->rule_version[0] ? ", version " : "", r->rule_version);
    add_fact(h, "Rule", &b);
    buf_addf(&b, "%s, GPU share ", r->split_method);
    html_add_share(&b, r->gpu_share, MONEY_ONE, 2);
    add_fact(h, "Split of a node's cost", &b);
    html_add_share(&b, r->coverage, MONEY_ONE, 2);
    buf_adds(&b, " of the billed GPU time");
    add_fact(h, "Observed", &b);
    if (r->currency[0]) {
        buf_adds(&b, r->currency);
        add_fact(h, "Currency", &b);
    }
    buf_adds(h->b, "</dl>\n");
    buf_free(&b);
}

/* What a reader must know before any figure. */
void html_cautions(struct html *h)
{
    const struct report *r = h->r;

    if (r->draft)
        buf_adds(h->b, "<p class=\"caution bad\">This is a draft: its figures are not for booking.</p>\n");
    if (r->bill->rows > 0 && !r->bill->is_final)
        buf_adds(h->b, "<p class=\"caution\">The bill is estimated: the provider may still change it.</p>\n");
    if (!r->owners_written)
        buf_adds(h->b, "<p class=\"caution\">The rule names no owners: the team is the namespace.</p>\n");
    if (r->split_key) {
        buf_addf(h->b, "<p class=\"caution\">%s ", html_key_name(r->split_key));
        markup_name(h->b, r->split_value);
        buf_adds(h->b, " alone: what is billed is the sum of its rows.</p>\n");
    }
    if (r->filtered)
        buf_adds(h->b, "<p class=\"caution\">Filtered: rows and totals of tables are a part; billed, allocated and difference are the "
                       "whole.</p>\n");
}

void html_banner(struct html *h)
{
    buf_adds(h->b, "<header>\n<div class=\"wrap\">\n");
    add_badges(h);
    buf_adds(h->b, "<h1>GPU costs ");
    if (h->r->split_key) {
        buf_adds(h->b, "of ");
        markup_name(h->b, h->r->split_value);
        buf_addc(h->b, ' ');
    }
    buf_adds(h->b, "<span>");
    html_add_period(h->b, h->r->period);
    buf_adds(h->b, "</span></h1>\n");
    add_facts(h);
    buf_adds(h->b, "</div>\n</header>\n");
    sink_relieve(h->out);
}

void html_foot(struct html *h)
{
    const struct report *r = h->r;

    buf_adds(h->b, "</main>\n<footer class=\"wrap\">\n<p>");
    markup_text(h->b, r->mode);
    buf_addf(h->b, "%s, gputab ", r->draft ? ", DRAFT" : "");
    markup_text(h->b, r->tool_version);
    buf_adds(h->b, ", run <code>");
    markup_text(h->b, r->run_id);
    buf_adds(h->b, "</code></p>\n</footer>\n");
    add_lines(h->b, "script", HTML_SCRIPT);
    buf_adds(h->b, "</body>\n</html>\n");
}
