/* settings_family: the key `families` of a settings file: metric families that are not built in, as rows like those of source/exporters.
 * Only the settings modules of source/ include this. */
#ifndef GPUTAB_SOURCE_SETTINGS_FAMILY_H
#define GPUTAB_SOURCE_SETTINGS_FAMILY_H

#include "gputab/source/settings_draft.h"

yaml_read settings_read_families;              /* fills settings.families, the closing row included */

#endif
