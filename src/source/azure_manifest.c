/* azure_manifest: parts of an export against what was written.
 *
 * A download that broke off behind a row's end looks whole; only the manifest knows better. It is a witness, never an input: one that
 * cannot be read, or that speaks of other files, says nothing. */
#include "gputab/source/azure_manifest.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "gputab/base/buf.h"
#include "gputab/base/file.h"
#include "gputab/base/span.h"
#include "gputab/base/xalloc.h"

enum { MANIFEST_MAX = 16 << 20 };

static const char *const names[] = {"manifest.json", "_manifest.json"};
enum { NAMES = sizeof names / sizeof *names };

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? slash + 1 : path;
}

/* Puts the path of a file beside `path` into *b. */
static const char *beside(struct buf *b, const char *path, const char *name)
{
    buf_clear(b);
    buf_add(b, path, (size_t)(base_name(path) - path));
    buf_adds(b, name);
    return buf_str(b);
}

static json_t *load(const char *path)
{
    struct buf bytes = {0};
    struct err ignored = {0};
    json_t *root = NULL;

    json_set_alloc_funcs(xmalloc, free);
    if (access(path, F_OK) == 0 && file_read(path, MANIFEST_MAX, &bytes, &ignored) == 0)
        root = json_loadb(bytes.n ? bytes.p : "", bytes.n, 0, NULL);
    buf_free(&bytes);
    return root;
}

/* "" when it has none. */
static const char *blob_name(const json_t *blob)
{
    const char *name = json_string_value(json_object_get(blob, "blobName"));

    return name ? base_name(name) : "";
}

/* The entry of the file, borrowed, or NULL. */
static const json_t *find(const json_t *blobs, const char *name)
{
    for (size_t i = 0; i < json_array_size(blobs); i++)
        if (strcmp(blob_name(json_array_get(blobs, i)), name) == 0)
            return json_array_get(blobs, i);
    return NULL;
}

static int check_rows(const json_t *blob, const char *path, const char *manifest, int64_t rows, struct err *e)
{
    const json_t *count = json_object_get(blob, "dataRowCount");

    if (!json_is_integer(count) || json_integer_value(count) == rows)
        return 0;
    err_set(e, ERR_INPUT, "has %lld rows, but %s beside it counts %lld", (long long)rows, manifest, (long long)json_integer_value(count));
    err_hint(e, "it was cut, changed or still being written: download the export again");
    return err_at(e, path, 0, 0);
}

static int check_parts(const json_t *blobs, const char *path, const char *manifest, struct err *e)
{
    struct buf b = {0};
    int rc = 0;

    for (size_t i = 0; rc == 0 && i < json_array_size(blobs); i++) {
        const char *name = blob_name(json_array_get(blobs, i));

        if (*name && access(beside(&b, path, name), F_OK) != 0) {
            err_set(e, ERR_INPUT, "%s beside it names %s, which is not there: part of the bill is missing", manifest, name);
            err_hint(e, "download all parts of the export into one folder");
            rc = err_at(e, path, 0, 0);
        }
    }
    buf_free(&b);
    return rc;
}

int azure_manifest_check(const char *path, int64_t rows, struct err *e)
{
    struct buf b = {0};
    int rc = 0;

    for (size_t i = 0; rc == 0 && i < NAMES && strcmp(path, "-") != 0; i++) {
        json_t *root = load(beside(&b, path, names[i]));
        const json_t *blobs = json_object_get(root, "blobs"), *own = find(blobs, base_name(path));

        if (own && (rc = check_rows(own, path, names[i], rows, e)) == 0)
            rc = check_parts(blobs, path, names[i], e);
        json_decref(root);
    }
    buf_free(&b);
    return rc;
}

bool azure_manifest_names_both(const char *a, const char *b)
{
    size_t dir = (size_t)(base_name(a) - a);
    struct buf path = {0};
    bool found = false;

    if (dir != (size_t)(base_name(b) - b) || strncmp(a, b, dir) != 0)
        return false;
    for (size_t i = 0; !found && i < NAMES; i++) {
        json_t *root = load(beside(&path, a, names[i]));
        const json_t *blobs = json_object_get(root, "blobs");

        found = find(blobs, base_name(a)) && find(blobs, base_name(b));
        json_decref(root);
    }
    buf_free(&path);
    return found;
}
