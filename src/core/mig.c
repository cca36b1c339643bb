/* mig: arithmetic of slices and sizes over the catalogue. No samples, no time but the node's type at an instant. */
#include "gputab/core/mig.h"

#include <stdlib.h>

static const struct gpu_model *model_of(const struct catalogue *c, const struct inventory *inv, uint32_t gpu)
{
    int model = catalogue_model(c, intern_get(inv->names, inv->gpus.v[gpu].model));

    return model < 0 ? NULL : &c->models.v[model];
}

int mig_base(const struct catalogue *c, const struct inventory *inv, uint32_t gpu, enum rule_mig_weight by)
{
    const struct gpu_model *m = model_of(c, inv, gpu);

    if (by == RULE_MIG_MEMORY)
        return m && m->memory_slices ? m->memory_slices : 8;
    return m && m->compute_slices ? m->compute_slices : 7;
}

/* "1c.3g.40gb+me": 3 compute slices; three and four of them go with half of the memory, seven with all of it. */
static int slices_by_name(const char *profile, enum rule_mig_weight by, int base)
{
    static const int memory_of_eight[] = {1, 1, 2, 4, 4, 8, 8, 8};
    const char *p = profile;
    long n;
    char *end;

    for (;;) {
        n = strtol(p, &end, 10);
        if (end == p || *end != 'c' || end[1] != '.')
            break;
        p = end + 2;
    }
    if (end == p || *end != 'g' || n < 1)
        return 1;
    if (n > 7)
        n = 7;
    return by == RULE_MIG_COMPUTE || base == 4 ? (int)(n > base ? base : n) : memory_of_eight[n];
}

int mig_slices(const struct catalogue *c, const struct inventory *inv, uint32_t device, enum rule_mig_weight by)
{
    const struct device *d = &inv->devices.v[device];
    int model = catalogue_model(c, intern_get(inv->names, inv->gpus.v[d->gpu].model));
    const struct mig_profile *p = model < 0 ? NULL : catalogue_profile(c, model, intern_get(inv->names, d->profile));

    if (p)
        return by == RULE_MIG_MEMORY ? p->memory_slices : p->compute_slices;
    return slices_by_name(intern_cstr(inv->names, d->profile), by, mig_base(c, inv, d->gpu, by));
}

const struct instance_type *mig_node_type(const struct catalogue *c, const struct inventory *inv, uint32_t node, time_ms t)
{
    const struct steps *types = node == NONE ? NULL : &inv->nodes.v[node].type;
    uint32_t type = types && types->n ? steps_at(types, t, types->v[0].value) : 0;

    return type ? catalogue_type(c, intern_get(inv->names, type)) : NULL;
}

int64_t mig_type_gpus(const struct catalogue *c, const struct inventory *inv, uint32_t node, time_ms t)
{
    const struct instance_type *type = mig_node_type(c, inv, node, t);

    return type ? (type->gpu_count_micro + 999999) / 1000000 : 0;
}

uint64_t mig_memory_bytes(const struct catalogue *c, const struct inventory *inv, uint32_t node, uint32_t gpu, uint32_t device, time_ms t)
{
    const struct gpu_model *m = model_of(c, inv, gpu);
    const struct instance_type *type = mig_node_type(c, inv, node, t);
    uint64_t total;

    if (!m && !inv->gpus.v[gpu].model && type && type->model >= 0)
        m = &c->models.v[type->model];
    total = m ? (uint64_t)m->total_mib << 20 : 0;
    if (inv->devices.v[device].gi)
        return total * (uint64_t)mig_slices(c, inv, device, RULE_MIG_MEMORY) / (uint64_t)mig_base(c, inv, gpu, RULE_MIG_MEMORY);
    if (type && type->gpu_count_micro < 1000000)
        return (uint64_t)((weight)total * (weight)type->gpu_count_micro / 1000000);
    return total;
}
