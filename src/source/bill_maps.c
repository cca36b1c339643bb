/* bill_maps: as many maps as there are providers without a format of their own. */
#include "gputab/source/bill_maps.h"

#include <stdlib.h>

#include "gputab/base/xalloc.h"
#include "gputab/source/generic.h"

struct bill_maps {
    size_t n;                      /* that were begun to read */
    struct bill_map *maps;
    struct generic **generics;
    const struct bill_dialect **dialects;
};

int bill_maps_read(struct bill_maps **out, const char *const *paths, size_t n, struct err *e)
{
    struct bill_maps *m = xcalloc(1, sizeof *m);

    *out = NULL;
    m->maps = xcalloc(n + 1, sizeof *m->maps);
    m->generics = xcalloc(n + 1, sizeof *m->generics);
    m->dialects = xcalloc(n + 1, sizeof *m->dialects);
    for (m->n = 0; m->n < n; m->n++) {
        if (bill_map_read(paths[m->n], &m->maps[m->n], e) < 0) {
            m->n++;
            bill_maps_free(m);
            return -1;
        }
        m->generics[m->n] = generic_new(&m->maps[m->n]);
        m->dialects[m->n] = generic_dialect(m->generics[m->n]);
    }
    *out = m;
    return 0;
}

void bill_maps_free(struct bill_maps *m)
{
    if (!m)
        return;
    for (size_t i = 0; i < m->n; i++) {
        generic_free(m->generics[i]);
        bill_map_free(&m->maps[i]);
    }
    free(m->dialects);
    free(m->generics);
    free(m->maps);
    free(m);
}

const struct bill_dialect *const *bill_maps_dialects(const struct bill_maps *m)
{
    return m ? m->dialects : NULL;
}
