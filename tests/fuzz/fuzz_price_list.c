/* fuzz_price_list: price lists. What is read has a currency, and lines with names and prices that can be added up for a fleet. */
#include "fuzz_file.h"
#include "gputab/source/price_list.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz_file f = fuzz_file_open(fuzz_span(data, size));
    struct price_list l = {0};
    struct err e = {0};
    int rc = price_list_read(f.path, &l, &e);

    FUZZ_CHECK((rc < 0) == (e.code != ERR_NONE));
    FUZZ_CHECK(rc < 0 || (l.currency && strlen(l.currency) == 3 && l.name && l.lines.n > 0 && l.lines.n <= PRICE_LINES_MAX));
    for (size_t i = 0; rc == 0 && i < l.lines.n; i++)
        FUZZ_CHECK(l.lines.v[i].nodes && l.lines.v[i].nodes[0] && l.lines.v[i].hour >= 0 && l.lines.v[i].hour <= 1000000000 * MONEY_ONE);
    price_list_free(&l);
    fuzz_file_close(&f);
    return 0;
}
