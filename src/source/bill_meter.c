/* bill_meter: vocabulary of meters, as tables.
 *
 * No standard says in one column that a row bills the time of a machine, so words decide: a unit of time speaks for it, some words speak
 * against it. What is not in the tables is not guessed: an unknown unit is no time, an unknown word speaks against nothing.
 * JSON cells are hints about a machine's shape, never amounts of money, so doubles are good enough there. */
#include "gputab/source/bill_meter.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "gputab/base/buf.h"
#include "gputab/base/xalloc.h"
#include "gputab/codec/python_repr.h"

enum { MICRO = 1000000, BLOCK_MAX = 10000 };

/* ---- units ---- */

struct unit {
    const char *name;
    int64_t ms;
};

static const struct unit units[] = {
    {"h", TIME_HOUR},        {"hr", TIME_HOUR},         {"hrs", TIME_HOUR},          {"hour", TIME_HOUR},
    {"hours", TIME_HOUR},    {"s", TIME_SECOND},        {"sec", TIME_SECOND},        {"secs", TIME_SECOND},
    {"second", TIME_SECOND}, {"seconds", TIME_SECOND},  {"m", TIME_MINUTE},          {"min", TIME_MINUTE},
    {"mins", TIME_MINUTE},   {"minute", TIME_MINUTE},   {"minutes", TIME_MINUTE},    {"d", TIME_DAY},
    {"day", TIME_DAY},       {"days", TIME_DAY},
};

/* "Instance Hours", "VM-Hours": still the time of one machine. */
static const char *const machines[] = {"instance", "vm", "node", "server"};

static struct span behind(struct span s, size_t n)
{
    return (struct span){s.p + n, s.n - n};
}

static struct span without_machine(struct span s)
{
    for (size_t i = 0; i < sizeof machines / sizeof *machines; i++) {
        size_t n = strlen(machines[i]);

        if (s.n > n + 1 && (s.p[n] == ' ' || s.p[n] == '-') && span_eq_fold((struct span){s.p, n}, machines[i]))
            return span_trim(behind(s, n + 1));
    }
    return s;
}

bool bill_unit_ms(struct span unit, int64_t *ms)
{
    struct span s = span_trim(unit);
    int64_t block = 0;
    size_t n = 0;

    if (s.n == 0)
        return false;
    for (; n < s.n && s.p[n] >= '0' && s.p[n] <= '9' && block <= BLOCK_MAX; n++)
        block = block * 10 + (s.p[n] - '0');
    if (n == 0)
        block = 1;
    if (block < 1 || block > BLOCK_MAX)
        return false;
    s = without_machine(span_trim(behind(s, n)));
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (span_eq_fold(s, units[i].name)) {
            *ms = block * units[i].ms;
            return true;
        }
    return false;
}

/* ---- words ---- */

/* Whole words would miss "DataTransfer-Out-Bytes" and "USE2-EBSOptimized:p4d"; each of these is long or odd enough to stand anywhere. */
static const char *const other_words[] = {
    "transfer", "dataxfer", "bandwidth", "licence", "license", "licensing", "storage", "snapshot", "ip address", "ipaddress", "ipv4",
    "ebsoptimized", "ebs-optimized", "ebs:", "cpu credit", "cpucredit", "marketplace", "software", "data process", "dataprocess",
};

bool bill_speaks_of_other(struct span text)
{
    for (size_t i = 0; i < sizeof other_words / sizeof *other_words; i++)
        if (span_has_fold(text, other_words[i]))
            return true;
    return false;
}

/* ---- instance types ---- */

