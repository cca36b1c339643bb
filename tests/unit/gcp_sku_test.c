/* gcp_sku: descriptions as Google Cloud bills them, and the public list of them in tests/data/gcp-skus, whose mapping says what each is. */
#include <string.h>

#include "gputab/base/buf.h"
#include "gputab/codec/csv.h"
#include "gputab/codec/unpack.h"
#include "gputab/source/catalogue.h"
#include "gputab/source/gcp_sku.h"
#include "unit.h"

static const struct { const char *text, *model; enum purchase purchase; } gpus[] = {
    {"Nvidia Tesla A100 GPU running in Americas", "NVIDIA A100 40GB", PURCHASE_ON_DEMAND},
    {"Nvidia Tesla A100 80GB GPU running in Americas", "NVIDIA A100 80GB", PURCHASE_ON_DEMAND},
    {"Nvidia Tesla A100 80GB GPU attached to Spot Preemptible VMs running in Iowa", "NVIDIA A100 80GB", PURCHASE_SPOT},
    {"Nvidia H100 80GB GPU running in Americas", "NVIDIA H100 80GB", PURCHASE_ON_DEMAND},
    {"Nvidia H100 80GB Mega GPU running in Americas", "NVIDIA H100 80GB", PURCHASE_ON_DEMAND},
    {"Reserved Nvidia H100 80GB Mega GPU in Americas", "NVIDIA H100 80GB", PURCHASE_RESERVED},
    {"Nvidia H200 141GB GPU running in Americas", "NVIDIA H200", PURCHASE_ON_DEMAND},
    {"Nvidia B200 GPU running in Americas", "NVIDIA B200", PURCHASE_ON_DEMAND},
    {"Nvidia GB200 GPU running in Americas", "NVIDIA GB200", PURCHASE_ON_DEMAND},
    {"Nvidia L4 GPU running in Netherlands", "NVIDIA L4", PURCHASE_ON_DEMAND},
    {"RTX 6000 96GB running in Americas", "NVIDIA RTX PRO 6000", PURCHASE_ON_DEMAND},
    {"Nvidia Tesla T4 GPU attached to Preemptible VMs", "NVIDIA T4", PURCHASE_SPOT},
    {"Nvidia Tesla K80 GPU running in Americas", NULL, PURCHASE_ON_DEMAND},
    {"Nvidia L40S GPU running in Americas", NULL, PURCHASE_ON_DEMAND},             /* an L4 it is not */
};

START_TEST(the_longest_name_is_the_model)
{
    struct gcp_sku s = gcp_sku_of(span_of(gpus[_i].text));

    ck_assert_int_eq(s.kind, GCP_SKU_PIECE);
    ck_assert_int_eq(s.piece, PIECE_GPU);
    ck_assert_int_eq(s.purchase, gpus[_i].purchase);
    ck_assert(span_eq(s.gpu_model, gpus[_i].model ? gpus[_i].model : ""));
}
END_TEST

START_TEST(models_are_called_as_in_the_catalogue)
{
    struct catalogue c = {0};
    struct err e = {0};

    ck_assert_int_eq(catalogue_builtin(&c, &e), 0);
    for (size_t i = 0; i < sizeof gpus / sizeof *gpus; i++)
        if (gpus[i].model) {
            int model = catalogue_model(&c, span_of(gpus[i].model));

            ck_assert_int_ge(model, 0);
            ck_assert_str_eq(c.models.v[model].name, gpus[i].model);
        }
    catalogue_free(&c);
}
END_TEST

static const struct { const char *text; enum gcp_sku_kind kind; enum piece piece; } others[] = {
    {"A2 Instance Core running in Americas", GCP_SKU_PIECE, PIECE_CPU},
    {"Spot Preemptible A3 Instance Ram running in Americas", GCP_SKU_PIECE, PIECE_MEMORY},
    {"N1 Predefined Instance Ram running in Frankfurt", GCP_SKU_PIECE, PIECE_MEMORY},
    {"Commitment v1: A100 in Americas for 1 Year", GCP_SKU_COMMITMENT, PIECE_GPU},
    {"Commitment - dollar based v1: GCE for 3 years", GCP_SKU_COMMITMENT, PIECE_GPU},
    {"SSD backed Local Storage attached to A2 VMs", GCP_SKU_OTHER, PIECE_GPU},
    {"Network Internet Egress from Americas to EMEA", GCP_SKU_OTHER, PIECE_GPU},
    {"Licensing Fee for Windows Server 2019 Datacenter Edition (CPU cost)", GCP_SKU_OTHER, PIECE_GPU},
    {"Licensing Fee for an Image (GPU cost)", GCP_SKU_OTHER, PIECE_GPU},
    {"Storage PD Capacity", GCP_SKU_OTHER, PIECE_GPU},
    {"", GCP_SKU_OTHER, PIECE_GPU},
};

START_TEST(a_word_tells_the_piece)
{
    struct gcp_sku s = gcp_sku_of(span_of(others[_i].text));

    ck_assert_int_eq(s.kind, others[_i].kind);
    if (s.kind == GCP_SKU_PIECE)
        ck_assert_int_eq(s.piece, others[_i].piece);
}
END_TEST

/* ---- the public list ---- */

