/* html_words: what parts of the page say in the same words: periods, shares, keys, and what buckets mean. */
#include <string.h>

#include "gputab/render/html.h"

void html_section(struct html *h, const char *id, const char *title, const char *note)
{
    buf_addf(h->b, "<section id=\"%s\" aria-labelledby=\"%s-h\">\n<h2 id=\"%s-h\">", id, id, id);
    markup_text(h->b, title);
    buf_adds(h->b, "</h2>\n");
    if (note) {
        buf_adds(h->b, "<p class=\"note\">");
        markup_text(h->b, note);
        buf_adds(h->b, "</p>\n");
    }
}

void html_section_end(struct html *h)
{
    buf_adds(h->b, "</section>\n");
    sink_relieve(h->out);
}

static bool is_month(struct timespan period)
{
    struct timespan month = timespan_this_month(period.from);

    return month.from == period.from && month.to == period.to;
}

void html_add_dates(struct buf *b, struct timespan period)
{
    render_add_instant(b, period.from);
    buf_adds(b, " to ");
    render_add_instant(b, period.to);
    buf_adds(b, " UTC");
}

void html_add_period(struct buf *b, struct timespan period)
{
    static const char *const months[] = {"January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
                                         "November", "December"};
    struct buf date = {0};

    if (is_month(period)) {
        time_add_date(&date, period.from);
        buf_addf(b, "%s %.4s", months[(date.p[5] - '0') * 10 + date.p[6] - '1'], date.p);
    } else {
        html_add_dates(b, period);
    }
    buf_free(&date);
}

void html_add_share(struct buf *b, money part, money whole, int digits)
{
    money percent = whole > 0 ? money_mul_div(part, (weight)(100 * MONEY_ONE), (weight)whole) : 0;
    money least = MONEY_ONE;

    for (int i = 0; i < digits; i++)
        least /= 10;
    if (whole <= 0) {
        buf_adds(b, "-");
        return;
    }
    if (percent > 0 && money_round(percent, digits) == 0) {       /* what is there is never called nothing */
        buf_adds(b, "under ");
        percent = least;
    }
    money_add_text(b, percent, digits);
    buf_adds(b, " %");
}

void html_add_hours(struct buf *b, money hours)
{
    int digits = hours % MONEY_ONE == 0 || hours >= 1000 * MONEY_ONE ? 0 : hours < 10 * MONEY_ONE ? 2 : 1;

    figure_add_amount(b, hours, digits);
    buf_adds(b, " h");
}

struct meaning {
    const char *name, *means;
};

static const struct meaning buckets[] = {
    {"(idle)", "billed and observed, but nobody was there, or memory was free"},
    {"(driver-reserved)", "GPU memory that the driver keeps"},
    {"(unattributed)", "GPU memory in use by no known pod"},
    {"(no-metrics)", "billed time without samples"},
    {"(unmapped)", "known pods that no owner line of the rule matches"},
    {"(system)", "pods that the rule assigns to the system"},
    {"(unbilled)", "seen in metrics, not in the bill: hours without an amount, in no sum"},
};
static const struct meaning reasons[] = {
    {"empty-card", "nobody was on the card"},
    {"free-memory", "memory that nobody held on a shared card"},
    {"free-mig", "parts of the card in no MIG instance, or in one without a pod"},
    {"cpu", "CPU of the node that nobody used or asked for"},
    {"memory", "memory of the node that nobody used or asked for"},
    {"starting", "before the node's first sample"},
    {"stopping", "after the node's last sample"},
    {"never-seen", "no metrics ever showed it"},
    {"gap", "samples are missing in between"},
};

static const char *find(const struct meaning *m, size_t n, const char *name)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(m[i].name, name) == 0)
            return m[i].means;
    return "";
}

const char *html_bucket_means(const char *bucket)
{
    return find(buckets, sizeof buckets / sizeof buckets[0], bucket);
}

const char *html_reason_means(const char *reason)
{
    return find(reasons, sizeof reasons / sizeof reasons[0], reason);
}

static const struct meaning keys[] = {
    {"cost_centre", "Cost centre"}, {"team", "Team"},           {"namespace", "Namespace"}, {"workload", "Workload"}, {"pod", "Pod"},
    {"cluster", "Cluster"},         {"node", "Node"},           {"gpu", "GPU"},             {"region", "Region"},     {"day", "Day"},
    {"gpu_model", "GPU model"},     {"purchase", "Purchase"},   {"sharing", "Sharing"},     {"grade", "Grade"},       {"reason", "Reason"},
    {"bucket", "Bucket"},
};

const char *html_key_name(const char *key)
{
    const char *name = find(keys, sizeof keys / sizeof keys[0], key);

    return name[0] ? name : key;
}

const char *html_centre_name(const struct report *r, const char *id)
{
    for (size_t i = 0; i < r->cost_centres.n; i++)
        if (strcmp(r->cost_centres.v[i].id, id) == 0)
            return r->cost_centres.v[i].name ? r->cost_centres.v[i].name : "";
    return "";
}

void html_legend(struct html *h, const char *const *list)
{
    buf_adds(h->b, "<ul class=\"legend\">");
    for (; *list; list += 2) {
        buf_addf(h->b, "<li><svg class=\"swatch\" aria-hidden=\"true\" width=\"12\" height=\"12\">"
                 "<rect class=\"%s\" width=\"12\" height=\"12\" rx=\"3\"/></svg>",
                 list[0]);
        markup_text(h->b, list[1]);
        buf_adds(h->b, "</li>");
    }
    buf_adds(h->b, "</ul>\n");
}

const char *html_cell(const struct cell *row, int column)
{
    return column >= 0 && row[column].type == CELL_TEXT ? row[column].text : "";
}

bool html_in_order(const struct report *r)
{
    return r->notes.sort || (r->by.n && strcmp(r->by.v[0], "day") == 0);
}
