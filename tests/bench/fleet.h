/* fleet: the plan of a made fleet of H100 nodes, as pure functions of a few parameters: which series there are, when each has samples, and
 * of what value. Its readers write it as OpenMetrics text (fleet_text), as remote read chunks (stub), and as the sums that a report must
 * give (fleet_text again).
 *
 * Nodes have eight GPUs. Every other node is shared: four pods hold memory on each of its GPUs. The exporter of every fourth shared node
 * shows a value per pod beside the unlabelled device total; that of the others repeats the device's value for every pod. Each place of a
 * pod gets another one every six hours, at a half hour that differs from place to place. What kube-state-metrics says is scraped every
 * half hour, at the full one; the GPU exporters every `step_s`, each node at an instant of its own. */
#ifndef GPUTAB_BENCH_FLEET_H
#define GPUTAB_BENCH_FLEET_H

#include <stdbool.h>
#include <stdint.h>

enum { FLEET_GPUS = 8, FLEET_PLACES = 4, FLEET_TEAMS = 12, FLEET_MIB = 81559, FLEET_CONTEXT_MIB = 512, FLEET_RATES = 2 };

#define FLEET_START INT64_C(1790812800000)             /* 2026-10-01T00:00:00Z in ms */
#define FLEET_DAY INT64_C(86400000)
#define FLEET_SLICE INT64_C(64800000)                  /* 18 hours: a block of Prometheus, which FLEET_START begins */
#define FLEET_KUBE_STEP INT64_C(1800000)

struct fleet {
    unsigned nodes, days, step_s;
};

enum fleet_family {
    FLEET_FB_USED, FLEET_NAMESPACE_LABELS, FLEET_NODE_INFO, FLEET_NODE_LABELS, FLEET_NODE_CAPACITY,
    FLEET_POD_INFO, FLEET_POD_LABELS, FLEET_POD_OWNER, FLEET_FAMILIES
};

extern const char *const fleet_family_names[FLEET_FAMILIES];
extern const char *const fleet_teams[FLEET_TEAMS];
extern const char *const fleet_rates[FLEET_RATES];     /* per node hour, USD */

/* A series of a family, and its samples inside the span that was asked for: n of them from `first`, `step` apart; milliseconds. */
struct fleet_series {
    enum fleet_family family;
    unsigned node, gpu, place;     /* place FLEET_PLACES: the device total; of namespaces and resources: their number */
    int64_t pod;                   /* number at its place, -1: none */
    int64_t first, step, n;
};

/* Sorted by name, byte by byte, without __name__. */
struct fleet_labels {
    unsigned n;
    struct { const char *name; char value[88]; } v[20];
};

bool fleet_shared(unsigned node);
bool fleet_per_pod(unsigned node);                     /* shared, with a value per pod */
unsigned fleet_rate(unsigned node);                    /* index in fleet_rates */
unsigned fleet_team(unsigned node, unsigned gpu, unsigned place, int64_t pod);
int64_t fleet_pod_at(unsigned node, unsigned gpu, unsigned place, int64_t t);
int64_t fleet_offset(const struct fleet *f, unsigned node);     /* of its scrapes, behind the full step */
void fleet_resource_id(unsigned node, char *out, unsigned size);

/* MiB that a pod holds, and that a device shows as used. */
int64_t fleet_pod_mib(unsigned node, unsigned gpu, unsigned place, int64_t t);
int64_t fleet_device_mib(unsigned node, unsigned gpu, int64_t t);

/* Every series of a family with a sample in [from, to). Samples begin half an hour before FLEET_START and end with the last day. */
typedef void (*fleet_visit)(void *ctx, const struct fleet_series *s);
void fleet_each(const struct fleet *f, enum fleet_family family, int64_t from, int64_t to, fleet_visit visit, void *ctx);

void fleet_labels(const struct fleet_series *s, struct fleet_labels *out);
int64_t fleet_value(const struct fleet_series *s, int64_t t);

#endif
