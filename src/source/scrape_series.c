/* scrape_series: what labels say, written down as a note beside the samples.
 *
 * Two texts that differ only in the order of labels, or in labels without a value, are one series: its key is a fingerprint of the label
 * values in the order of their names, by a secret that is itself a fingerprint of these names, which many series share. Of the labels only those that exporters_labels has are kept, by role, and of Kubernetes labels only those that
 * the rule asks for: a label that changes with every sample then makes no difference. A series is written down as often as a transport
 * names it, for nothing stays in memory by which it would be found.
 *
 * Not here: which of several names of pods is the workload's (source/scrape_pod). */
#include "gputab/source/scrape_series.h"

#include <stdlib.h>
#include <string.h>

#include "gputab/base/bytes.h"
#include "gputab/base/packed.h"

/* How a note begins: behind it are the lengths of the values, the values and the label set. */
struct note {
    struct fingerprint key;
    uint64_t order, roles;
    uint32_t cluster, target, sharing, labelset;       /* of the label set: its length */
    uint16_t family;
    uint8_t kind, unit;
    uint32_t reserved;
};

static int by_label_name(const void *a, const void *b)
{
    return span_cmp(((const struct openmetrics_label *)a)->name, ((const struct openmetrics_label *)b)->name);
}

/* Labels with a value, sorted by name, into sorted. Returns how many. Servers sort them already. */
static size_t canonical_labels(const struct openmetrics_label *labels, size_t n, struct openmetrics_label *sorted)
{
    bool in_order = true;
    size_t kept = 0;

    for (size_t i = 0; i < n; i++) {
        if (labels[i].value.n == 0)
            continue;
        in_order &= kept == 0 || span_cmp(sorted[kept - 1].name, labels[i].name) < 0;
        sorted[kept++] = labels[i];
    }
    if (!in_order)
        qsort(sorted, kept, sizeof *sorted, by_label_name);
    return kept;
}

/* Behind its length, so that no other texts one behind the other have the same bytes. There is room for both. */
static char *put_text(char *p, struct span text)
{
    size_t n = text.n;

    for (; n >= 0x80; n >>= 7)
        *p++ = (char)(n | 0x80);
    *p++ = (char)n;
    return span_copy(p, text);
}

/* What tells a series from others of its family that have the same label names: the values, and the cluster where no label says it. */
static struct span value_key(struct scrape *s, struct span cluster, const struct openmetrics_label *labels, size_t n)
{
    enum { LENGTH_BYTES = 10 };
    size_t room = cluster.n + LENGTH_BYTES;
    char *p;

    for (size_t i = 0; i < n; i++)
        room += labels[i].value.n + LENGTH_BYTES;
    buf_clear(&s->text);
    buf_reserve(&s->text, room);
    p = put_text(s->text.p, cluster);
    for (size_t i = 0; i < n; i++)
        p = put_text(p, labels[i].value);
    s->text.n = (size_t)(p - s->text.p);
    return buf_span(&s->text);
}

/* What tells its family and their names from others. */
static struct span name_key(struct scrape *s, const struct family *f, const struct openmetrics_label *labels, size_t n)
{
    buf_clear(&s->text);
    packed_add_text(&s->text, span_of(f->name));
    for (size_t i = 0; i < n; i++)
        packed_add_text(&s->text, labels[i].name);
    return buf_span(&s->text);
}

/* job="dcgm",instance="10.0.0.1:9400": quotes and backslashes escaped, so that different targets have different texts. */
static void add_target_label(struct buf *b, const char *name, struct span value)
{
    if (b->n > 0)
        buf_addc(b, ',');
    buf_adds(b, name);
    buf_adds(b, "=\"");
    for (size_t i = 0; i < value.n; i++) {
        if (value.p[i] == '"' || value.p[i] == '\\')
            buf_addc(b, '\\');
        buf_addc(b, value.p[i]);
    }
    buf_addc(b, '"');
}

static void add_target_key(struct buf *b, uint32_t cluster, const struct span *values)
{
    buf_clear(b);
    buf_add(b, &cluster, sizeof cluster);
    for (size_t i = 0; exporters_target_labels[i]; i++) {
        buf_add(b, &values[i].n, sizeof values[i].n);
        buf_add_span(b, values[i]);
    }
}

static uint32_t look_up_target(struct scrape *s, uint32_t cluster, const struct span *values)
{
    uint32_t key[2] = { cluster, 0 }, id;

    buf_clear(&s->text);
    for (size_t i = 0; exporters_target_labels[i]; i++)
        if (values[i].n > 0)
            add_target_label(&s->text, exporters_target_labels[i], values[i]);
    key[1] = intern_put(s->req->names, s->text.p, s->text.n);
    id = intern_put(s->target_keys, key, sizeof key);
    if (id > s->targets.n)
        vec_push(&s->targets, (struct scrape_target){ .cluster = cluster, .text = key[1] });
    return id - 1;
}

