/* formats: the functions behind render_formats, and the few texts that several of them need. */
#ifndef GPUTAB_RENDER_FORMATS_H
#define GPUTAB_RENDER_FORMATS_H

#include "gputab/render/render.h"

void render_table(const struct report *r, const struct render_cfg *cfg, struct sink *out);   /* for a terminal */
void render_plain(const struct report *r, const struct render_cfg *cfg, struct sink *out);   /* the same in ASCII */
void render_csv(const struct report *r, const struct render_cfg *cfg, struct sink *out);
void render_json(const struct report *r, const struct render_cfg *cfg, struct sink *out);
void render_jsonl(const struct report *r, const struct render_cfg *cfg, struct sink *out);
void render_xlsx(const struct report *r, const struct render_cfg *cfg, struct sink *out);    /* needs parts REPORT_TEAMS to _DAYS */
const struct report *xlsx_needs_beside(const struct report *r);      /* the detail, when a sheet cannot hold it */
void render_focus(const struct report *r, const struct render_cfg *cfg, struct sink *out);   /* needs the part REPORT_ORIGINS */
void render_openmetrics(const struct report *r, const struct render_cfg *cfg, struct sink *out);
void render_md(const struct report *r, const struct render_cfg *cfg, struct sink *out);
void render_html(const struct report *r, const struct render_cfg *cfg, struct sink *out);    /* shows the parts that the report has */

/* The numeric cell of a column as text with the column's digits. */
void render_add_number(struct buf *b, const struct column *column, const struct cell *cell);
/* Length of a period in hours, as short as it is exact to six decimals: 744, 0.5. */
void render_add_hours(struct buf *b, struct timespan period);
/* "2026-10-05", with the time where it is no midnight; "UTC" stands behind both ends of a period. */
void render_add_instant(struct buf *b, time_ms t);
void render_add_month(struct buf *b, time_ms month);         /* "2026-10" */
void render_add_rate(struct buf *b, money rate);             /* without zeros at its end */
/* Whether a group of the bill is worth a line: it has an amount or had rows. */
bool render_has_group(const struct report *r, int group);

#endif
