/* xlsx_rows: a report with many rows in its detail, written in one format.
 *
 *     xlsx_rows ROWS FORMAT >FILE       xlsx: the workbook; csv: its detail, for other programs to make a workbook of
 *
 * Pods of 50 teams, ten a workload, on four models; every amount of a row differs from the next one's, and some are estimated. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gputab/render/render.h"
#include "report_fixture.h"

#define KEYS(...) ((const char *const[]){__VA_ARGS__, NULL})

enum { TEAMS = 50, PODS_A_WORKLOAD = 10, MODELS = 4 };

static const char *const models[MODELS] = {"NVIDIA H100 80GB", "NVIDIA A100 40GB", "NVIDIA L40S", "NVIDIA H200"};

/* gpu_hours vram gpu cpu memory total requested resident used unheld idle shared min max exact A B C D, in units of the last decimal. */
static void format_numbers(char *out, size_t size, int64_t gpu, int64_t cpu, int64_t memory, bool estimated)
{
    int64_t total = gpu + cpu + memory, unheld = gpu / 4, slack = estimated ? gpu / 10 : 0;

#define M(v) (v) / 100, (v) % 100
#define P2 "%" PRId64 ".%02" PRId64
#define P6 "%" PRId64 ".%06" PRId64
    snprintf(out, size, P6 " " P6 " " P2 " " P2 " " P2 " " P2 " 12.0 12.0 " P2 " " P2 " 0 0 " P2 " " P2 " " P2 " " P2 " 0 " P2 " 0",
             gpu / 300, gpu * 7919 % 1000000, gpu / 5, gpu * 104729 % 1000000, M(gpu), M(cpu), M(memory), M(total), M(gpu - unheld),
             M(unheld), M(total - slack), M(total + slack), M(total), M(total - slack), M(slack));
#undef M
#undef P2
#undef P6
}

static void add_total(struct report_totals *sum, int64_t gpu, int64_t cpu, int64_t memory)
{
    const money cent = MONEY_ONE / 100;

    sum->piece_cost[PIECE_GPU] += gpu * cent;
    sum->piece_cost[PIECE_CPU] += cpu * cent;
    sum->piece_cost[PIECE_MEMORY] += memory * cent;
    sum->total_cost += (gpu + cpu + memory) * cent;
    sum->gpu_hours += gpu / 300 * MONEY_ONE + gpu * 7919 % 1000000 * (MONEY_ONE / 1000000);
}

static int64_t gpu_of(int64_t i)
{
    return 1000 + i * 7 % 90000;
}

/* Rows sorted by their keys, as a report's are. */
static void fill_detail(struct fixture *f, int64_t rows)
{
    struct table *t = fixture_part(f, REPORT_DETAIL,
                                   KEYS("cost_centre", "team", "namespace", "workload", "pod", "gpu_model", "region", "purchase"));

    for (int64_t i = 0; i < rows; i++) {
        int64_t team = i * TEAMS / rows, gpu = gpu_of(i);
        char numbers[512], names[5][80];

        snprintf(names[0], sizeof names[0], "%04" PRId64, team / 5);
        snprintf(names[1], sizeof names[1], "team-%02" PRId64, team);
        snprintf(names[2], sizeof names[2], "team-%02" PRId64 "-serving", team);
        snprintf(names[3], sizeof names[3], "Deployment/model-%06" PRId64, i / PODS_A_WORKLOAD);
        snprintf(names[4], sizeof names[4], "model-%06" PRId64 "-7c9d8f%02" PRId64 "-x%05" PRId64, i / PODS_A_WORKLOAD, i % PODS_A_WORKLOAD,
                 i % 99991);
        format_numbers(numbers, sizeof numbers, gpu, gpu / 9, gpu / 11, i % 8 == 0);
        fixture_table_row(t, KEYS(names[0], names[1], names[2], names[3], names[4], models[i / PODS_A_WORKLOAD % MODELS], "us-east-1",
                                  "on_demand"), NULL, numbers);
        add_total(&f->r.totals, gpu, gpu / 9, gpu / 11);
    }
}

static void fill_teams(struct fixture *f, int64_t rows)
{
    struct table *t = fixture_part(f, REPORT_TEAMS, KEYS("cost_centre", "team"));

    for (int64_t team = 0, i = 0; team < TEAMS; team++) {
        int64_t gpu = 0, cpu = 0, memory = 0;
        char numbers[512], centre[24], name[24];

        for (; i < rows && i * TEAMS / rows == team; i++) {
            gpu += gpu_of(i);
            cpu += gpu_of(i) / 9;
            memory += gpu_of(i) / 11;
        }
        snprintf(centre, sizeof centre, "%04" PRId64, team / 5);
        snprintf(name, sizeof name, "team-%02" PRId64, team);
        format_numbers(numbers, sizeof numbers, gpu, cpu, memory, false);
        fixture_table_row(t, KEYS(centre, name), NULL, numbers);
    }
}

int main(int argc, char **argv)
{
    const struct render_ops *ops = argc == 3 ? render_find(span_of(argv[2])) : NULL;
    int64_t rows = argc == 3 ? strtoll(argv[1], NULL, 10) : 0;
    struct render_cfg cfg = {0};
    struct sink out = {.text = {0}};
    struct fixture f;
    struct err e = {0};
    int rc;

    if (!ops || rows < 1) {
        fputs("usage: xlsx_rows ROWS xlsx|csv >FILE\n", stderr);
        return 2;
    }
    fixture_init(&f, KEYS("team"));
    fill_detail(&f, rows);
    fill_teams(&f, rows);
    fixture_part(&f, REPORT_REASONS, KEYS("reason", "gpu_model", "cluster", "node"));
    fixture_part(&f, REPORT_DAYS, KEYS("day", "gpu_model", "region", "purchase"));
    f.r.totals.billed = f.r.bridge.billed = f.r.bridge.total = f.r.totals.total_cost;
    ops->run(ops->parts ? &f.r : f.r.parts[REPORT_DETAIL], &cfg, &out);
    rc = sink_end(&out, &e);
    if (rc == 0)
        fwrite(out.text.p, 1, out.text.n, stdout);
    else
        fprintf(stderr, "xlsx_rows: %s\n", e.text);
    sink_free(&out);
    fixture_free(&f);
    return rc < 0;
}
