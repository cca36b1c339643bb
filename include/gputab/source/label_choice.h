/* label_choice: the Kubernetes labels, or annotations, that a rule asks for, in the forms in which metrics may carry them. */
#ifndef GPUTAB_SOURCE_LABEL_CHOICE_H
#define GPUTAB_SOURCE_LABEL_CHOICE_H

#include <stddef.h>
#include <stdint.h>

#include "gputab/base/arena.h"
#include "gputab/base/buf.h"
#include "gputab/base/vec.h"
#include "gputab/codec/openmetrics.h"

struct label_forms {
    const char *name;              /* "label_example_com_costCenter" */
    const char *snake;             /* "label_example_com_cost_center" */
};
struct label_choice {
    struct arena strings;
    VEC(struct label_forms) forms; /* sorted by name, distinct */
};

/* labels: names as the rule writes them ("example.com/costCenter"), NULL-terminated; NULL: none. prefix: what kube-state-metrics puts
 * before them: "label_" or "annotation_". *c needs no value before. */
void label_choice_init(struct label_choice *c, const char *prefix, const char *const *labels);
void label_choice_free(struct label_choice *c);

/* The value of the label, {NULL, 0} when it is absent. */
struct span label_choice_find(const struct openmetrics_label *labels, size_t n, const char *name);

/* Appends the chosen ones among the labels, the canonical text of a set (see struct inventory). Each is kept under the name
 * "label_example_com_costCenter", also where kube-state-metrics wrote "label_example_com_cost_center". */
void label_choice_add(const struct label_choice *c, const struct openmetrics_label *labels, size_t n, struct buf *out);

#endif
