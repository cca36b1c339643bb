/* fuzz_settings: settings files. What is read must be settings as source/settings.h promises them, and line ends must make no difference:
 * each file is read once as it is and once with CRLF for LF. */
#include "fuzz_file.h"
#include "gputab/codec/yaml.h"
#include "gputab/source/settings.h"

struct world {
    struct settings settings;
    struct err err;
    int rc;
};

static struct world read_world(struct span bytes)
{
    struct world w = {0};
    struct fuzz_file f = fuzz_file_open(bytes);

    w.rc = settings_read(f.path, &w.settings, &w.err);
    FUZZ_CHECK((w.rc < 0) == (w.err.code != ERR_NONE));
    fuzz_file_close(&f);
    return w;
}

/* ---- what came of it ---- */

static void add_text(struct buf *b, const char *s)
{
    fuzz_add_span(b, s ? span_of(s) : span_of("(none)"));
}

static void add_source(struct buf *b, const struct settings_source *s)
{
    const char *const texts[] = { s->name, s->prometheus, s->metrics, s->cluster_label, s->access.token_file, s->access.user,
                                  s->access.password_file, s->access.sigv4_region, s->access.ca_file, s->access.cert_file,
                                  s->access.key_file, s->access.proxy_file, s->access.headers_file, s->access.tenant };

    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        add_text(b, texts[i]);
    fuzz_add_number(b, s->transport);
    for (const struct metrics_param *p = s->params; p && p->name; p++) {
        add_text(b, p->name);
        add_text(b, p->value);
    }
}

static void add_family(struct buf *b, const struct family *f)
{
    add_text(b, f->name);
    fuzz_add_number(b, f->kind);
    fuzz_add_number(b, f->unit);
    fuzz_add_number(b, f->pods);
    for (const struct family_label *l = f->labels; l->name; l++) {
        add_text(b, l->name);
        fuzz_add_number(b, l->role);
    }
}

static void add_all(struct buf *b, const struct world *w)
{
    const struct settings *s = &w->settings;

    if (w->rc < 0) {
        fuzz_add_err(b, &w->err);
        return;
    }
    for (size_t i = 0; i < s->sources.n; i++)
        add_source(b, &s->sources.v[i]);
    for (size_t i = 0; i < s->clusters.n; i++) {
        add_text(b, s->clusters.v[i].value);
        add_text(b, s->clusters.v[i].name);
    }
    for (size_t i = 0; i < s->families.n; i++)
        add_family(b, &s->families.v[i]);
    for (size_t i = 0; i < s->billing.n; i++)
        add_text(b, s->billing.v[i]);
    for (size_t i = 0; i < s->outputs.n; i++) {
        add_text(b, s->outputs.v[i].file);
        add_text(b, s->outputs.v[i].format);
        fuzz_add_number(b, s->outputs.v[i].line);
        fuzz_add_number(b, s->outputs.v[i].column);
    }
    for (size_t i = 0; i < s->billing_maps.n; i++)
        add_text(b, s->billing_maps.v[i]);
    for (size_t i = 0; i < s->catalogues.n; i++)
        add_text(b, s->catalogues.v[i]);
    add_text(b, s->price_list);
    add_text(b, s->nodes);
    add_text(b, s->rule);
}

/* ---- what must hold ---- */

static void check_source(const struct settings *all, const struct settings_source *s)
{
    FUZZ_CHECK(!s->prometheus != !s->metrics);
    FUZZ_CHECK(s->name || all->sources.n == 1);
    FUZZ_CHECK(!s->metrics || (!s->transport && !s->params && !s->access.tenant && !s->access.sigv4_region && !s->access.user));
    FUZZ_CHECK(!s->access.token_file || (!s->access.user && !s->access.password_file && !s->access.sigv4_region));
    FUZZ_CHECK(!s->access.key_file || s->access.cert_file);
    FUZZ_CHECK(!s->access.token_file || s->access.token_file[0] == '/');
    FUZZ_CHECK(!s->metrics || s->metrics[0] == '/');
}

/* Names go into questions to servers as they are. */
static void check_family(const struct family *f)
{
    FUZZ_CHECK(f->name[strspn(f->name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_:")] == '\0');
    FUZZ_CHECK(f->name[0] && !(f->name[0] >= '0' && f->name[0] <= '9'));
    FUZZ_CHECK(f->kind >= 0 && f->kind <= SAMPLE_PROCESS_USED && f->unit >= UNIT_BYTES && !f->resource && !f->why);
    FUZZ_CHECK((f->kind < SAMPLE_LAYER_USED) == (f->pods != PODS_ALWAYS));
    for (const struct family_label *l = f->labels; l->name; l++)
        for (const struct family_label *k = f->labels; k < l; k++)
            FUZZ_CHECK(strcmp(k->name, l->name) != 0 && k->role != l->role);
}

static void check_settings(const struct settings *s)
{
    FUZZ_CHECK(s->sources.n <= SETTINGS_SOURCES && s->clusters.n <= SETTINGS_CLUSTERS && s->families.n <= SETTINGS_FAMILIES);
    for (size_t i = 0; i < s->sources.n; i++)
        check_source(s, &s->sources.v[i]);
    for (size_t i = 0; i < s->families.n; i++)
        check_family(&s->families.v[i]);
    FUZZ_CHECK(!s->families.v || !s->families.v[s->families.n].name);
    FUZZ_CHECK(!s->clusters.v || !s->clusters.v[s->clusters.n].value);
    for (size_t i = 0; i < s->clusters.n; i++)
        FUZZ_CHECK(*s->clusters.v[i].value && *s->clusters.v[i].name);
    FUZZ_CHECK((!s->rule || s->rule[0] == '/') && (!s->nodes || s->nodes[0] == '/'));
}

static void add_crlf(struct buf *b, struct span s)
{
    for (size_t i = 0; i < s.n; i++) {
        if (s.p[i] == '\n' && (i == 0 || s.p[i - 1] != '\r'))
            buf_addc(b, '\r');
        buf_addc(b, s.p[i]);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct span s = fuzz_span(data, size);
    struct buf crlf = {0}, one = {0}, other = {0};
    struct world w, again;

    add_crlf(&crlf, s);
    if (crlf.n > YAML_BYTES) {     /* only one of the two would be read */
        buf_free(&crlf);
        return 0;
    }
    w = read_world(s);
    again = read_world(buf_span(&crlf));
    if (w.rc == 0)
        check_settings(&w.settings);
    add_all(&one, &w);
    add_all(&other, &again);
    FUZZ_SAME(&one, &other);
    settings_free(&again.settings);
    settings_free(&w.settings);
    buf_free(&crlf);
    buf_free(&one);
    buf_free(&other);
    return 0;
}
