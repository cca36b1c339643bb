/* oci_sku: products of Oracle Cloud, by whole words of description and unit.
 *
 * GPU shapes are billed by the hour of a GPU, and their price has the whole machine in it; flexible shapes by cores and memory. What a
 * description calls A100 is told apart by its generation, since two cards have that name. */
#include "gputab/source/oci_sku.h"

#include <string.h>

#include "gputab/source/bill_meter.h"

/* Phrases behind "GPU", longer ones first where one begins another. */
static const struct {
    const char *words;
    const char *model;             /* the catalogue's name */
} models[] = {
    {"A100 - v2", "NVIDIA A100 80GB"}, {"E4", "NVIDIA A100 40GB"},  {"E3", "NVIDIA V100 16GB"},   {"V2", "NVIDIA P100 16GB"},
    {"A10", "NVIDIA A10"},             {"L40S", "NVIDIA L40S"},     {"H100", "NVIDIA H100 80GB"}, {"H100T", "NVIDIA H100 80GB"},
    {"H200", "NVIDIA H200"},           {"B200", "NVIDIA B200"},     {"B300", "NVIDIA B300"},      {"GB200", "NVIDIA GB200"},
    {"MI300X", "AMD Instinct MI300X"},
};

static struct span model_of(struct span text)
{
    for (size_t i = 0; i < sizeof models / sizeof *models; i++)
        if (span_has_words(text, models[i].words))
            return span_of(models[i].model);
    return (struct span){NULL, 0};
}

static struct span next_word(struct span *s)
{
    struct span word;
    size_t n = 0;

    *s = span_trim(*s);
    if (s->n == 0)
        return *s;
    while (n < s->n && s->p[n] != ' ')
        n++;
    word = (struct span){s->p, n};
    *s = (struct span){s->p + n, s->n - n};
    return word;
}

/* Some word of the unit is one of time; a number before all is how many of them. */
static int64_t unit_ms(struct span unit)
{
    struct span rest = unit, first = next_word(&rest);
    int64_t block = 0, ms;

    for (size_t i = 0; i < first.n && block >= 0 && block < 1000000; i++)
        block = first.p[i] >= '0' && first.p[i] <= '9' ? block * 10 + (first.p[i] - '0') : -1;
    if (block <= 0)
        rest = unit;
    while (rest.n) {
        struct span word = next_word(&rest);

        if (word.n && bill_unit_ms(word, &ms) && !(word.p[0] >= '0' && word.p[0] <= '9'))
            return block > 0 ? block * ms : ms;
    }
    return 0;
}

static bool bills_memory(struct span description, struct span unit)
{
    return span_has_words(description, "Memory") || span_has_words(unit, "MEMORY");
}

static bool bills_cores(struct span unit)
{
    return span_has_words(unit, "OCPU") || span_has_words(unit, "OCPUS") || span_has_words(unit, "ECPU") || span_has_words(unit, "ECPUS");
}

/* Words that stand for no time of the machine itself. */
static bool is_software(struct span text)
{
    return bill_speaks_of_other(text) || span_has_words(text, "Enterprise") || span_has_words(text, "Windows");
}

struct oci_sku oci_sku_of(struct span description, struct span unit)
{
    struct oci_sku sku = {.kind = OCI_SKU_OTHER, .unit_ms = unit_ms(unit)};
    bool has_gpus = span_has_words(description, "GPU") || span_has_words(unit, "GPU") || span_has_words(unit, "GPUS");

    if (sku.unit_ms == 0 || is_software(description) || is_software(unit))
        return sku;
    sku.takes_no_gpu = !has_gpus;
    if (bills_memory(description, unit) || bills_cores(unit)) {
        sku.kind = OCI_SKU_PIECE;
        sku.piece = bills_memory(description, unit) ? PIECE_MEMORY : PIECE_CPU;
    } else if (span_has_words(unit, "INSTANCE") || span_has_words(unit, "INSTANCES") || span_has_words(unit, "NODE")) {
        sku.kind = OCI_SKU_MACHINE;
    } else if (has_gpus) {
        sku.kind = OCI_SKU_GPUS;
        sku.gpu_model = model_of(description);
    }
    return sku;
}

bool oci_is_machine(struct span id)
{
    return id.n > 15 && span_starts(id, "ocid") && span_starts((struct span){id.p + 5, id.n - 5}, ".instance.");
}
