/* html: what the parts of the HTML report share. Each part is a function that writes a section and lets the sink go on. */
#ifndef GPUTAB_RENDER_HTML_H
#define GPUTAB_RENDER_HTML_H

#include "gputab/render/figures.h"
#include "gputab/render/formats.h"
#include "gputab/render/groups.h"
#include "gputab/render/html_owners.h"
#include "gputab/render/markup.h"
#include "gputab/render/svg.h"

struct html {
    struct sink *out;
    struct buf *b;                 /* of the sink */
    const struct report *r;
    struct figure_set main;                    /* of the report, */
    struct figure_set parts[REPORT_PARTS];     /* and of each part that it has */
    struct html_owners owners;                 /* by team where it has that part, else by what the report is by */
};

enum html_style { HTML_STYLE, HTML_SCRIPT };

/* ---- sections, in the page's order; those with a _there are only written where it says so ---- */

struct html_section {
    const char *id, *label;        /* of the link to it */
    void (*write)(struct html *h);
    bool (*there)(const struct html *h);       /* NULL: always */
};

void html_head(struct html *h);                /* up to <body>, and nothing of the report's rows */
void html_banner(struct html *h);              /* what this is, of when, and whether to trust it */
void html_cautions(struct html *h);            /* what a reader must know before any figure */
void html_summary(struct html *h);             /* the few figures that everybody asks for */
void html_rows(struct html *h);                /* the report's table */
void html_centres(struct html *h);             /* by cost centre, where the rule has some and the table has not */
bool html_centres_there(const struct html *h);
void html_targets(struct html *h);             /* gates, budgets, the report before, owners that are missing */
bool html_targets_there(const struct html *h);
void html_shared(struct html *h);              /* shared costs that are in the rows */
bool html_shared_there(const struct html *h);
void html_costs(struct html *h);               /* charts: cost by team and piece; what was held of it */
bool html_costs_there(const struct html *h);
void html_flow(struct html *h);                /* chart: from the bill to pieces to teams and buckets */
bool html_flow_there(const struct html *h);
void html_days(struct html *h);                /* charts: hours of each pool by day */
bool html_days_there(const struct html *h);
void html_reasons(struct html *h);             /* what the buckets are made of */
bool html_reasons_there(const struct html *h);
void html_detail(struct html *h);              /* teams, their workloads and pods */
bool html_detail_there(const struct html *h);
void html_bridge(struct html *h);
bool html_bridge_there(const struct html *h);
void html_warnings(struct html *h);
bool html_warnings_there(const struct html *h);
void html_method(struct html *h);
void html_foot(struct html *h);

/* ---- words ---- */

/* <section> with a heading and what it says; note: NULL for none. Text, not markup. */
void html_section(struct html *h, const char *id, const char *title, const char *note);
void html_section_end(struct html *h);
void html_add_dates(struct buf *b, struct timespan period);                /* "2026-10-05 10:00 to 2026-10-06 UTC" */
void html_add_period(struct buf *b, struct timespan period);               /* "October 2026", else the dates */
void html_add_share(struct buf *b, money part, money whole, int digits);   /* "58.2 %", "under 0.1 %"; "-" of nothing */
void html_add_hours(struct buf *b, money hours);                           /* "5,440 h", "54.2 h" */
/* "(idle)": what it means; "" for what is no bucket. */
const char *html_bucket_means(const char *bucket);
const char *html_reason_means(const char *reason);
const char *html_centre_name(const struct report *r, const char *id);      /* what people call it; "" */
const char *html_key_name(const char *key);                                /* "gpu_model": "GPU model" */
/* A list of colours: class and word in turn, NULL behind the last. */
void html_legend(struct html *h, const char *const *classes_and_words);
bool html_in_order(const struct report *r);                  /* its lines have an order of their own */
/* The text of a key of a row, "" where it has none. */
const char *html_cell(const struct cell *row, int column);

#endif
