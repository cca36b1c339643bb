/* catalogue: what is known of GPU models, MIG profiles and instance types without asking anybody.
 * Built from three CSV tables (source/catalogue reads them; the built-in ones are compiled in). Strings live in the catalogue's arena.
 * Units: micro = 10^-6 (an eighth of a GPU is 125000), mib = MiB, prices are money per hour in USD used as ratios. */
#ifndef GPUTAB_VALUE_CATALOGUE_H
#define GPUTAB_VALUE_CATALOGUE_H

#include <stdint.h>

#include "gputab/base/arena.h"
#include "gputab/base/span.h"
#include "gputab/base/vec.h"
#include "gputab/value/money.h"

enum { CATALOGUE_TYPE_MAX = 64 };      /* bytes of an instance type's name; no type is longer */

struct gpu_model {
    const char *name;              /* the catalogue's name: what reports print */
    const char **names;            /* names seen in metrics, NULL-terminated */
    int64_t total_mib;             /* 0: unknown */
    int64_t reserved_mib;          /* 0: unknown */
    int compute_slices;            /* 7, 4; 0: no MIG */
    int memory_slices;             /* 8, 4; 0: no MIG */
    money price_hour;              /* reference price of one GPU; 0: unknown */
};

struct mig_profile {
    const char *model;             /* gpu_model.name */
    const char *profile;           /* 3g.40gb */
    int compute_slices, memory_slices, max_instances;
};

struct instance_type {
    const char *provider;          /* aws, gcp, azure */
    const char *name;
    int64_t vcpu_micro;
    int64_t memory_micro_gib;
    int model;                     /* index into models; -1: not in the table of models */
    const char *model_name;
    int64_t gpu_count_micro;
    money price_hour;              /* on demand in `region`; 0: unknown */
    const char *region;
};

struct catalogue {
    struct arena strings;
    VEC(struct gpu_model) models;
    VEC(struct mig_profile) profiles;
    VEC(struct instance_type) types;
    char version[32];
    char sha256[65];
};

/* Index of the model with that name or alias, else -1. Comparison folds case, blanks, dashes and the words NVIDIA and Tesla away, but
 * keeps memory and form factor: "A100-SXM4-80GB" is no "A100-PCIE-40GB". */
int catalogue_model(const struct catalogue *c, struct span name);
/* NULL when unknown. The provider is not compared: type names don't collide. Case is folded (Azure). */
const struct instance_type *catalogue_type(const struct catalogue *c, struct span name);
/* The price of the type in that region, 0 when unknown there. */
money catalogue_on_demand(const struct catalogue *c, struct span name, struct span region);
const struct mig_profile *catalogue_profile(const struct catalogue *c, int model, struct span profile);
void catalogue_free(struct catalogue *c);

#endif
