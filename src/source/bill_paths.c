/* bill_paths: lists folders of bill files.
 *
 * Exports come as a folder of parts. Where a manifest says which of them count, bill_export finds them. Without one every file is taken to
 * be part of the bill: one that is not fails later, by name, which is better than guessing by extension what may be skipped. Parts in
 * deeper folders are often other months or older versions of the same rows, so these folders must be named one by one. What cannot be
 * listed or looked at is left as it is: opening it says why. */
#include "gputab/source/bill_paths.h"

#include <dirent.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "gputab/base/buf.h"
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

static int add_file(struct bill_paths *out, const char *folder, const char *name, struct err *e)
{
    struct buf path = {0};
    const char *slash = folder[strlen(folder) - 1] == '/' ? "" : "/";
    int rc = 0;

    buf_addf(&path, "%s%s%s", folder, slash, name);
    if (is_folder(buf_str(&path))) {
        err_set(e, ERR_INPUT, "has a folder in it, \"%s\"", name);
        err_hint(e, "name each folder that belongs to the bill: --billing %s", buf_str(&path));
        rc = err_at(e, folder, 0, 0);
    } else {
        vec_push(&out->v, arena_strndup(&out->arena, path.p, path.n));
    }
    buf_free(&path);
    return rc;
}

static int add_entries(struct bill_paths *out, const char *folder, DIR *d, struct err *e)
{
    size_t first = out->v.n;
    struct dirent *entry;

    for (errno = 0; (entry = readdir(d)); errno = 0) {
        if (entry->d_name[0] == '.')
            continue;
        if (out->v.n - first == FOLDER_FILES_MAX)
            return err_set(e, ERR_INPUT, "has more than %d files", FOLDER_FILES_MAX);
        if (add_file(out, folder, entry->d_name, e) < 0)
            return -1;
    }
    if (errno)
        return err_set(e, ERR_INPUT, "cannot be listed: %s", strerror(errno));
    if (out->v.n == first)
        return err_set(e, ERR_INPUT, "is a folder without files");
    qsort(out->v.v + first, out->v.n - first, sizeof *out->v.v, by_name);
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

int bill_paths_expand(struct bill_paths *out, const char *const *paths, size_t n, struct err *e)
{
    for (size_t i = 0; i < n; i++) {
        int rc = bill_export_expand(out, paths[i], e);

        if (rc < 0)
            return -1;
        if (rc == 0 && !is_folder(paths[i]))
            vec_push(&out->v, paths[i]);
        else if (rc == 0 && add_folder(out, paths[i], e) < 0)
            return -1;
    }
    return bill_export_check(out, e);
}

void bill_paths_free(struct bill_paths *p)
{
    vec_free(&p->v);
    arena_free(&p->arena);
}
