/* xlsx: the report as a workbook, sheet after sheet. What each shows is its own module's business; here is their order, and when the rows
 * are so many that the workbook is written in constant memory. */
#include <string.h>

#include "gputab/render/formats.h"
#include "gputab/render/xlsx_grid.h"
#include "gputab/render/xlsx_sheets.h"

static const char *const pod_folds[] = {"pod", "workload", "namespace", NULL};

/* Whether --by asked for rows that no other sheet has. */
static bool has_own_rows(const struct report *r)
{
    static const char *const known[] = {"cost_centre", "team", NULL};
    size_t i = 0;

    if (r->by.n == 1 && (strcmp(r->by.v[0], "team") == 0 || strcmp(r->by.v[0], "cost_centre") == 0))
        return false;
    while (i < r->by.n && known[i] && strcmp(r->by.v[i], known[i]) == 0)
        i++;
    return i < r->by.n;
}

static bool is_large(const struct report *r)
{
    return xlsx_grid_rows(r->parts[REPORT_DETAIL], false) > XLSX_TABLE_MOST
        || xlsx_grid_rows(r->parts[REPORT_REASONS], true) > XLSX_TABLE_MOST
        || (has_own_rows(r) && xlsx_grid_rows(r, false) > XLSX_TABLE_MOST);
}

static struct grid_place write_own_rows(struct xlsx_book *b)
{
    return xlsx_grid(b, &(struct grid_spec){.name = "Rows", .title = "Rows", .what = "By the keys that were asked for", .part = b->r,
                                            .share = true, .most = xlsx_grid_most()});
}

static struct grid_place write_detail(struct xlsx_book *b, const char *beside)
{
    return xlsx_grid(b, &(struct grid_spec){.name = "Detail", .title = "Detail", .what = "One row per pod and pool",
                                            .part = b->r->parts[REPORT_DETAIL], .folds = pod_folds,
                                            .teams_alone = b->r->cost_centres.n == 0, .most = xlsx_grid_most(), .beside = beside});
}

static void write_buckets(struct xlsx_book *b)
{
    xlsx_grid(b, &(struct grid_spec){.name = "Buckets", .title = "Buckets", .part = b->r->parts[REPORT_REASONS],
                                     .what = "Money that no team is responsible for, why, and on which nodes", .buckets_only = true,
                                     .share = true, .most = xlsx_grid_most()});
}

static void write_sheets(struct xlsx_book *b, const struct render_cfg *cfg)
{
    struct xlsx_lines lines = {0};
    struct xlsx_charts charts = {0};
    struct grid_place grids[2];
    struct teams_place summary;
    size_t n = 0;

    xlsx_lines_fill(&lines, b->r);
    xlsx_charts_fill(&charts, b->r, &lines);
    summary = xlsx_summary(b, &lines, &charts);
    xlsx_teams(b, &lines, "Summary!" XLSX_BILLED);
    if (has_own_rows(b->r))
        grids[n++] = write_own_rows(b);
    grids[n++] = write_detail(b, cfg->beside);
    xlsx_rates(b);
    write_buckets(b);
    xlsx_reconcile(b, &lines, &summary, grids, n);
    xlsx_method(b);
    xlsx_charts_sheet(&charts, b);
    xlsx_charts_free(&charts);
    xlsx_lines_free(&lines);
}

void render_xlsx(const struct report *r, const struct render_cfg *cfg, struct sink *out)
{
    struct xlsx_book b;

    if (xlsx_book_open(&b, r, is_large(r)) == 0)
        write_sheets(&b, cfg);
    xlsx_book_close(&b, out);
}

const struct report *xlsx_needs_beside(const struct report *r)
{
    return r->parts[REPORT_DETAIL]->table.n_rows > xlsx_grid_most() ? r->parts[REPORT_DETAIL] : NULL;
}