static bool is_word_char(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' || c == '-' || c == '_';
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* "m5.large", "u-6tb1.metal": the form of an AWS type, whatever the catalogue knows. */
static bool looks_like_type(struct span s)
{
    static const char *const sizes[] = {"nano", "micro", "small", "medium", "large"};
    struct span size = span_after_last(s, '.');

    if (size.n == s.n || !is_letter(s.p[0]))
        return false;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        if (span_ends(size, sizes[i]))
            return true;
    return span_starts(size, "metal");
}

struct span bill_type_of_words(const struct catalogue *c, struct span text)
{
    struct span looks = {NULL, 0};

    while (text.n) {
        size_t skip = 0, n = 0;
        struct span word;

        while (skip < text.n && !is_word_char(text.p[skip]))
            skip++;
        while (skip + n < text.n && is_word_char(text.p[skip + n]))
            n++;
        word = (struct span){text.p + skip, n};
        text = behind(text, skip + n);
        if (n < 4 || n >= BILL_TYPE_SIZE || !is_letter(word.p[0]))
            continue;
        if (catalogue_type(c, word))
            return word;
        if (!looks.n && looks_like_type(word))
            looks = word;
    }
    return looks;
}

/* Azure's meters write "NC24ads A100 v4" for Standard_NC24ads_A100_v4. */
static struct span azure_type(const struct catalogue *c, struct span meter)
{
    static const char *const endings[] = {" Spot", " Low Priority"};
    char name[BILL_TYPE_SIZE] = "Standard_";
    size_t n = strlen(name);
    const struct instance_type *t;

    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
        if (span_ends(meter, endings[i]))
            meter.n -= strlen(endings[i]);
    if (meter.n >= sizeof name - n)
        return (struct span){NULL, 0};
    for (size_t i = 0; i < meter.n; i++)
        name[n++] = (char)(meter.p[i] == ' ' ? '_' : meter.p[i]);
    t = catalogue_type(c, (struct span){name, n});
    return t ? span_of(t->name) : (struct span){NULL, 0};
}

struct span bill_type_of_meter(const struct catalogue *c, struct span meter)
{
    struct span last = span_after_last(meter, ':');

    if (meter.n == 0)
        return (struct span){NULL, 0};
    if (last.n < meter.n)
        return last.n < BILL_TYPE_SIZE && (catalogue_type(c, last) || looks_like_type(last)) ? last : (struct span){NULL, 0};
    if (catalogue_type(c, meter))
        return meter;
    return azure_type(c, meter);
}

/* ---- JSON details ---- */

enum detail { DETAIL_TYPE, DETAIL_REGION, DETAIL_MACHINE, DETAIL_VCPU, DETAIL_MEMORY, DETAIL_GPU };

static const struct {
    const char *key;
    enum detail detail;
} detail_keys[] = {
    {"InstanceType", DETAIL_TYPE}, {"x_InstanceType", DETAIL_TYPE}, {"ServiceType", DETAIL_TYPE}, {"VMSize", DETAIL_TYPE},
    {"CoreCount", DETAIL_VCPU},    {"x_CoreCount", DETAIL_VCPU},    {"VCPUs", DETAIL_VCPU},       {"vCPUs", DETAIL_VCPU},
    {"MemorySize", DETAIL_MEMORY}, {"x_MemorySize", DETAIL_MEMORY}, {"GpuCount", DETAIL_GPU},     {"x_GpuCount", DETAIL_GPU},
    {"instance_type", DETAIL_TYPE}, {"region_code", DETAIL_REGION}, {"region", DETAIL_REGION},    {"vcpu", DETAIL_VCPU},
    {"memory", DETAIL_MEMORY},     {"gpu", DETAIL_GPU},             {"VMName", DETAIL_MACHINE},   {"VmName", DETAIL_MACHINE},
};

int64_t bill_micro_of_words(struct span text)
{
    char digits[64];
    size_t n = 0;
    money m;

    for (size_t i = 0; i < text.n && n < sizeof digits && text.p[i] && strchr("0123456789.,", text.p[i]); i++)
        if (text.p[i] != ',')
            digits[n++] = text.p[i];
    if (money_parse((struct span){digits, n}, &m, NULL) < 0 || m > 1000000000 * MONEY_ONE)
        return 0;
    return (int64_t)(m / (MONEY_ONE / MICRO));
}

static int64_t micro_of(const json_t *v)
{
    double x = json_number_value(v);

    if (json_is_string(v))
        return bill_micro_of_words((struct span){json_string_value(v), json_string_length(v)});
    return x > 0 && x < 1e9 ? (int64_t)(x * MICRO + 0.5) : 0;
}

static void add_text(char (*to)[BILL_TYPE_SIZE], const json_t *v)
{
    size_t n = json_string_length(v);

    if ((*to)[0] == '\0' && n > 0 && n < sizeof *to)
        memcpy(*to, json_string_value(v), n + 1);
}

static void add_detail(struct bill_details *d, enum detail detail, const json_t *v)
{
    char(*const texts[])[BILL_TYPE_SIZE] = {[DETAIL_TYPE] = &d->type, [DETAIL_REGION] = &d->region, [DETAIL_MACHINE] = &d->machine};
    int64_t *numbers[] = {[DETAIL_VCPU] = &d->vcpu_micro, [DETAIL_MEMORY] = &d->memory_micro_gib, [DETAIL_GPU] = &d->gpu_count_micro};

    if (detail <= DETAIL_MACHINE)
        add_text(texts[detail], v);
    else if (*numbers[detail] == 0)
        *numbers[detail] = micro_of(v);
}

static void add_json_text(struct buf *b, struct span s)
{
    buf_addc(b, '"');
    for (size_t i = 0; i < s.n; i++) {
        if (s.p[i] == '"' || s.p[i] == '\\')
            buf_addc(b, '\\');
        buf_addc(b, s.p[i]);
    }
    buf_addc(b, '"');
}

/* "{InstanceType=g5.4xlarge, CoreCount=16}": how SQL engines print a map. Appends JSON; false when it is none. */
static bool add_map_json(struct buf *b, struct span s)
{
    if (s.n < 2 || s.p[0] != '{' || s.p[s.n - 1] != '}')
        return false;
    s = (struct span){s.p + 1, s.n - 2};
    buf_addc(b, '{');
    for (bool first = true; s.n; first = false) {
        const char *comma = memmem(s.p, s.n, ", ", 2);
        struct span pair = {s.p, comma ? (size_t)(comma - s.p) : s.n};
        const char *equals = memchr(pair.p, '=', pair.n);

        if (!equals)
            return false;
        buf_adds(b, first ? "" : ",");
        add_json_text(b, span_trim((struct span){pair.p, (size_t)(equals - pair.p)}));
        buf_addc(b, ':');
        add_json_text(b, span_trim((struct span){equals + 1, pair.n - (size_t)(equals - pair.p) - 1}));
        s = behind(s, comma ? pair.n + 2 : pair.n);
    }
    buf_addc(b, '}');
    return true;
}

/* [{"key": "InstanceType", "value": "g5.4xlarge"}]: a map as a list of its pairs. The reference is taken, a new one returned. */
static json_t *without_pairs(json_t *list)
{
    json_t *map = json_is_array(list) ? json_object() : NULL;

    for (size_t i = 0; map && i < json_array_size(list); i++) {
        const json_t *pair = json_array_get(list, i);
        const char *key = json_string_value(json_object_get(pair, "key"));
        json_t *value = json_object_get(pair, "value");

        if (key && value)
            json_object_set(map, key, value);
    }
    if (!map)
        return list;
    json_decref(list);
    return map;
}

/* jansson says "no memory" and "no JSON" alike. With xmalloc the former cannot happen: it would have made details unknown. */
static json_t *load(struct span s)
{
    struct buf b = {0};
    json_t *root;

    json_set_alloc_funcs(xmalloc, free);
    root = json_loadb(s.p, s.n, 0, NULL);
    if (root)
        return without_pairs(root);
    if (s.p[0] != '{') {
        buf_addf(&b, "{%.*s}", (int)s.n, s.p);
        root = json_loadb(b.p, b.n, 0, NULL);
    }
    if (!root) {
        buf_clear(&b);
        buf_adds(&b, s.p[0] == '{' ? "" : "{");
        python_repr_add_json(&b, s);
        buf_adds(&b, s.p[0] == '{' ? "" : "}");
        root = json_loadb(b.p, b.n, 0, NULL);
    }
    if (!root) {
        buf_clear(&b);
        root = add_map_json(&b, s) ? json_loadb(b.p, b.n, 0, NULL) : NULL;
    }
    buf_free(&b);
    return root;
}

int bill_details_add(struct bill_details *d, struct span json)
{
    json_t *root;

    if (json.n == 0)
        return 0;
    root = load(json);
    if (!json_is_object(root)) {
        json_decref(root);
        return -1;
    }
    for (size_t i = 0; i < sizeof detail_keys / sizeof *detail_keys; i++) {
        const json_t *v = json_object_get(root, detail_keys[i].key);

        if (v)
            add_detail(d, detail_keys[i].detail, v);
    }
    json_decref(root);
    return 0;
}

static void fill_text(char (*to)[BILL_TYPE_SIZE], const char (*from)[BILL_TYPE_SIZE])
{
    if ((*to)[0] == '\0')
        memcpy(*to, *from, sizeof *to);
}

static int64_t known(int64_t number, int64_t otherwise)
{
    return number ? number : otherwise;
}

void bill_details_merge(struct bill_details *d, const struct bill_details *other)
{
    fill_text(&d->type, &other->type);
    fill_text(&d->region, &other->region);
    fill_text(&d->machine, &other->machine);
    d->vcpu_micro = known(d->vcpu_micro, other->vcpu_micro);
    d->memory_micro_gib = known(d->memory_micro_gib, other->memory_micro_gib);
    d->gpu_count_micro = known(d->gpu_count_micro, other->gpu_count_micro);
}
