/* bill_export: from the folders of an export to the files that count.
 *
 * AWS writes a month again several times a day, and what it wrote before may stay: all files of a folder together would count it twice.
 * So a manifest decides where there is one: of each account and billing period the newest, and only the parts that it names. What is newer
 * is said by names (an assembly's id, a folder) or by the place: the manifest above the assemblies' folders is the last one's. Times of
 * files are those of a download and say nothing.
 * A part's key is a path in the store; the local file is the one whose path ends like it, looked for from the manifest's folder upwards. */
#include "gputab/source/bill_export.h"

#include <dirent.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "gputab/base/buf.h"
#include "gputab/base/file.h"
#include "gputab/source/bill_manifest.h"

enum { DEPTH_MAX = 12, FILES_MAX = 100000, FOLDERS_UP = 8, KEY_PARTS_MAX = 64 };

struct export {
    struct bill_paths *out;
    size_t root;                   /* length of the path above which nothing is looked for */
    VEC(const char *) files;       /* of the folder, at any depth; in out's arena */
    VEC(struct bill_manifest) manifests;
    struct intern *named;          /* files that some manifest names */
};

static bool is_kind(const char *path, mode_t kind)
{
    struct stat st;

    return stat(path, &st) == 0 && (st.st_mode & S_IFMT) == kind;
}

static struct span base_of(const char *path)
{
    return span_after_last(span_of(path), '/');
}

/* ---- the folder ---- */

static int walk(struct export *x, const char *folder, int depth, struct err *e);

static int see(struct export *x, const char *path, int depth, struct err *e)
{
    if (is_kind(path, S_IFDIR))
        return depth < DEPTH_MAX ? walk(x, path, depth + 1, e) : 0;
    if (x->files.n == FILES_MAX)
        return err_set(e, ERR_INPUT, "has more than %d files", FILES_MAX);
    vec_push(&x->files, path);
    return 0;
}

/* What cannot be listed holds no manifest; who names it hears why. */
static int walk(struct export *x, const char *folder, int depth, struct err *e)
{
    DIR *d = opendir(folder);
    struct dirent *entry;
    struct buf path = {0};
    int rc = 0;

    while (d && rc == 0 && (entry = readdir(d))) {
        if (entry->d_name[0] == '.')
            continue;
        buf_clear(&path);
        buf_addf(&path, "%s/%s", folder, entry->d_name);
        rc = see(x, arena_strndup(&x->out->arena, path.p, path.n), depth, e);
    }
    buf_free(&path);
    if (d)
        closedir(d);
    return rc;
}

static int by_text(const void *a, const void *b)
{
    const char *const *x = a, *const *y = b;

    return strcmp(*x, *y);
}

/* ---- manifests ---- */

static int read_manifest(struct export *x, const char *path, struct err *e)
{
    struct bill_manifest m = {.path = path};
    struct buf text = {0};
    int rc = file_read(path, BILL_MANIFEST_BYTES, &text, e);

    if (rc == 0)
        rc = bill_manifest_parse(&m, buf_span(&text), path, e);
    vec_push(&x->manifests, m);
    buf_free(&text);
    return rc;
}

/* Above the folders that are called by the versions' ids. */
static bool is_above(const struct bill_manifest *m)
{
    size_t dir = strlen(m->path) - base_of(m->path).n;
    struct span folder = span_after_last((struct span){m->path, dir ? dir - 1 : 0}, '/');

    return m->id[0] && !span_ends(folder, m->id);
}

/* Those above come first, so that they decide before others are compared with each other. */
static int by_bill(const void *pa, const void *pb)
{
    const struct bill_manifest *a = pa, *b = pb;
    int c = strcmp(a->account, b->account);

    c = c ? c : strcmp(a->month, b->month);
    c = c ? c : is_above(b) - is_above(a);
    return c ? c : strcmp(a->path, b->path);
}

static bool same_bill(const struct bill_manifest *a, const struct bill_manifest *b)
{
    return strcmp(a->account, b->account) == 0 && strcmp(a->month, b->month) == 0;
}

static int refuse(const struct bill_manifest *a, const struct bill_manifest *b, const char *why, struct err *e)
{
    err_set(e, ERR_INPUT, "names other files%s%s than %s, %s", a->month[0] ? " of " : "", a->month, b->path, why);
    err_hint(e, "each holds the whole of it: give the manifest of the one that counts, --billing %s", a->path);
    return err_at(e, a->path, 0, 0);
}

