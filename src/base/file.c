/* file: reading small files whole, and writing the files of a run so that all of them appear complete or none does.
 *
 * A regular target is written beside itself under a hidden name, synced, and renamed at commit. A target that exists and is
 * something else (a device, a pipe) cannot be renamed over: its bytes are kept (in a spill) and written at commit before the first rename,
 * so that a full device leaves no file behind. A symbolic link is followed: its target is replaced, the link stays.
 * This module does not make folders and does not lock. */
#include "gputab/base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "gputab/base/spill.h"
#include "gputab/base/vec.h"

enum { READ_STEP = 64 * 1024, TEMP_TRIES = 1000 };

static int fail(struct err *e, enum err_code code, const char *path, const char *what)
{
    err_set(e, code, "%s: %m", what);
    return err_at(e, path, 0, 0);
}

static int read_all(int fd, const char *path, size_t cap, struct buf *b, struct err *e)
{
    size_t start = b->n;

    for (;;) {
        ssize_t n;

        buf_reserve(b, READ_STEP);
        n = read(fd, b->p + b->n, READ_STEP);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return fail(e, ERR_INPUT, path, "cannot read");
        if (n == 0)
            break;
        b->n += (size_t)n;
        b->p[b->n] = '\0';
        if (b->n - start > cap) {
            err_set(e, ERR_INPUT, "the file is larger than %zu bytes, the most that is read here", cap);
            return err_at(e, path, 0, 0);
        }
    }
    return 0;
}

int file_read(const char *path, size_t cap, struct buf *b, struct err *e)
{
    int fd, rc;

    if (strcmp(path, "-") == 0)
        return read_all(STDIN_FILENO, path, cap, b, e);
    fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return fail(e, ERR_INPUT, path, "cannot open");
    rc = read_all(fd, path, cap, b, e);
    close(fd);
    return rc;
}

const char *file_temp_folder(void)
{
    const char *folder = getenv("TMPDIR");

    return folder && folder[0] ? folder : "/tmp";
}