static bool has(struct span s, const char *needle)
{
    return span_has_fold(s, needle);
}

/* Machines of one size, whose cores and memory are no rows of their own. */
static bool is_of_one_size(struct span id)
{
    return has(id, ".f1") || has(id, ".g1");
}

static bool may_have_gpus(struct span id)
{
    static const char *const families[] = {".n1", ".a2", ".a3", ".g2", ".g4"};

    for (size_t i = 0; i < sizeof families / sizeof *families; i++)
        if (has(id, families[i]))
            return true;
    return false;
}

/* What a pattern leaves open at its end: the piece's word, or in one of them that the machines are spot ones. */
static const char *ending(struct span id, struct span pattern)
{
    if (has(id, ".spot") && !has(pattern, "spot"))
        return " to Spot Preemptible VMs";
    if (has(pattern, " core") || has(pattern, " ram") || is_of_one_size(id))
        return " in Americas";
    return has(id, "compute.cpu.") ? " Core running in Americas" : has(id, "compute.ram.") ? " Ram running in Americas" : " in Americas";
}

static void describe(struct buf *b, struct span id, struct span pattern)
{
    buf_clear(b);
    for (size_t i = 0; i < pattern.n; i++) {
        if (pattern.p[i] != '%')
            buf_addc(b, pattern.p[i]);
        else
            buf_adds(b, i + 1 == pattern.n ? ending(id, pattern) : " ");
    }
}

enum { COMMITMENTS, GPUS, CORES, RAMS, OTHERS, KINDS };

static void check_line(struct span id, struct span text, int counts[KINDS])
{
    struct gcp_sku s = gcp_sku_of(text);
    int want = span_starts(text, "Commitment") ? COMMITMENTS : has(id, "compute.gpu.") ? GPUS : is_of_one_size(id) ? OTHERS
               : has(id, "compute.cpu.") ? CORES : has(id, "compute.ram.") ? RAMS : OTHERS;
    static const enum piece pieces[] = {[GPUS] = PIECE_GPU, [CORES] = PIECE_CPU, [RAMS] = PIECE_MEMORY};

    counts[want]++;
    ck_assert_msg(s.kind == (want == COMMITMENTS ? GCP_SKU_COMMITMENT : want == OTHERS ? GCP_SKU_OTHER : GCP_SKU_PIECE), "%.*s: kind %d",
                  (int)text.n, text.p, s.kind);
    if (s.kind != GCP_SKU_PIECE)
        return;
    ck_assert_msg(s.piece == pieces[want], "%.*s: piece %d", (int)text.n, text.p, s.piece);
    ck_assert_msg(s.purchase == (has(id, ".spot") ? PURCHASE_SPOT : has(id, ".reserved") ? PURCHASE_RESERVED : PURCHASE_ON_DEMAND),
                  "%.*s: purchase %d", (int)text.n, text.p, s.purchase);
    ck_assert_msg(want == GPUS ? (s.gpu_model.n > 0) == !has(id, "k80") : s.takes_no_gpu == !may_have_gpus(id), "%.*s", (int)text.n,
                  text.p);
}

/* awk -F, 'NR>1 && $2=="Compute Engine"': 365 lines. 144 begin with Commitment; of the others 22 are gce.compute.gpu, 73 gce.compute.cpu
 * with 4 of machines of one size (f1, g1), 69 gce.compute.ram, and 57 neither. */
START_TEST(the_public_list_is_told_apart)
{
    struct unpack *u;
    struct err e = {0};
    struct csv *csv;
    struct csv_row row;
    struct buf path = {0}, text = {0};
    int counts[KINDS] = {0};

    buf_adds(&path, __FILE__);
    while (path.n && path.p[path.n - 1] != '/')
        path.n--;
    buf_adds(&path, "../data/gcp-skus/sku-mapping.csv");
    ck_assert_int_eq(unpack_open(&u, buf_str(&path), 0, &e), 0);
    csv = csv_over(u, &(struct csv_config){.name = "sku-mapping.csv"});
    while (csv_next(csv, &row, &e) == 1)
        if (span_eq(row.fields[1], "Compute Engine")) {
            struct span id = row.fields[0];

            describe(&text, id, row.fields[4]);
            check_line(id, buf_span(&text), counts);
        }
    ck_assert_int_eq(e.code, ERR_NONE);
    ck_assert_int_eq(counts[COMMITMENTS], 144);
    ck_assert_int_eq(counts[GPUS], 22);
    ck_assert_int_eq(counts[CORES], 69);
    ck_assert_int_eq(counts[RAMS], 69);
    ck_assert_int_eq(counts[OTHERS], 61);
    csv_free(csv);
    unpack_close(u);
    buf_free(&path);
    buf_free(&text);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("gcp_sku");
    TCase *c = tcase_create("gcp_sku");

    tcase_add_loop_test(c, the_longest_name_is_the_model, 0, sizeof gpus / sizeof *gpus);
    tcase_add_test(c, models_are_called_as_in_the_catalogue);
    tcase_add_loop_test(c, a_word_tells_the_piece, 0, sizeof others / sizeof *others);
    tcase_add_test(c, the_public_list_is_told_apart);
    suite_add_tcase(s, c);
    return unit_run(s);
}
