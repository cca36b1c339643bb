/* rates: the end of them. */
#include "gputab/value/rates.h"

void rates_free(struct rates *r)
{
    table_free(&r->pools);
    table_free(&r->months);
    vec_free(&r->answers);
    vec_free(&r->sources);
    arena_free(&r->texts);
}
