/* settings_source: the key `sources` of a settings file: servers and files of metrics.
 * Only the settings modules of source/ include this. */
#ifndef GPUTAB_SOURCE_SETTINGS_SOURCE_H
#define GPUTAB_SOURCE_SETTINGS_SOURCE_H

#include "gputab/source/settings_draft.h"

yaml_read settings_read_sources;               /* fills settings.sources */

#endif