/* Which of two is newer: < 0 the first, > 0 the second, 0 with *e set when nothing tells. */
static int newer(const struct bill_manifest *a, const struct bill_manifest *b, struct err *e)
{
    int c = strcmp(b->made, a->made);

    if (a->report[0] && b->report[0] && strcmp(a->report, b->report) != 0)
        refuse(a, b, "and they are two reports of one account", e);
    else if (!a->month[0])
        refuse(a, b, "and neither says of which month they are", e);
    else if (a->made[0] && b->made[0] && c)
        return c;
    else if (is_above(a) != is_above(b))
        return is_above(a) ? -1 : 1;
    else
        refuse(a, b, "and nothing says which are newer", e);
    return 0;
}

/* The newest of the manifests i .. end, which are one bill's; -1 with *e set. Two levels of folders hold the same manifest. */
static int newest(const struct export *x, size_t i, size_t end, size_t *out, struct err *e)
{
    *out = i;
    for (size_t k = i + 1; k < end; k++) {
        const struct bill_manifest *a = &x->manifests.v[*out], *b = &x->manifests.v[k];
        int c = bill_manifest_same_parts(a, b) ? -1 : newer(a, b, e);

        if (c == 0)
            return -1;
        *out = c > 0 ? k : *out;
    }
    return 0;
}

/* ---- parts ---- */

struct key {
    const char *text;
    size_t starts[KEY_PARTS_MAX];  /* of its names, the last ones when there are too many */
    size_t n;
};

static struct key key_of(const char *text)
{
    struct key k = {.text = text};

    for (size_t i = 0; text[i]; i++) {
        if (text[i] == '/' || (i && text[i - 1] != '/'))
            continue;
        if (k.n == KEY_PARTS_MAX)
            memmove(k.starts, k.starts + 1, --k.n * sizeof *k.starts);
        k.starts[k.n++] = i;
    }
    return k;
}

/* The last n names of the key below one of the folders from dir up. A name alone is looked for in dir only: everywhere else it could be
 * another version's. */
static bool find_tail(const struct export *x, struct span dir, const struct key *k, size_t n, struct buf *path)
{
    for (int up = 0; up < (n == 1 ? 1 : FOLDERS_UP); up++) {
        const char *slash;

        buf_clear(path);
        buf_add_span(path, dir);
        buf_adds(path, k->text + k->starts[k->n - n]);
        if (is_kind(buf_str(path), S_IFREG))
            return true;
        if (dir.n <= x->root + 1)
            return false;
        slash = memrchr(dir.p, '/', dir.n - 1);
        dir.n = slash ? (size_t)(slash - dir.p) + 1 : 0;
    }
    return false;
}

static bool find_part(const struct export *x, const struct bill_manifest *m, const char *key, struct buf *path)
{
    struct span dir = {m->path, strlen(m->path) - base_of(m->path).n};
    struct key k = key_of(key);

    for (size_t n = k.n; n > 0; n--)
        if (find_tail(x, dir, &k, n, path))
            return true;
    return false;
}

static int no_part(const struct bill_manifest *m, const char *key, struct err *e)
{
    err_set(e, ERR_INPUT, "names the part \"%.200s\", which is not there", key);
    err_hint(e, "fetch it too, in the folders that the store has, or into the manifest's folder");
    return err_at(e, m->path, 0, 0);
}

/* Parts of manifests that are not the newest are only noted as known. */
static int take_parts(struct export *x, const struct bill_manifest *m, bool chosen, struct err *e)
{
    struct buf path = {0};
    int rc = 0;

    for (size_t i = 0; i < m->parts.n && rc == 0; i++) {
        bool there = find_part(x, m, m->parts.v[i], &path);

        if (there)
            intern_put(x->named, path.p, path.n);
        if (there && chosen)
            vec_push(&x->out->v, arena_strndup(&x->out->arena, path.p, path.n));
        if (!there && chosen)
            rc = no_part(m, m->parts.v[i], e);
    }
    buf_free(&path);
    return rc;
}

/* ---- what is left out ---- */

static bool is_data(const char *path)
{
    static const char *const ends[] = {".csv", ".gz", ".zst", ".zip", ".parquet", ".jsonl"};

    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        if (span_ends(span_of(path), ends[i]))
            return true;
    return false;
}

