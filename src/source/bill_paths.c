/* bill_paths: lists folders of bill files, and what patterns match.
 *
 * Exports come as a folder of parts. Where a manifest says which of them count, bill_export finds them. Without one every file is taken to
 * be part of the bill, but for a few names that exporters are known to put beside the parts; another one that is not fails later, by name,
 * which is better than guessing by extension what may be skipped. Parts in deeper folders are often other months or older versions of the
 * same rows, so these folders must be named one by one. Patterns are for who has no shell to expand them, as in a service's command line.
 * What cannot be looked at is left as it is: opening it says why. */
#include "gputab/source/bill_paths.h"

#include <dirent.h>
#include <errno.h>
#include <glob.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "gputab/base/buf.h"
#include "gputab/base/span.h"
#include "gputab/source/bill_export.h"

enum { FOLDER_FILES_MAX = 100000 };

static int by_name(const void *a, const void *b)
{
    const char *const *x = a, *const *y = b;

    return strcmp(*x, *y);
}

static bool is_folder(const char *path)
{
    struct stat st;

    return strcmp(path, "-") != 0 && stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

/* Names without their folders, as globs in lower case. Other JSON is no manifest and is not passed over. */
static const char *const beside[] = {
    ".*",                          /* hidden, and what macOS and clouds' tools leave */
    "*manifest.json",              /* AWS, Azure */
    "_success", "_committed_*", "_started_*", "_metadata", "_common_metadata",     /* Spark and its relatives */
    "*.crc", "*.md5", "*.sha1", "*.sha256", "*.sha512", "*.asc", "*.sig",
    "*redshiftcommands.sql", "*create-table.sql", "crawler-cfn.yml",               /* AWS, for other readers */
    "thumbs.db", "desktop.ini",
};

static void add_lower(struct buf *b, struct span s)
{
    for (size_t i = 0; i < s.n; i++)
        buf_addc(b, s.p[i] >= 'A' && s.p[i] <= 'Z' ? (char)(s.p[i] + 'a' - 'A') : s.p[i]);
}

bool bill_paths_skip(const char *path)
{
    struct buf name = {0};
    bool found = false;

    add_lower(&name, span_after_last(span_of(path), '/'));
    for (size_t i = 0; i < sizeof beside / sizeof *beside && !found; i++)
        found = span_glob(buf_span(&name), beside[i]);
    buf_free(&name);
    return found;
}

/* path has n bytes. */
static void add_or_skip(struct bill_paths *out, const char *path, size_t n)
{
    const char *copy = arena_strndup(&out->arena, path, n);

    if (bill_paths_skip(copy))
        vec_push(&out->skipped, copy);
    else
        vec_push(&out->v, copy);
}

static void sort_from(struct bill_paths *out, size_t first, size_t skipped)
{
    qsort(out->v.v + first, out->v.n - first, sizeof *out->v.v, by_name);
    if (out->skipped.n > skipped)
        qsort(out->skipped.v + skipped, out->skipped.n - skipped, sizeof *out->skipped.v, by_name);
}

/* Nothing was added, but perhaps passed over: that is worth knowing. */
static int nothing(const struct bill_paths *out, size_t skipped, const char *what, struct err *e)
{
    size_t n = out->skipped.n - skipped;

    err_set(e, ERR_INPUT, "%s", what);
    if (n)
        return err_hint(e, "passed over by name: %s%s", out->skipped.v[skipped], n > 1 ? " and others" : "");
    return err_hint(e, "was the export written to another place, or not yet?");
}

static int add_file(struct bill_paths *out, const char *folder, const char *name, struct err *e)
{
    struct buf path = {0};
    const char *slash = folder[strlen(folder) - 1] == '/' ? "" : "/";
    int rc = 0;

    buf_addf(&path, "%s%s%s", folder, slash, name);
    if (is_folder(buf_str(&path)) && name[0] != '.') {
        err_set(e, ERR_INPUT, "has a folder in it, \"%s\"", name);
        err_hint(e, "name each folder that belongs to the bill: --billing %s", buf_str(&path));
        rc = err_at(e, folder, 0, 0);
    } else if (!is_folder(buf_str(&path))) {
        add_or_skip(out, path.p, path.n);
    }
    buf_free(&path);
    return rc;
}

static int add_entries(struct bill_paths *out, const char *folder, DIR *d, struct err *e)
{
    size_t first = out->v.n, skipped = out->skipped.n;
    struct dirent *entry;

    for (errno = 0; (entry = readdir(d)); errno = 0) {
        if (out->v.n - first == FOLDER_FILES_MAX)
            return err_set(e, ERR_INPUT, "has more than %d files", FOLDER_FILES_MAX);
        if (add_file(out, folder, entry->d_name, e) < 0)
            return -1;
    }
    if (errno)
        return err_set(e, ERR_INPUT, "cannot be listed: %s", strerror(errno));
    if (out->v.n == first)
        return nothing(out, skipped, "is a folder without files", e);
    sort_from(out, first, skipped);
    return 0;
}

static int add_folder(struct bill_paths *out, const char *folder, struct err *e)
{
    DIR *d = opendir(folder);
    int rc;

    if (!d)
        rc = err_set(e, ERR_INPUT, "cannot be listed: %s", strerror(errno));
    else
        rc = add_entries(out, folder, d, e);
    if (d)
        closedir(d);
    return rc < 0 ? err_at(e, folder, 0, 0) : 0;
}

static bool is_pattern(const char *path)
{
    struct stat st;

    return strcmp(path, "-") != 0 && strpbrk(path, "*?[") && lstat(path, &st) < 0 && errno == ENOENT;
}

/* A folder that a pattern matches is read as if it were named. */
static int add_match(struct bill_paths *out, const char *folder, struct err *e)
{
    int rc = bill_export_expand(out, folder, e);

    return rc ? (rc < 0 ? -1 : 0) : add_folder(out, folder, e);
}

static int add_matches(struct bill_paths *out, char *const *matches, size_t n, struct err *e)
{
    size_t first = out->v.n, skipped = out->skipped.n;

    for (size_t i = 0; i < n; i++)
        if (!is_folder(matches[i]))
            add_or_skip(out, matches[i], strlen(matches[i]));
        else if (add_match(out, arena_strdup(&out->arena, matches[i]), e) < 0)
            return -1;
    if (out->v.n == first)
        return nothing(out, skipped, "is a pattern that matches no file", e);
    sort_from(out, first, skipped);
    return 0;
}

/* A folder that is there and cannot be looked into: what it holds would be missing. */
static int is_fatal(const char *folder, int why)
{
    (void)folder;
    return why != ENOENT && why != ENOTDIR;
}

static int add_pattern(struct bill_paths *out, const char *pattern, struct err *e)
{
    glob_t found = {0};
    int rc = glob(pattern, GLOB_NOSORT, is_fatal, &found), why = errno;

    switch (rc) {
    case 0:
    case GLOB_NOMATCH:
        rc = add_matches(out, found.gl_pathv, found.gl_pathc, e);
        break;
    case GLOB_NOSPACE:
        rc = err_set(e, ERR_INTERNAL, "no memory for the files that a pattern matches");
        break;
    default:
        rc = err_set(e, ERR_INPUT, "cannot be looked up: %s", strerror(why));
    }
    globfree(&found);
    return rc < 0 ? err_at(e, pattern, 0, 0) : 0;
}

int bill_paths_expand(struct bill_paths *out, const char *const *paths, size_t n, struct err *e)
{
    for (size_t i = 0; i < n; i++) {
        int rc = bill_export_expand(out, paths[i], e);

        if (rc == 0 && is_folder(paths[i]))
            rc = add_folder(out, paths[i], e);
        else if (rc == 0 && is_pattern(paths[i]))
            rc = add_pattern(out, paths[i], e);
        else if (rc == 0)
            vec_push(&out->v, paths[i]);
        if (rc < 0)
            return -1;
    }
    return bill_export_check(out, e);
}

void bill_paths_free(struct bill_paths *p)
{
    vec_free(&p->v);
    vec_free(&p->skipped);
    arena_free(&p->arena);
}