/* What add_target_key would write, held against the last key piece by piece: where one differs, nothing behind it is looked at. */
static bool is_last_target(const struct scrape *s, uint32_t cluster, const struct span *values)
{
    const char *p = s->last_target_key.p;

    if (!p || memcmp(p, &cluster, sizeof cluster) != 0)
        return false;
    p += sizeof cluster;
    for (size_t i = 0, n; exporters_target_labels[i]; i++, p += n) {
        memcpy(&n, p, sizeof n);
        p += sizeof n;
        if (!span_same(values[i], (struct span){ p, n }))
            return false;
    }
    return true;
}

static uint32_t find_target(struct scrape *s, uint32_t cluster, const struct span *values)
{
    if (!is_last_target(s, cluster, values)) {
        add_target_key(&s->last_target_key, cluster, values);
        s->last_target = look_up_target(s, cluster, values);
    }
    return s->last_target;
}

/* A series at hand: labels with values, sorted by name. */
struct named {
    const struct family *family;
    const struct label_plan *plan;
    const struct openmetrics_label *labels;
    size_t n;
};

static struct span value_at(const struct named *named, int place)
{
    return place < 0 ? (struct span){ NULL, 0 } : named->labels[place].value;
}

static struct span form_of_uuid(struct scrape *s, struct span value)
{
    if (!span_same(value, buf_span(&s->uuid.value))) {
        buf_clear(&s->uuid.value);
        buf_add_span(&s->uuid.value, value);
        buf_clear(&s->uuid.form);
        exporters_add_uuid(&s->uuid.form, value);
    }
    return buf_span(&s->uuid.form);
}

/* A GPU's UUID or number in one form. A part of a card, such as a tile, is a device of its own; the first part goes by the card's name. */
static struct span name_device(struct scrape *s, enum label_role role, struct span value, struct span part)
{
    struct span card = role == ROLE_UUID ? form_of_uuid(s, value) : exporters_index(value);

    if (card.n == 0 || part.n == 0 || span_eq(part, "0"))
        return card;
    buf_clear(&s->text);
    buf_add_span(&s->text, card);
    buf_addc(&s->text, '/');
    buf_add_span(&s->text, part);
    return buf_span(&s->text);
}

static void add_text(struct buf *b, struct span text)
{
    buf_reserve(b, text.n);
    b->n = (size_t)(span_copy(b->p + b->n, text) - b->p);
    b->p[b->n] = '\0';
}

/* Lengths, then bytes. There is room for as many lengths as there may be; what then is not needed of it is closed. */
static void add_values(struct scrape *s, const struct span *roles, uint64_t given, struct note *note)
{
    struct buf *b = &s->record;
    size_t begin = b->n, end = begin, values = begin + bits_count(given) * sizeof(uint32_t);

    buf_reserve(b, values - begin);
    b->n = values;
    for (; given; given &= given - 1) {
        int i = __builtin_ctzll(given);
        struct span value = roles[i];
        uint32_t length;

        if (i == ROLE_UUID || i == ROLE_INDEX)
            value = name_device(s, i, value, roles[ROLE_PARTITION]);
        if (value.n == 0)
            continue;
        note->roles |= (uint64_t)1 << i;
        length = (uint32_t)value.n;
        memcpy(b->p + end, &length, sizeof length);
        end += sizeof length;
        add_text(b, value);
    }
    if (end < values) {
        memmove(b->p + end, b->p + values, b->n - values);
        b->n -= values - end;
    }
}

/* What Kubernetes labels and annotations say, where the family carries them. */
static void add_kubernetes_labels(struct scrape *s, const struct openmetrics_label *labels, size_t n, struct note *note)
{
    size_t from = s->record.n;
    const struct { int kind; const struct label_choice *choice; } choices[] = {
        { RECORD_POD_LABELS, &s->pod_labels }, { RECORD_POD_ANNOTATIONS, &s->pod_annotations },
        { RECORD_NAMESPACE_LABELS, &s->namespace_labels }, { RECORD_NAMESPACE_ANNOTATIONS, &s->namespace_annotations },
        { RECORD_NODE_LABELS, &s->node_labels },
    };

    for (size_t i = 0; i < sizeof choices / sizeof *choices; i++)
        if (choices[i].kind == note->kind)
            label_choice_add(choices[i].choice, labels, n, &s->record);
    for (size_t i = 0; note->kind == RECORD_NODE_LABELS && i < n; i++)
        note->sharing |= exporters_sharing(labels[i].name, labels[i].value);
    note->labelset = (uint32_t)(s->record.n - from);
}

static void fill_note(struct scrape *s, const struct named *named, const struct span *roles, struct note *note)
{
    struct span target[LABEL_TARGETS];

    for (size_t i = 0; exporters_target_labels[i]; i++)
        target[i] = value_at(named, named->plan->target[i]);
    buf_clear(&s->record);
    buf_add(&s->record, note, sizeof *note);
    note->target = find_target(s, note->cluster, target);
    add_values(s, roles, named->plan->roles, note);
    add_kubernetes_labels(s, named->labels, named->n, note);
    if (note->kind <= SAMPLE_PROCESS_USED && note->roles >> ROLE_EXPORTED_POD & 1)
        s->targets.v[note->target].renames = true;
    memcpy(s->record.p, note, sizeof *note);
}

