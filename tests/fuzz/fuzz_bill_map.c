/* fuzz_bill_map: a map, a line "%%", and a bill. Whatever is read of the bill sums to its file, and a map that is read has what it
 * needs. */
#include "fuzz_file.h"
#include "gputab/source/bill.h"
#include "gputab/source/bill_map.h"
#include "gputab/source/bill_maps.h"
#include "gputab/source/catalogue.h"

static const struct catalogue *catalogue(void)
{
    static struct catalogue c;
    struct err e = {0};

    if (c.models.n == 0)
        FUZZ_CHECK(catalogue_builtin(&c, &e) == 0);
    return &c;
}

static void check_map(const char *path)
{
    struct bill_map m = {0};
    struct err e = {0};

    FUZZ_CHECK(bill_map_read(path, &m, &e) == 0);
    FUZZ_CHECK(m.columns[MAPPED_RESOURCE] && m.columns[MAPPED_START] && m.columns[MAPPED_COST] && m.delimiter && m.decimal != m.thousands);
    FUZZ_CHECK((m.columns[MAPPED_END] != NULL) + (m.columns[MAPPED_DURATION] != NULL) + (m.every != MAPPED_NOT_EVERY) == 1);
    FUZZ_CHECK(!m.columns[MAPPED_CURRENCY] != !m.currency);
    bill_map_free(&m);
}

static void check_sums(const struct bill *b)
{
    money cost = b->outside, invoiced = b->outside_invoiced;

    for (size_t i = 0; i < b->charges.n; i++) {
        const struct charge_kept *c = &b->charges.v[i];

        cost += c->cost;
        invoiced += c->invoiced;
        FUZZ_CHECK(c->billed_ns >= 0 && c->billed_ns <= (c->span.to - c->span.from) * TIME_NS_PER_MS);
    }
    for (int g = 0; g < GROUP_EXCLUDED; g++) {
        cost += b->groups[g];
        invoiced += b->groups_invoiced[g];
    }
    FUZZ_CHECK(cost == b->file_total && invoiced == b->file_invoiced);
}

static void read_bill(const struct bill_maps *maps, struct span text)
{
    struct intern *names = intern_new();
    struct inventory inventory;
    struct diag diag = {0};
    struct bill bill = {0};
    struct err e = {0};
    struct fuzz_file f = fuzz_file_open(text);
    const char *path = f.path;
    struct bill_request req = { .maps = bill_maps_dialects(maps), .catalogue = catalogue(), .inventory = &inventory, .names = names,
                                .diag = &diag,
                                .cost = text.n % 3 ? RULE_COST_EFFECTIVE : RULE_COST_LIST };
    int rc;

    inventory_init(&inventory, names);
    FUZZ_CHECK(timespan_parse_month(span_of("2026-10"), &req.period) == 0);
    rc = bill_read(&path, 1, &req, &bill, &e);
    FUZZ_CHECK(rc == 0 || e.code == ERR_INPUT);
    if (rc == 0)
        check_sums(&bill);
    bill_free(&bill);
    diag_free(&diag);
    inventory_free(&inventory);
    intern_free(names);
    fuzz_file_close(&f);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct span s = fuzz_span(data, size);
    const char *cut = s.n ? memmem(s.p, s.n, "\n%%\n", 4) : NULL;
    size_t n = cut ? (size_t)(cut - s.p) + 1 : s.n;
    struct fuzz_file f = fuzz_file_open((struct span){ s.p, n });
    const char *path = f.path;
    struct bill_maps *maps;
    struct err e = {0};

    if (bill_maps_read(&maps, &path, 1, &e) < 0) {
        FUZZ_CHECK(e.code != ERR_NONE && maps == NULL);
    } else {
        check_map(path);
        if (cut)
            read_bill(maps, (struct span){ cut + 4, s.n - n - 3 });
        bill_maps_free(maps);
    }
    fuzz_file_close(&f);
    return 0;
}
