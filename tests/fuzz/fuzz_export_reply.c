/* fuzz_export_reply: an answer of VictoriaMetrics' export; see fuzz_answer.h. A first byte of '!' is left out and stands for a status that
 * refuses. */
#include "fuzz_answer.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct span s = fuzz_span(data, size);
    bool refused = size > 0 && *s.p == '!';

    if (refused)
        s = (struct span){ s.p + 1, s.n - 1 };
    fuzz_answer(&transport_export, refused ? 422 : 200, "application/stream+json", s);
    return 0;
}
