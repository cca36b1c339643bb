/* gcp_sku: a SKU's description, word by word.
 *
 * A machine is several SKUs: "A2 Instance Core running in Americas", "A2 Instance Ram running in ...", "Nvidia Tesla A100 GPU running in
 * ...". Words are compared whole, so that an L4 is not found in an L40S; of the model names that are there the longest counts, so that
 * an A100 80GB is no A100. Local disks, traffic and licences have none of the words, or one that speaks of them. */
#include "gputab/source/gcp_sku.h"

#include <string.h>

#include "gputab/source/bill_meter.h"

/* Phrases and the catalogue's names. Those that the catalogue has under one name are one model. */
static const char *const models[][2] = {
    {"A100 80GB", "NVIDIA A100 80GB"},
    {"A100", "NVIDIA A100 40GB"},
    {"B200", "NVIDIA B200"},
    {"B300", "NVIDIA B300"},
    {"GB200", "NVIDIA GB200"},
    {"H100", "NVIDIA H100 80GB"},
    {"H100 80GB", "NVIDIA H100 80GB"},
    {"H100 80GB Mega", "NVIDIA H100 80GB"},
    {"H100 80GB Plus", "NVIDIA H100 80GB"},
    {"H200", "NVIDIA H200"},
    {"H200 141GB", "NVIDIA H200"},
    {"L4", "NVIDIA L4"},
    {"P100", "NVIDIA P100 16GB"},
    {"P4", "NVIDIA P4"},
    {"RTX 6000 96GB", "NVIDIA RTX PRO 6000"},
    {"RTX PRO 6000", "NVIDIA RTX PRO 6000"},
    {"T4", "NVIDIA T4"},
    {"V100", "NVIDIA V100 16GB"},
};

static struct span model_of(struct span text)
{
    struct span found = {NULL, 0};
    size_t longest = 0;

    for (size_t i = 0; i < sizeof models / sizeof *models; i++)
        if (strlen(models[i][0]) > longest && span_has_words(text, models[i][0])) {
            longest = strlen(models[i][0]);
            found = span_of(models[i][1]);
        }
    return found;
}

/* What tells pieces apart. The RTX cards' description does without the word GPU. */
static const struct {
    const char *word;
    enum piece piece;
} pieces[] = {{"GPU", PIECE_GPU}, {"RTX", PIECE_GPU}, {"Core", PIECE_CPU}, {"Ram", PIECE_MEMORY}};

static const struct {
    const char *words;
    enum purchase purchase;
} purchases[] = {{"Spot", PURCHASE_SPOT}, {"Preemptible", PURCHASE_SPOT}, {"Reserved", PURCHASE_RESERVED}};

static enum purchase purchase_of(struct span text)
{
    for (size_t i = 0; i < sizeof purchases / sizeof *purchases; i++)
        if (span_has_words(text, purchases[i].words))
            return purchases[i].purchase;
    return PURCHASE_ON_DEMAND;
}

/* The first word like "A2", "N2D" or "A3Plus". Machines of the A and G families and N1 can have GPUs; one of N1 with custom sizes names no
 * family. */
static bool takes_no_gpu(struct span text)
{
    for (size_t i = 0; i + 1 < text.n; i++) {
        char letter = text.p[i], digit = text.p[i + 1];

        if ((i > 0 && span_is_word_char(text.p[i - 1])) || letter < 'A' || letter > 'Z' || digit < '0' || digit > '9')
            continue;
        return letter != 'A' && letter != 'G' && !(letter == 'N' && digit == '1');
    }
    return span_has_fold(text, "optimized");
}

struct gcp_sku gcp_sku_of(struct span description)
{
    struct gcp_sku sku = {.kind = GCP_SKU_OTHER};

    if (span_has_words(description, "Commitment"))
        sku.kind = GCP_SKU_COMMITMENT;
    if (sku.kind == GCP_SKU_COMMITMENT || bill_speaks_of_other(description))
        return sku;
    for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++)
        if (span_has_words(description, pieces[i].word)) {
            sku.kind = GCP_SKU_PIECE;
            sku.piece = pieces[i].piece;
            break;
        }
    if (sku.kind != GCP_SKU_PIECE)
        return sku;
    if (sku.piece == PIECE_GPU)
        sku.gpu_model = model_of(description);
    else
        sku.takes_no_gpu = takes_no_gpu(description);
    sku.purchase = purchase_of(description);
    return sku;
}