static void check_left(struct export *x, const char *folder)
{
    const char *first = NULL;
    size_t left = 0;

    for (size_t i = 0; i < x->files.n; i++)
        if (is_data(x->files.v[i]) && !intern_find(x->named, x->files.v[i], strlen(x->files.v[i]))) {
            first = first ? first : x->files.v[i];
            left++;
        }
    if (!left || !x->out->diag)
        return;
    diag_add(x->out->diag, "W120", "%s: no manifest names %zu of the files, such as %s; left out", folder, left, first);
    diag_hint(x->out->diag, "W120", "give a file that belongs to the bill by its own --billing; remove older versions of a month");
}

/* ---- all together ---- */

static int choose(struct export *x, struct err *e)
{
    qsort(x->manifests.v, x->manifests.n, sizeof *x->manifests.v, by_bill);
    for (size_t i = 0, end, best; i < x->manifests.n; i = end) {
        for (end = i + 1; end < x->manifests.n && same_bill(&x->manifests.v[i], &x->manifests.v[end]); end++)
            ;
        if (newest(x, i, end, &best, e) < 0)
            return -1;
        for (size_t k = i; k < end; k++)
            if (take_parts(x, &x->manifests.v[k], k == best, e) < 0)
                return -1;
    }
    return 0;
}

static int expand_folder(struct export *x, const char *path, struct err *e)
{
    size_t n = strlen(path);
    const char *folder;

    while (n > 1 && path[n - 1] == '/')
        n--;
    folder = arena_strndup(&x->out->arena, path, n);
    x->root = n;
    if (walk(x, folder, 0, e) < 0)
        return err_at(e, path, 0, 0);
    if (x->files.n)
        qsort(x->files.v, x->files.n, sizeof *x->files.v, by_text);
    for (size_t i = 0; i < x->files.n; i++)
        if (bill_manifest_is_name(base_of(x->files.v[i])) && read_manifest(x, x->files.v[i], e) < 0)
            return -1;
    if (x->manifests.n == 0)
        return 0;
    if (choose(x, e) < 0)
        return -1;
    check_left(x, path);
    return 1;
}

/* A manifest alone: from where it lies the folders of the export are above it, however it was named. */
static int expand_manifest(struct export *x, const char *path, struct err *e)
{
    char *real = realpath(path, NULL);
    const char *whole = arena_strdup(&x->out->arena, real ? real : path);

    free(real);
    return read_manifest(x, whole, e) < 0 || choose(x, e) < 0 ? -1 : 1;
}

int bill_export_expand(struct bill_paths *out, const char *path, struct err *e)
{
    struct export x = {.out = out, .named = intern_new()};
    int rc = 0;

    if (is_kind(path, S_IFDIR))
        rc = expand_folder(&x, path, e);
    else if (bill_manifest_is_name(base_of(path)) && is_kind(path, S_IFREG))
        rc = expand_manifest(&x, path, e);
    for (size_t i = 0; i < x.manifests.n; i++)
        bill_manifest_free(&x.manifests.v[i]);
    vec_free(&x.manifests);
    vec_free(&x.files);
    intern_free(x.named);
    return rc;
}

/* ---- versions without a manifest ---- */

/* The length of path up to and with the folder of a billing period that has a version's folder below it, or 0. */
static size_t period_in(const char *path)
{
    char month[8];
    size_t n = 0;

    for (const char *p = path, *slash; (slash = strchr(p, '/')); p = slash + 1)
        if (strchr(slash + 1, '/') && bill_manifest_is_period((struct span){p, (size_t)(slash - p)}, month))
            n = (size_t)(slash - path) + 1;
    return n;
}

static bool other_version(const char *a, const char *b)
{
    size_t n = period_in(a);

    if (n == 0 || strncmp(a, b, n) != 0)
        return false;
    return strcspn(a + n, "/") != strcspn(b + n, "/") || strncmp(a + n, b + n, strcspn(a + n, "/")) != 0;
}

int bill_export_check(const struct bill_paths *p, struct err *e)
{
    const char **sorted = xcalloc(p->v.n + 1, sizeof *sorted);
    int rc = 0;

    for (size_t i = 0; i < p->v.n; i++)
        sorted[i] = p->v.v[i];
    qsort(sorted, p->v.n, sizeof *sorted, by_text);
    for (size_t i = 1; i < p->v.n && rc == 0; i++)
        if (other_version(sorted[i - 1], sorted[i])) {
            err_set(e, ERR_INPUT, "is of another version of a billing period than %s", sorted[i - 1]);
            err_hint(e, "give the manifest of the newest, or its files alone: each version holds the whole period");
            rc = err_at(e, sorted[i], 0, 0);
        }
    free(sorted);
    return rc;
}
