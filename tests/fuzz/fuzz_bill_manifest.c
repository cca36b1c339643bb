/* fuzz_bill_manifest: whatever a manifest says, its parts are names of files below a folder, and what names tell is a month and a time. */
#include "fuzz.h"
#include "gputab/source/bill_manifest.h"

static bool is_up(const char *part)
{
    for (const char *p = part; (p = strstr(p, "..")); p += 2)
        if ((p == part || p[-1] == '/') && (p[2] == '/' || p[2] == '\0'))
            return true;
    return false;
}

static void check_digits(const char *s, size_t n)
{
    FUZZ_CHECK(s[0] == '\0' || strlen(s) == n);
    for (; *s; s++)
        FUZZ_CHECK((*s >= '0' && *s <= '9') || (n == 7 && *s == '-'));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct bill_manifest m = {.path = ""};
    struct err e = {0};
    int rc = bill_manifest_parse(&m, fuzz_span(data, size), "20261001-20261101/x-Manifest.json", &e);

    FUZZ_CHECK((rc < 0) == (e.code != ERR_NONE));
    FUZZ_CHECK(rc < 0 || m.parts.n > 0);
    for (size_t i = 0; rc == 0 && i < m.parts.n; i++)
        FUZZ_CHECK(m.parts.v[i][0] && !is_up(m.parts.v[i]));
    check_digits(m.month, 7);
    check_digits(m.made, 14);
    bill_manifest_free(&m);
    return 0;
}
