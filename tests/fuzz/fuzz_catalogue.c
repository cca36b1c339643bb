/* fuzz_catalogue: a user's table over the built-in ones. What is read has names, bounded numbers, and models that types can point to; what was
 * built in is still found. */
#include "fuzz_file.h"
#include "gputab/source/catalogue.h"
#include "gputab/source/catalogue_file.h"

static void check(const struct catalogue *c)
{
    for (size_t i = 0; i < c->models.n; i++)
        FUZZ_CHECK(c->models.v[i].name[0] && c->models.v[i].names && c->models.v[i].price_hour >= 0
                   && c->models.v[i].price_hour <= 1000000 * MONEY_ONE && !c->models.v[i].compute_slices == !c->models.v[i].memory_slices);
    for (size_t i = 0; i < c->types.n; i++)
        FUZZ_CHECK(c->types.v[i].name[0] && c->types.v[i].model < (int)c->models.n && c->types.v[i].vcpu_micro > 0
                   && c->types.v[i].memory_micro_gib > 0 && c->types.v[i].gpu_count_micro > 0
                   && (c->types.v[i].price_hour == 0 || c->types.v[i].region[0]));
    for (size_t i = 0; i < c->profiles.n; i++)
        FUZZ_CHECK(c->profiles.v[i].profile[0] && c->profiles.v[i].compute_slices > 0 && c->profiles.v[i].max_instances > 0);
    FUZZ_CHECK(catalogue_model(c, span_of("NVIDIA L4")) >= 0 && catalogue_type(c, span_of("p5.48xlarge")) != NULL);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz_file f = fuzz_file_open(fuzz_span(data, size));
    struct catalogue c = {0};
    struct err e = {0};
    int rc;

    FUZZ_CHECK(catalogue_builtin(&c, &e) == 0);
    rc = catalogue_add_file(&c, f.path, &e);
    FUZZ_CHECK((rc < 0) == (e.code != ERR_NONE));
    if (rc == 0)
        check(&c);
    catalogue_free(&c);
    fuzz_file_close(&f);
    return 0;
}