/* *out says SCRAPE_NONE already. */
static int write_series(struct scrape *s, const struct named *named, struct span cluster, struct note *note, struct scrape_handle *out,
                        struct err *e)
{
    struct span roles[ROLES] = { { NULL, 0 } };
    const struct family *f = named->family;
    enum family_unit unit;
    int kind;

    if (f->only.label && !span_glob(value_at(named, named->plan->only), f->only.glob))
        return 0;
    for (uint64_t given = named->plan->roles; given; given &= given - 1)
        roles[__builtin_ctzll(given)] = value_at(named, named->plan->role[__builtin_ctzll(given)]);
    if (!exporters_meaning(f, roles, &kind, &unit))
        return 0;
    note->kind = out->kind = (uint8_t)kind;
    note->unit = out->unit = (uint8_t)unit;
    note->cluster = intern_span(s->req->names, cluster);
    fill_note(s, named, roles, note);
    return blocks_note(s->blocks, s->record.p, s->record.n, &out->at, e);
}

/* The cluster's name: what its label says, or the name that was given to that, or the source's. */
static struct span find_cluster(const struct scrape *s, const struct scrape_origin *o, struct span value)
{
    for (const struct cluster_name *c = s->req->clusters; c && c->value; c++)
        if (span_eq(value, c->value))
            return span_of(c->name);
    return value.n > 0 ? value : span_of(o->cluster);
}

bool scrape_same(struct scrape_handle a, struct scrape_handle b)
{
    return a.key.low == b.key.low && a.key.high == b.key.high;
}

static struct label_plan *plan_at(struct scrape *s, const struct family *f, size_t n)
{
    return &s->plans[(size_t)scrape_family_at(s, f) * SCRAPE_PLANS + n % SCRAPE_PLANS];
}

const struct label_plan *scrape_plan(struct scrape *s, const struct scrape_origin *origin, const struct family *f,
                                     const struct openmetrics_label *labels, size_t n)
{
    const struct label_plan *plan = plan_at(s, f, n);

    return label_plan_suits(plan, origin->cluster_label, labels, n) ? plan : NULL;
}

int scrape_planned_series(struct scrape *s, const struct scrape_origin *origin, const struct family *f, const struct label_plan *plan,
                          const struct openmetrics_label *labels, size_t n, struct scrape_handle *out, struct err *e)
{
    struct named named = { f, plan, labels, n };
    struct note note = { .family = scrape_family_at(s, f) };
    struct span cluster = find_cluster(s, origin, value_at(&named, plan->cluster));
    struct span key = value_key(s, cluster, labels, n);

    note.key = fingerprint_of(plan->secret, key);
    note.order = plan->order ^ fingerprint_order(key);
    *out = (struct scrape_handle){ .key = note.key, .at = SCRAPE_NONE, .family = note.family };
    return write_series(s, &named, cluster, &note, out, e);
}

/* Series with other names, or of another family, have keys by another secret. */
static void make_plan(struct scrape *s, struct label_plan *plan, const char *cluster_label, const struct family *f,
                      const struct openmetrics_label *labels, size_t n)
{
    struct span names = name_key(s, f, labels, n);
    struct fingerprint secret = fingerprint_of(s->secret, names);

    label_plan_make(plan, &s->meanings, f, cluster_label, labels, n);
    plan->secret = (struct fingerprint_key){ secret.low, secret.high };
    plan->order = fingerprint_order(names);
}

int scrape_series(struct scrape *s, const struct scrape_origin *origin, const struct family *f, const struct openmetrics_label *labels,
                  size_t n, struct scrape_handle *out, struct err *e)
{
    struct openmetrics_label sorted[OPENMETRICS_LABELS];
    const struct label_plan *plan = scrape_plan(s, origin, f, labels, n);

    if (!plan) {
        n = canonical_labels(labels, n, sorted);
        labels = sorted;
        plan = scrape_plan(s, origin, f, labels, n);
    }
    if (!plan) {
        make_plan(s, plan_at(s, f, n), origin->cluster_label, f, labels, n);
        plan = plan_at(s, f, n);
    }
    return scrape_planned_series(s, origin, f, plan, labels, n, out, e);
}

/* ---- reading ---- */

int scrape_labels_at(const struct scrape *s, uint64_t at, struct scrape_labels *out, struct err *e)
{
    const char *p = blocks_note_at(s->blocks, at, e), *lengths, *value;
    struct note note;

    if (!p)
        return -1;
    memcpy(&note, p, sizeof note);
    out->handle = (struct scrape_handle){ note.key, at, note.family, note.kind, note.unit };
    out->order = note.order;
    out->roles = note.roles;
    out->cluster = note.cluster;
    out->target = note.target;
    out->sharing = note.sharing;
    lengths = p + sizeof note;
    value = lengths + bits_count(note.roles) * sizeof(uint32_t);
    for (uint64_t rest = note.roles; rest; rest &= rest - 1, lengths += sizeof(uint32_t)) {
        uint32_t length;

        memcpy(&length, lengths, sizeof length);
        out->values[__builtin_ctzll(rest)] = (struct span){ value, length };
        value += length;
    }
    out->labelset = (struct span){ value, note.labelset };
    return 0;
}