/* Not every file system makes files without a name: there, one with a name loses it at once. */
int file_nameless(void)
{
    struct buf name = { 0 };
    int fd = open(file_temp_folder(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);

    if (fd >= 0)
        return fd;
    buf_addf(&name, "%s/gputab-XXXXXX", file_temp_folder());
    fd = mkostemp(name.p, O_CLOEXEC);
    if (fd >= 0)
        unlink(name.p);
    buf_free(&name);
    return fd;
}

struct output {
    char *path;                    /* as given, for messages */
    char *folder;                  /* absolute; NULL: written in place */
    char *target;                  /* absolute, links followed; NULL: written in place */
    char *temp;                    /* NULL: none (any more) */
    int fd;                        /* of temp while it is written; -1: not */
    struct spill *bytes;           /* written in place at commit */
    bool is_new;                   /* no such file before */
    bool renamed;
    bool exchanged;                /* the target is written, and temp is the file that was there before */
};

struct file_set {
    VEC(struct output) outputs;
    bool written_in_place;
};

struct file_set *file_set_new(void)
{
    return xcalloc(1, sizeof(struct file_set));
}

static int write_all(int fd, struct span s)
{
    while (s.n) {
        ssize_t n = write(fd, s.p, s.n);

        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return -1;
        s.p += n;
        s.n -= (size_t)n;
    }
    return 0;
}

/* Opens a new file with the permissions that the umask leaves (mkstemp would make it private). The name need not be secret,
 * only unused. */
static int open_temp(struct output *o)
{
    int fd = -1;

    for (int i = 0; fd < 0 && i < TEMP_TRIES; i++) {
        struct buf name = { 0 };

        buf_addf(&name, "%s/.gputab-%ld-%d.tmp", o->folder, (long)getpid(), i);
        fd = open(buf_str(&name), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0666);
        if (fd >= 0)
            o->temp = buf_take(&name);
        buf_free(&name);
        if (fd < 0 && errno != EEXIST)
            break;
    }
    return fd;
}

static int end_temp(struct output *o, struct err *e)
{
    int fd = o->fd, rc = 0;

    o->fd = -1;
    if (fsync(fd) < 0 && errno != EINVAL && errno != ENOTSUP)
        rc = fail(e, ERR_INTERNAL, o->path, "cannot write");
    if (close(fd) < 0 && rc == 0)
        rc = fail(e, ERR_INTERNAL, o->path, "cannot write");
    return rc;
}

static int no_folder(const char *path, struct err *e)
{
    bool missing = errno == ENOENT || errno == ENOTDIR;

    fail(e, ERR_INTERNAL, path, "cannot create");
    if (missing)
        err_hint(e, "the folder must exist: gputab makes none");
    return -1;
}

/* Folder and target of a path that names no file yet. */
static int place_new(struct output *o, struct err *e)
{
    struct span path = span_of(o->path), name = span_after_last(path, '/');
    char *folder = name.n == path.n ? xstrdup(".") : xstrndup(path.p, path.n - name.n);
    struct buf target = { 0 };

    o->is_new = true;
    o->folder = realpath(folder, NULL);
    free(folder);
    if (!o->folder)
        return no_folder(o->path, e);
    buf_addf(&target, "%s/%s", o->folder, name.p);
    o->target = buf_take(&target);
    return 0;
}

static int place_existing(struct output *o, struct err *e)
{
    o->target = realpath(o->path, NULL);
    if (!o->target)
        return fail(e, ERR_INTERNAL, o->path, "cannot create");
    o->folder = xstrndup(o->target, (size_t)(strrchr(o->target, '/') - o->target));
    return 0;
}

static int check_twice(const struct file_set *s, const struct output *o, struct err *e)
{
    for (size_t i = 0; i < s->outputs.n; i++) {
        const struct output *other = &s->outputs.v[i];

        if (other->target && strcmp(other->target, o->target) == 0) {
            err_set(e, ERR_USAGE, "the same output file is named twice");
            return err_at(e, o->path, 0, 0);
        }
    }
    return 0;
}

static int prepare(const struct file_set *s, struct output *o, struct err *e)
{
    struct stat st;
    int rc;

    if (o->path[0] == '\0')
        return err_set(e, ERR_USAGE, "the name of an output file is empty");
    if (stat(o->path, &st) == 0) {
        if (S_ISDIR(st.st_mode)) {
            errno = EISDIR;
            return fail(e, ERR_INTERNAL, o->path, "cannot create");
        }
        if (!S_ISREG(st.st_mode)) {
            o->bytes = spill_new();
            return 0;
        }
        rc = place_existing(o, e);
    } else {
        rc = errno == ENOENT ? place_new(o, e) : no_folder(o->path, e);
    }
    if (rc < 0 || check_twice(s, o, e) < 0)
        return -1;
    o->fd = open_temp(o);
    return o->fd < 0 ? fail(e, ERR_INTERNAL, o->path, "cannot create") : 0;
}

static void drop_temp(struct output *o)
{
    if (o->temp)
        unlink(o->temp);
    free(o->temp);
    o->temp = NULL;
}

static void output_release(struct output *o)
{
    if (o->fd >= 0)
        close(o->fd);
    drop_temp(o);
    free(o->path);
    free(o->folder);
    free(o->target);
    spill_free(o->bytes);
}

int file_set_begin(struct file_set *s, const char *path, struct err *e)
{
    struct output o = { .path = xstrdup(path), .fd = -1 };

    vec_reserve(&s->outputs, s->outputs.n + 1);        /* before there is a file that an end for want of memory would leave behind */
    if (prepare(s, &o, e) < 0) {
        output_release(&o);
        return -1;
    }
    vec_push(&s->outputs, o);
    return 0;
}

int file_set_write(struct file_set *s, struct span piece, struct err *e)
{
    struct output *o = &s->outputs.v[s->outputs.n - 1];

    if (o->bytes)
        spill_add(o->bytes, piece);
    else if (write_all(o->fd, piece) < 0)
        return fail(e, ERR_INTERNAL, o->path, "cannot write");
    return 0;
}

int file_set_end(struct file_set *s, struct err *e)
{
    struct output *o = &s->outputs.v[s->outputs.n - 1];

    return o->bytes ? 0 : end_temp(o, e);
}

int file_set_add(struct file_set *s, const char *path, struct span content, struct err *e)
{
    return file_set_begin(s, path, e) < 0 || file_set_write(s, content, e) < 0 ? -1 : file_set_end(s, e);
}

static int write_bytes(int fd, struct spill *bytes)
{
    struct spill_reader r = spill_read(bytes, 0, spill_end(bytes));
    struct span piece;
    int rc = 0;

    while (rc == 0 && spill_next(&r, &piece))
        rc = write_all(fd, piece);
    spill_reader_free(&r);
    return rc;
}

static int write_one_in_place(const struct output *o, struct err *e)
{
    int fd = open(o->path, O_WRONLY | O_CLOEXEC | O_NOCTTY), rc = 0;

    if (fd < 0)
        return fail(e, ERR_INTERNAL, o->path, "cannot open");
    if (write_bytes(fd, o->bytes) < 0)
        rc = fail(e, ERR_INTERNAL, o->path, "cannot write");
    if (rc == 0 && spill_check(o->bytes, e) < 0)
        rc = err_at(e, o->path, 0, 0);
    if (close(fd) < 0 && rc == 0)
        rc = fail(e, ERR_INTERNAL, o->path, "cannot write");
    return rc;
}

int file_set_write_in_place(struct file_set *s, struct err *e)
{
    s->written_in_place = true;
    for (size_t i = 0; i < s->outputs.n; i++)
        if (!s->outputs.v[i].target && write_one_in_place(&s->outputs.v[i], e) < 0)
            return -1;
    return 0;
}

/* A file that was there before changes places with the new one, where the file system can do that: it is removed when all have been moved,
 * and put back when one could not. */
static int move_to_target(struct output *o, struct err *e)
{
    if (!o->is_new && renameat2(AT_FDCWD, o->temp, AT_FDCWD, o->target, RENAME_EXCHANGE) == 0) {
        o->exchanged = true;
        return 0;
    }
    if (rename(o->temp, o->target) < 0)
        return fail(e, ERR_INTERNAL, o->path, "cannot create");
    free(o->temp);
    o->temp = NULL;
    o->renamed = true;
    return 0;
}

/* The rename itself must outlive a crash; a file system that cannot sync a folder has done what it can. */
static void sync_folder(const struct output *o)
{
    int fd = open(o->folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

    if (fd < 0)
        return;
    fsync(fd);
    close(fd);
}

/* After a rename that failed: what this run has put where nothing was goes away again, and what was there comes back. */
static void take_back(struct file_set *s)
{
    for (size_t i = 0; i < s->outputs.n; i++) {
        struct output *o = &s->outputs.v[i];

        if (o->renamed && o->is_new)
            unlink(o->target);
        if (o->exchanged && rename(o->temp, o->target) == 0) {
            free(o->temp);
            o->temp = NULL;
        }
        drop_temp(o);
    }
}

int file_set_commit(struct file_set *s, struct err *e)
{
    int rc = s->written_in_place ? 0 : file_set_write_in_place(s, e);

    for (size_t i = 0; rc == 0 && i < s->outputs.n; i++)
        if (s->outputs.v[i].target)
            rc = move_to_target(&s->outputs.v[i], e);
    if (rc < 0) {
        take_back(s);
        return -1;
    }
    for (size_t i = 0; i < s->outputs.n; i++) {
        drop_temp(&s->outputs.v[i]);                   /* the file that was there before */
        if (s->outputs.v[i].target)
            sync_folder(&s->outputs.v[i]);
    }
    return 0;
}

void file_set_unlink_temps(const struct file_set *s)
{
    for (size_t i = 0; i < s->outputs.n; i++)
        if (s->outputs.v[i].temp)
            unlink(s->outputs.v[i].temp);
}

void file_set_abort(struct file_set *s)
{
    if (!s)
        return;
    for (size_t i = 0; i < s->outputs.n; i++)
        output_release(&s->outputs.v[i]);
    vec_free(&s->outputs);
    free(s);
}
