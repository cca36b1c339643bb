/* fuzz_metrics: a whole file of metrics, as inventory and samples, read as it is and with its series in the opposite order.
 *
 * Series may stand in any order: turned round, with the lines of each in their old order, the file must mean the same. Left out are files
 * with two samples of one series at one time, of which the first counts. */
#include <inttypes.h>

#include "fuzz_file.h"
#include "gputab/base/intern.h"
#include "gputab/base/vec.h"
#include "gputab/source/metrics.h"
#include "gputab/value/sample_pack.h"

enum { LINES_TURNED = 400 };

struct world {
    struct intern *names;
    struct inventory inv;
    struct diag diag;
    struct metrics *metrics;
    struct err err;
    int rc;
};

static const struct timespan day = { INT64_C(1791158400000), INT64_C(1791244800000) };     /* 2026-10-05 */

/* *w is not to move afterwards: the metrics fill its inventory window by window. */
static void read_metrics(struct world *w, struct span bytes)
{
    static const char *const pod_labels[] = { "example.com/team", "app", NULL }, *const namespace_labels[] = { "team", NULL };
    struct fuzz_file f = fuzz_file_open(bytes);
    struct metrics_source source = { .name = "", .cluster_label = "cluster", .file = f.path };
    struct metrics_request req = { .period = day, .max_gap_ms = 300000, .pod_labels = pod_labels, .namespace_labels = namespace_labels };

    *w = (struct world){ .names = intern_new() };
    inventory_init(&w->inv, w->names);
    req.names = w->names;
    req.diag = &w->diag;
    w->rc = metrics_open(&w->metrics, &source, 1, &req, &w->inv, &w->err);
    FUZZ_CHECK((w->rc < 0) == (w->err.code != ERR_NONE));
    FUZZ_CHECK(w->rc == 0 || w->err.code == ERR_INPUT);
    fuzz_file_close(&f);
}

static void release(struct world *w)
{
    metrics_free(w->metrics);
    inventory_free(&w->inv);
    diag_free(&w->diag);
    intern_free(w->names);
}

/* ---- what came of it ---- */

static void add_name(struct buf *b, const struct world *w, uint32_t id)
{
    fuzz_add_span(b, intern_get(w->names, id));
}

enum steps_of { NAMES, NUMBERS, LABELS };

static void add_steps(struct buf *b, const struct world *w, const struct steps *s, enum steps_of what)
{
    for (uint32_t i = 0; i < s->n; i++) {
        FUZZ_CHECK(i == 0 || (s->v[i - 1].from < s->v[i].from && s->v[i - 1].value != s->v[i].value));
        fuzz_add_number(b, s->v[i].from);
        if (what == NUMBERS)
            fuzz_add_number(b, s->v[i].value);
        else
            fuzz_add_span(b, intern_get(what == NAMES ? w->names : w->inv.labelsets, s->v[i].value));
    }
    buf_adds(b, "| ");
}

static void add_nodes(struct buf *b, const struct world *w)
{
    for (size_t i = 0; i < w->inv.nodes.n; i++) {
        const struct node *n = &w->inv.nodes.v[i];
        const int64_t numbers[] = { n->capacity_cpu_nano, n->capacity_memory_bytes, n->has_cpu_request, n->has_memory_request,
                                    n->has_cpu_usage, n->has_memory_usage, n->has_gpu_capacity };

        add_name(b, w, n->cluster);
        add_name(b, w, n->name);
        add_steps(b, w, &n->resource, NAMES);
        add_steps(b, w, &n->type, NAMES);
        add_steps(b, w, &n->sharing, NUMBERS);
        for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++) {
            FUZZ_CHECK(numbers[k] >= 0);
            fuzz_add_number(b, numbers[k]);
        }
        buf_addc(b, '\n');
    }
}

static void add_gpus(struct buf *b, const struct world *w)
{
    for (size_t i = 0; i < w->inv.gpus.n; i++) {
        const struct gpu *g = &w->inv.gpus.v[i];

        add_name(b, w, g->cluster);
        add_name(b, w, g->uuid);
        add_name(b, w, g->model);
        add_steps(b, w, &g->node, NUMBERS);
        fuzz_add_number(b, g->first_ms);
        fuzz_add_number(b, g->last_ms);
        buf_addc(b, '\n');
    }
    for (size_t i = 0; i < w->inv.devices.n; i++) {
        FUZZ_CHECK(w->inv.devices.v[i].gpu < w->inv.gpus.n);
        fuzz_add_number(b, w->inv.devices.v[i].gpu);
        add_name(b, w, w->inv.devices.v[i].gi);
        add_name(b, w, w->inv.devices.v[i].profile);
        buf_addc(b, '\n');
    }
}

static void add_pods(struct buf *b, const struct world *w)
{
    for (size_t i = 0; i < w->inv.pods.n; i++) {
        const struct pod *p = &w->inv.pods.v[i];

        add_name(b, w, p->cluster);
        add_name(b, w, p->namespace_name);
        add_name(b, w, p->name);
        add_name(b, w, p->uid);
        add_steps(b, w, &p->alias, NUMBERS);
        add_steps(b, w, &p->labels, LABELS);
        add_steps(b, w, &p->workload, NAMES);
        add_steps(b, w, &p->node, NUMBERS);
        add_steps(b, w, &p->ended, NUMBERS);
        buf_addc(b, '\n');
    }
    for (size_t i = 0; i < w->inv.namespaces.n; i++) {
        add_name(b, w, w->inv.namespaces.v[i].name);
        add_steps(b, w, &w->inv.namespaces.v[i].labels, LABELS);
        buf_addc(b, '\n');
    }
}

