/* replay_pod: whose a series is: which of the pods that its labels name is the workload, and which the exporter itself.
 *
 * Prometheus renames a workload's labels where the exporter's target has labels of the same name; some exporters spell them in their own
 * way; others leave them as they are. Which it is shows in the labels, in those of the target's other series, and in names that only
 * exporters have. */
#include "gputab/source/replay_pod.h"

static uint32_t first_of(uint32_t a, uint32_t b)
{
    return a ? a : b;
}

/* A workload manager's job stands for a pod, in its user's namespace as far as that is known. */
static uint32_t hpc_namespace(const struct replay *r, const struct replay_series *series)
{
    return first_of(replay_role(series, ROLE_HPC_USER), intern_str(r->names, "hpc_job"));
}

/* Whether the family says by a label of its own who the workload is: plain labels are the exporter's then. */
static bool names_workload(const struct family *f)
{
    for (const struct family_label *l = f->labels; l && l->name; l++)
        if (l->role == ROLE_SPELT_POD)
            return true;
    return false;
}

static bool is_exporters(const struct family *f, const struct scrape_target *target, struct span pod, struct span container)
{
    return names_workload(f) || target->renames || f->pods == PODS_NO || exporters_is_exporter(pod) || exporters_is_exporter(container);
}

bool replay_is_exporters(const struct scrape *s, const struct scrape_labels *labels)
{
    return is_exporters(s->family[labels->handle.family], &s->targets.v[labels->target], scrape_value(labels, ROLE_POD),
                        scrape_value(labels, ROLE_CONTAINER));
}

bool replay_names_pod(const struct scrape *s, const struct scrape_labels *labels)
{
    const struct family *f = s->family[labels->handle.family];
    bool gpu = labels->handle.kind <= SAMPLE_PROCESS_USED, said = names_workload(f);

    if (f->pods == PODS_NO)
        return false;
    if (scrape_value(labels, ROLE_EXPORTED_POD).n > 0 && !said)
        return true;
    if (scrape_value(labels, ROLE_SPELT_POD).n > 0 && (said || !gpu || !exporters_is_exporter(scrape_value(labels, ROLE_SPELT_POD))))
        return true;
    if (scrape_value(labels, ROLE_POD).n > 0 && !(gpu && replay_is_exporters(s, labels)))
        return true;
    return gpu && scrape_value(labels, ROLE_HPC_JOB).n > 0;
}

/* Whose a series is. A field that the target does not carry itself was not renamed, so it is looked for under its plain name. */
void replay_find_pod(const struct replay *r, struct replay_series *series)
{
    const struct intern *names = r->names;
    struct replay_pod plain = { replay_role(series, ROLE_NAMESPACE), replay_role(series, ROLE_POD), replay_role(series, ROLE_CONTAINER),
                                replay_role(series, ROLE_UID) };
    struct replay_pod renamed = { first_of(replay_role(series, ROLE_EXPORTED_NAMESPACE), plain.namespace_name),
                                  replay_role(series, ROLE_EXPORTED_POD),
                                  first_of(replay_role(series, ROLE_EXPORTED_CONTAINER), plain.container), plain.uid };
    struct replay_pod spelt = { first_of(replay_role(series, ROLE_SPELT_NAMESPACE), plain.namespace_name),
                                replay_role(series, ROLE_SPELT_POD), replay_role(series, ROLE_SPELT_CONTAINER), plain.uid };
    bool gpu = series->kind <= SAMPLE_PROCESS_USED, said = (renamed.name || spelt.name) && names_workload(series->family);
    bool own = gpu && is_exporters(series->family, &r->scrape->targets.v[series->target], intern_get(names, plain.name),
                                   intern_get(names, plain.container));

    series->pod_known = true;
    if (own)
        series->exporter = plain;
    if (series->family->pods == PODS_NO) {
        if (!gpu)
            series->pod.namespace_name = renamed.namespace_name;
        return;
    }
    if (renamed.name && !said)
        series->pod = renamed;
    else if (spelt.name && (said || !gpu || !exporters_is_exporter(intern_get(names, spelt.name))))
        series->pod = spelt;
    else if (plain.name && !own)
        series->pod = plain;
    else if (gpu && replay_role(series, ROLE_HPC_JOB))
        series->pod = (struct replay_pod){ .namespace_name = hpc_namespace(r, series), .name = replay_role(series, ROLE_HPC_JOB) };
}

/* By its UUID, by its place in a machine, or as all that is in a machine; which machine, source/inventory_gpu finds out. */
static bool names_gpu(const struct replay_series *s)
{
    bool placed = replay_role(s, ROLE_NODE) || replay_role(s, ROLE_HOSTNAME) || replay_role(s, ROLE_INSTANCE);

    return replay_role(s, ROLE_UUID) || replay_role(s, ROLE_MACHINE) || (replay_role(s, ROLE_INDEX) && placed);
}

/* Whether the labels name what the kind speaks of. */
bool replay_names_its_thing(const struct replay_series *series)
{
    if (series->kind <= SAMPLE_PROCESS_USED && !names_gpu(series))
        return false;
    if (series->stands_in)
        return true;
    if (series->family->pods == PODS_ALWAYS)
        return series->pod.name != 0;
    switch (series->kind) {
    case SAMPLE_CAPACITY_GPU: case SAMPLE_CAPACITY_GPU_SHARED:
    case RECORD_NODE_CPU: case RECORD_NODE_MEMORY: case RECORD_NODE_INFO: case RECORD_NODE_LABELS:
        return replay_role(series, ROLE_NODE) != 0;
    case RECORD_NAMESPACE_LABELS: case RECORD_NAMESPACE_ANNOTATIONS:
        return series->pod.namespace_name != 0;
    case RECORD_GPU_INFO:
        return replay_role(series, ROLE_UUID) != 0;
    case RECORD_REPLICASET_OWNER:
        return replay_role(series, ROLE_REPLICASET) != 0;
    case RECORD_JOB_OWNER:
        return replay_role(series, ROLE_JOB_NAME) != 0;
    default:
        return true;
    }
}
