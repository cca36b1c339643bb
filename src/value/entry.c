/* entry: the buckets' names, which are the same in every output. */
#include "gputab/value/entry.h"

const char *const bucket_names[BUCKETS] = {
    [BUCKET_NONE] = "",
    [BUCKET_IDLE] = "(idle)",
    [BUCKET_RESERVED] = "(driver-reserved)",
    [BUCKET_UNATTRIBUTED] = "(unattributed)",
    [BUCKET_NO_METRICS] = "(no-metrics)",
    [BUCKET_UNMAPPED] = "(unmapped)",
    [BUCKET_SYSTEM] = "(system)",
    [BUCKET_UNBILLED] = "(unbilled)",
};