static void check_index(uint32_t index, size_t n)
{
    FUZZ_CHECK(index == NONE || index < n);
}

static void add_run(struct buf *b, const struct world *w, const struct series *s, const struct sample_run *run)
{
    const int64_t numbers[] = { s->kind, s->device, s->node, s->pod };
    struct samples samples = { 0 };

    check_index(s->device, w->inv.devices.n);
    check_index(s->node, w->inv.nodes.n);
    check_index(s->pod, w->inv.pods.n);
    FUZZ_CHECK(s->target < w->inv.targets.n);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        fuzz_add_number(b, numbers[i]);
    add_name(b, w, w->inv.targets.v[s->target].text);
    add_name(b, w, s->container);
    add_name(b, w, s->slot);
    sample_pack_read_run(run, &samples);
    FUZZ_CHECK(samples.n == run->n);
    for (size_t i = 0; i < samples.n; i++) {
        FUZZ_CHECK(i == 0 || samples.v[i - 1].time < samples.v[i].time);
        fuzz_add_number(b, samples.v[i].time);
        buf_addf(b, "%" PRIu64 " ", samples.v[i].value);
    }
    vec_free(&samples);
    buf_addc(b, '\n');
}

/* In two windows, the second of which begins inside the first one's reach. */
static void add_samples(struct buf *b, struct world *w)
{
    const struct timespan halves[] = { { day.from, day.from + 12 * TIME_HOUR }, { day.from + 12 * TIME_HOUR, day.to } };
    struct sample_window win = {0};

    for (int h = 0; h < 2; h++) {
        FUZZ_CHECK(metrics_window(w->metrics, halves[h], &win, &w->err) == 0);
        add_pods(b, w);
        for (size_t i = 0; i < win.runs.n; i++) {
            FUZZ_CHECK(win.runs.v[i].series < win.n_series);
            add_run(b, w, &win.series[win.runs.v[i].series], &win.runs.v[i]);
        }
    }
    vec_free(&win.runs);
}

static void add_all(struct buf *b, struct world *w)
{
    if (w->rc < 0) {
        fuzz_add_err(b, &w->err);
        return;
    }
    add_nodes(b, w);
    add_gpus(b, w);
    add_samples(b, w);
    for (size_t i = 0; i < w->diag.n; i++)
        if (strcmp(w->diag.items[i].code, "W112") != 0)      /* speaks of the order of lines */
            buf_addf(b, "%s x%lld [%s]\n", w->diag.items[i].code, (long long)w->diag.items[i].count, w->diag.items[i].texts[0]);
}

/* ---- turned ---- */

struct line {
    struct span text;
    uint32_t series;
};

/* What stands before the last two words is near enough the series: lines with exemplars only move on their own. */
static struct span series_of(struct span line)
{
    for (int words = 0; words < 2 && line.n; words++) {
        while (line.n && line.p[line.n - 1] != ' ' && line.p[line.n - 1] != '\t')
            line.n--;
        while (line.n && (line.p[line.n - 1] == ' ' || line.p[line.n - 1] == '\t'))
            line.n--;
    }
    return line;
}

/* Lines up to the end mark with their series; 0, or -1 when there are too many. */
static int take_lines(struct span s, struct intern *names, struct line *lines, size_t *n)
{
    while (s.n) {
        const char *nl = memchr(s.p, '\n', s.n);
        struct span line = { s.p, nl ? (size_t)(nl - s.p) : s.n };

        s.p += line.n + (nl != NULL);
        s.n -= line.n + (nl != NULL);
        if (line.n == 0 || *line.p == '#')
            continue;
        if (*n == LINES_TURNED)
            return -1;
        lines[(*n)++] = (struct line){ line, intern_span(names, series_of(line)) };
    }
    return 0;
}

static int turn(struct span s, struct buf *out)
{
    struct line lines[LINES_TURNED];
    struct intern *names = intern_new();
    size_t n = 0;
    int rc = take_lines(s, names, lines, &n);

    buf_addc(out, '\n');           /* so that no line becomes the magic number of a packed file */
    for (uint32_t k = intern_count(names); rc == 0 && k-- > 0;)
        for (size_t i = 0; i < n; i++)
            if (lines[i].series == k) {
                buf_add_span(out, lines[i].text);
                buf_addc(out, '\n');
            }
    buf_adds(out, "# EOF\n");
    intern_free(names);
    return rc;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct span s = fuzz_span(data, size);
    struct world w, again;
    struct buf one = {0}, other = {0}, turned = {0};

    read_metrics(&w, s);
    add_all(&one, &w);
    if (w.rc == 0 && !diag_find(&w.diag, "W111") && turn(s, &turned) == 0) {
        read_metrics(&again, buf_span(&turned));
        add_all(&other, &again);
        FUZZ_SAME(&one, &other);
        release(&again);
    }
    release(&w);
    buf_free(&one);
    buf_free(&other);
    buf_free(&turned);
    return 0;
}
