/* bill_once: which file told of a payer's day first.
 *
 * Bills have no ids of rows, and equal rows may both be meant, so rows cannot be compared; but an export that is split into parts says so
 * by their names and their folder or by its manifest, and any other two files with the same payer and day are two exports. */
#include "gputab/source/bill_once.h"

#include <stdlib.h>
#include <string.h>

#include "gputab/base/buf.h"
#include "gputab/base/intern.h"
#include "gputab/base/vec.h"
#include "gputab/base/xalloc.h"
#include "gputab/source/azure_manifest.h"

struct payer_day {
    uint32_t payer;
    uint32_t day;                  /* since 1970, as it wraps: a name in a key, not a number */
};

struct clash {
    size_t before, file;           /* indices of paths */
    int64_t line;                  /* of file; 0: there is no clash */
    time_ms day;
    uint32_t payer;
};

struct bill_once {
    VEC(char *) paths;             /* of the files; owned */
    struct intern *payers;
    struct intern *days;           /* payer_day as bytes; day n was told by files.v[n - 1] */
    VEC(size_t) files;
    size_t same[2];                /* files that were found to be parts of one export, the latest ones */
    struct clash clash;            /* the first one */
};

struct bill_once *bill_once_new(void)
{
    struct bill_once *o = xcalloc(1, sizeof *o);

    o->payers = intern_new();
    o->days = intern_new();
    return o;
}

void bill_once_free(struct bill_once *o)
{
    if (!o)
        return;
    for (size_t i = 0; i < o->paths.n; i++)
        free(o->paths.v[i]);
    vec_free(&o->paths);
    vec_free(&o->files);
    intern_free(o->payers);
    intern_free(o->days);
    free(o);
}

void bill_once_begin(struct bill_once *o, const char *path)
{
    vec_push(&o->paths, xstrdup(path));
}

/* The folder of a part of an export, up to "part_"; empty when the name is none of a part. */
static struct span export_of(const char *path)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path, *part = strstr(name, "part_");

    if (!part || part[5] < '0' || part[5] > '9')
        return (struct span){NULL, 0};
    return (struct span){path, (size_t)(part - path) + 5};
}

/* Asked for every row of the second part. */
static bool is_one_export(struct bill_once *o, size_t before, size_t file)
{
    const char *a = o->paths.v[before], *b = o->paths.v[file];
    struct span x = export_of(a), y = export_of(b);

    if (o->same[0] == before && o->same[1] == file)
        return true;
    if (!(x.n && span_same(x, y)) && !azure_manifest_names_both(a, b))
        return false;
    o->same[0] = before;
    o->same[1] = file;
    return true;
}

int bill_once_see(struct bill_once *o, struct span payer, time_ms day, int64_t line, struct err *e)
{
    struct payer_day key = {intern_span(o->payers, payer), (uint32_t)(day / TIME_DAY)};
    uint32_t n = intern_put(o->days, &key, sizeof key);
    size_t file = o->paths.n - 1;

    if (n > o->files.n) {
        if (n > BILL_ONCE_MAX)
            return err_set(e, ERR_INPUT, "more than %d days of payers", BILL_ONCE_MAX);
        vec_push(&o->files, file);
        return 0;
    }
    if (o->clash.line == 0 && o->files.v[n - 1] != file && !is_one_export(o, o->files.v[n - 1], file))
        o->clash = (struct clash){o->files.v[n - 1], file, line, day, key.payer};
    return 0;
}

int bill_once_check(const struct bill_once *o, struct err *e)
{
    struct span payer;
    struct buf date = {0};

    if (o->clash.line == 0)
        return 0;
    payer = intern_get(o->payers, o->clash.payer);
    time_add_date(&date, o->clash.day);
    err_set(e, ERR_INPUT, "%s tells of %s of %.*s too: they would count twice", o->paths.v[o->clash.before], buf_str(&date),
            (int)(payer.n < 80 ? payer.n : 80), payer.p);
    buf_free(&date);
    err_hint(e, "exports of a month so far repeat its days, and the actual and the amortised one each other's rows: give one alone. "
             "If both are parts of one export, join them: cat a.csv b.csv | gputab ... --billing -");
    return err_at(e, o->paths.v[o->clash.file], o->clash.line, 0);
}
