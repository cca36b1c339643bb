/* settings_draft: settings while they are read, and the typed values that their keys take. Only the settings modules of source/ include
 * this. The read functions are for the tables of codec/yaml; the binder's owner is the struct settings_draft. */
#ifndef GPUTAB_SOURCE_SETTINGS_DRAFT_H
#define GPUTAB_SOURCE_SETTINGS_DRAFT_H

#include "gputab/codec/yaml.h"
#include "gputab/source/settings.h"

struct settings_draft {
    struct settings *settings;
    struct span folder;            /* of the file, with its closing slash; empty: the working folder */
    struct err unbuilt;            /* the first thing written that has no effect yet; raised when all else is in order */
};

/* Targets: const char * in the settings' arena (checked by yaml_check_text); the same, a file joined to the folder; a name of a label in
 * metrics. */
yaml_read settings_read_text, settings_read_path, settings_read_label;

/* Whether the text can be the name of a label, or of a metric, in metrics. Else the error. */
int settings_check_label(const struct yaml_binder *b, const struct yaml_node *text) GPUTAB_MUST_CHECK;
int settings_check_metric(const struct yaml_binder *b, const struct yaml_node *text) GPUTAB_MUST_CHECK;

/* More items than are read: an error that says so. */
int settings_check_count(const struct yaml_binder *b, const struct yaml_node *list, size_t most) GPUTAB_MUST_CHECK;

/* An error unless the map has all of these keys (NULL-terminated); what: "a source". */
int settings_need(const struct yaml_binder *b, const struct yaml_node *map, const char *what, const char *const *keys) GPUTAB_MUST_CHECK;

#endif
