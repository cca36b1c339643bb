/* unzip: an archive read from front to back.
 *
 * The directory at the end is what most programs begin with; a pipe has no end to begin with. So members are read by the headers before
 * them, and the directory is compared with what was found: a member that it does not list, or lists otherwise, is an error. Only where
 * such a header leaves the length of a stored member open, the directory of a file is asked first.
 * Not here: encryption, other methods, and archives split into several files. */
#include "gputab/codec/unzip.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "gputab/base/buf.h"
#include "gputab/base/vec.h"
#include "gputab/base/xalloc.h"
#include "gputab/codec/inflate.h"
#include "gputab/codec/zip_record.h"
#include "gputab/codec/zip_tail.h"

struct found {
    uint64_t offset, packed, unpacked;
    uint32_t crc;
    bool listed;
};

struct unzip {
    struct raw_input *raw;
    bool (*skips)(const char *name);
    struct zip_tail tail;
    struct inflate *inflate;       /* NULL until a member needs it */
    struct buf name;
    struct zip_entry entry;        /* as its header says */
    bool sized;                    /* entry.packed is known */
    bool inside;                   /* a member was begun and not ended */
    struct found now;              /* what there is of the member so far */
    VEC(struct found) found;       /* members, by offset */
    size_t listed;                 /* of them in the directory */
    uint8_t *waste;                /* what nobody wants goes here */
};

enum { WASTE_BYTES = 64 * 1024 };

struct unzip *unzip_new(struct raw_input *raw, bool (*skips)(const char *name))
{
    struct unzip *z = xcalloc(1, sizeof *z);

    z->raw = raw;
    z->skips = skips;
    return z;
}

void unzip_free(struct unzip *z)
{
    if (!z)
        return;
    zip_tail_free(&z->tail);
    inflate_free(z->inflate);
    buf_free(&z->name);
    vec_free(&z->found);
    free(z->waste);
    free(z);
}

const char *unzip_name(const struct unzip *z)
{
    return buf_str(&z->name);
}

/* ---- errors ---- */

static int broken(const struct unzip *z, const char *what, struct err *e)
{
    err_set(e, ERR_INPUT, "zip data %s at byte %lld", what, (long long)raw_input_offset(z->raw));
    err_at(e, z->raw->path, 0, 0);
    return err_hint(e, "copy the file again; nothing of it was used");
}

static int refused(const struct unzip *z, struct err *e, const char *what, const char *more, const char *hint)
{
    err_set(e, ERR_INPUT, "zip archive holds \"%s\"%s%s", unzip_name(z), what, more);
    err_at(e, z->raw->path, 0, 0);
    return err_hint(e, "%s", hint);
}

static int need(struct unzip *z, size_t n, struct err *e)
{
    bool there = false;

    if (raw_input_need(z->raw, n, &there, e) < 0)
        return -1;
    if (there)
        return 0;
    z->raw->at = z->raw->n;                                  /* where it ends is what helps */
    return broken(z, "ends too early", e);
}

static const uint8_t *at(const struct unzip *z)
{
    return z->raw->p + z->raw->at;
}

/* ---- a member's header ---- */

static bool is_folder(const struct unzip *z)
{
    return z->name.n > 0 && z->name.p[z->name.n - 1] == '/';
}

static bool is_passed_over(const struct unzip *z)
{
    static const char of_macos[] = "__MACOSX/";

    return is_folder(z) || strncmp(unzip_name(z), of_macos, sizeof of_macos - 1) == 0 || (z->skips && z->skips(unzip_name(z)));
}

static bool is_readable(const struct zip_entry *entry)
{
    return !(entry->flags & ZIP_ENCRYPTED) && (entry->method == ZIP_STORED || entry->method == ZIP_DEFLATED);
}

static int check_readable(const struct unzip *z, struct err *e)
{
    const char *method = zip_method_name(z->entry.method);

    if (z->entry.flags & ZIP_ENCRYPTED)
        return refused(z, e, ", which is encrypted", "", "unpack it with its password and give the file inside");
    if (!is_readable(&z->entry))
        return refused(z, e, ", packed by a method that is not read here: ", method ? method : "an unknown one",
                       "unpack it and give the file inside, or pack it by gzip");
    return 0;
}

/* Sizes that stand behind a member: deflated data says itself where it ends, a folder has none, of others the directory knows. */
static int find_size(struct unzip *z, struct err *e)
{
    const struct zip_entry *entry = &z->entry;
    struct zip_entry listed;

    z->sized = !(entry->flags & ZIP_DESCRIBED) || (entry->packed != 0 && entry->packed != UINT32_MAX) ||
               (is_folder(z) && entry->method == ZIP_STORED);
    if (z->sized || (entry->method == ZIP_DEFLATED && is_readable(entry)))
        return 0;
    if (!z->raw->is_file)
        return refused(z, e, ", whose length stands only behind it", "", "give the archive as a file, not through a pipe");
    if (zip_tail_find(&z->tail, z->raw, z->now.offset, &listed, e) < 0)
        return -1;
    z->entry.packed = listed.packed;
    z->sized = true;
    return 0;
}

static int begin(struct unzip *z, struct err *e)
{
    size_t length;

    if (z->found.n == UNZIP_MEMBERS_MAX) {
        err_set(e, ERR_INPUT, "zip archive has more than %d members", UNZIP_MEMBERS_MAX);
        return err_at(e, z->raw->path, 0, 0);
    }
    if (need(z, ZIP_LOCAL_BYTES, e) < 0)
        return -1;
    z->now = (struct found){.offset = (uint64_t)raw_input_offset(z->raw)};
    z->entry = zip_local(at(z));
    length = ZIP_LOCAL_BYTES + z->entry.n_name + z->entry.n_extra;
    if (need(z, length, e) < 0)
        return -1;
    buf_clear(&z->name);
    buf_add(&z->name, at(z) + ZIP_LOCAL_BYTES, z->entry.n_name);
    zip_entry_widen(&z->entry, at(z) + ZIP_LOCAL_BYTES + z->entry.n_name);
    z->raw->at += length;
    z->inside = true;
    return find_size(z, e);
}

/* ---- a member's data ---- */

static uint64_t left(const struct unzip *z)
{
    return z->sized ? z->entry.packed - z->now.packed : UINT64_MAX;
}

/* Behind the data: its sizes and check sum, in the header before it or in a descriptor. */
static int finish(struct unzip *z, struct err *e)
{
    const struct zip_entry *entry = &z->entry;
    struct found *now = &z->now;

    if (entry->flags & ZIP_DESCRIBED) {
        bool there;
        size_t length;

        if (raw_input_need(z->raw, ZIP_DESCRIPTOR_MAX, &there, e) < 0)
            return -1;
        length = zip_descriptor(at(z), z->raw->n - z->raw->at, now->crc, now->packed, now->unpacked);
        if (length == 0 && !there)
            return need(z, ZIP_DESCRIPTOR_MAX, e);
        if (length == 0 && !is_folder(z))
            return broken(z, "has another check sum or length than it says", e);
        z->raw->at += length;
    } else if (entry->crc != now->crc || entry->unpacked != now->unpacked) {
        return broken(z, "has another check sum or length than it says", e);
    }
    vec_push(&z->found, *now);
    z->inside = false;
    return 0;
}

static int read_stored(struct unzip *z, uint8_t *out, size_t n, bool *end)
{
    size_t take = z->raw->n - z->raw->at < n ? z->raw->n - z->raw->at : n;

    take = take < left(z) ? take : (size_t)left(z);
    memcpy(out, at(z), take);
    z->raw->at += take;
    z->now.packed += take;
    *end = left(z) == 0;
    return (int)take;
}

static int start_inflate(struct unzip *z, struct err *e)
{
    if (z->inflate) {
        inflate_again(z->inflate);
        return 0;
    }
    z->inflate = inflate_new(INFLATE_BARE);
    if (z->inflate)
        return 0;
    err_set(e, ERR_INTERNAL, "no memory for unpacking zip data");
    return err_at(e, z->raw->path, 0, 0);
}

static int read_deflated(struct unzip *z, uint8_t *out, size_t n, bool *end, struct err *e)
{
    size_t there = z->raw->n - z->raw->at, given = there < left(z) ? there : (size_t)left(z);
    struct inflate_io io = {at(z), given, out, n};
    enum inflate_result rc = inflate_step(z->inflate, &io);

    z->raw->at = (size_t)(io.in - z->raw->p);
    z->now.packed += (uint64_t)given - io.n_in;                        /* less than before, when bytes were given back */
    *end = rc == INFLATE_END;
    if (rc == INFLATE_NO_MEMORY) {
        err_set(e, ERR_INTERNAL, "no memory for unpacking zip data");
        return err_at(e, z->raw->path, 0, 0);
    }
    if (rc == INFLATE_DAMAGED || (*end && z->sized && left(z) != 0) || (!*end && left(z) == 0 && io.n_out > 0))
        return broken(z, "is damaged", e);
    return (int)(n - io.n_out);
}

int unzip_read(struct unzip *z, uint8_t *out, size_t n, bool *end, struct err *e)
{
    int got;

    *end = !z->inside;
    if (*end)
        return 0;
    if (z->raw->at == z->raw->n && !z->raw->eof && left(z) > 0 && raw_input_more(z->raw, e) < 0)
        return -1;
    got = z->entry.method == ZIP_STORED ? read_stored(z, out, n, end) : read_deflated(z, out, n, end, e);
    if (got < 0)
        return -1;
    z->now.crc = inflate_crc(z->now.crc, out, (size_t)got);
    z->now.unpacked += (uint64_t)got;
    if (*end)
        return finish(z, e) < 0 ? -1 : got;
    return got == 0 && z->raw->at == z->raw->n && z->raw->eof ? broken(z, "ends too early", e) : got;
}

/* ---- members that nobody wants ---- */

/* One that cannot be unpacked: its bytes are counted, and the directory must say the same of it as its header. */
static int skip_packed(struct unzip *z, struct err *e)
{
    if (z->entry.flags & ZIP_DESCRIBED)
        return check_readable(z, e);
    while (left(z) > 0) {
        size_t there;

        if (need(z, 1, e) < 0)
            return -1;
        there = z->raw->n - z->raw->at;
        there = there < left(z) ? there : (size_t)left(z);
        z->raw->at += there;
        z->now.packed += there;
    }
    z->now.crc = z->entry.crc;
    z->now.unpacked = z->entry.unpacked;
    return finish(z, e);
}

static int skip(struct unzip *z, struct err *e)
{
    bool end = false;

    if (!is_readable(&z->entry))
        return skip_packed(z, e);
    if (z->entry.method == ZIP_DEFLATED && start_inflate(z, e) < 0)
        return -1;
    if (!z->waste)
        z->waste = xmalloc(WASTE_BYTES);
    while (!end)
        if (unzip_read(z, z->waste, WASTE_BYTES, &end, e) < 0)
            return -1;
    return 0;
}

/* ---- the directory ---- */

/* Numbers of 32 bits are what some writers leave of larger ones. */
static bool agree(uint64_t found, uint64_t listed)
{
    return found == listed || (listed <= UINT32_MAX && (uint32_t)found == listed);
}

static bool is_listed_as(const struct found *f, const struct zip_entry *entry)
{
    return !f->listed && agree(f->offset, entry->offset) && f->crc == entry->crc && agree(f->packed, entry->packed) &&
           agree(f->unpacked, entry->unpacked);
}

static int by_offset(const void *a, const void *b)
{
    uint64_t x = ((const struct found *)a)->offset, y = ((const struct found *)b)->offset;

    return (x > y) - (x < y);
}

/* Directories list members in the order in which they lie there, nearly always. */
static struct found *find_listed(const struct unzip *z, const struct zip_entry *entry)
{
    struct found key = {.offset = entry->offset}, *f;

    if (z->listed < z->found.n && is_listed_as(&z->found.v[z->listed], entry))
        return &z->found.v[z->listed];
    f = z->found.n ? bsearch(&key, z->found.v, z->found.n, sizeof key, by_offset) : NULL;
    return f && is_listed_as(f, entry) ? f : NULL;
}

static int check_central(struct unzip *z, struct err *e)
{
    struct zip_entry entry;
    struct found *f;
    size_t length;

    if (need(z, ZIP_CENTRAL_BYTES, e) < 0)
        return -1;
    entry = zip_central(at(z));
    length = ZIP_CENTRAL_BYTES + entry.n_name + entry.n_extra + entry.n_comment;
    if (need(z, length, e) < 0)
        return -1;
    zip_entry_widen(&entry, at(z) + ZIP_CENTRAL_BYTES + entry.n_name);
    f = find_listed(z, &entry);
    if (!f)
        return broken(z, "lists a member that it does not hold", e);
    f->listed = true;
    z->listed++;
    z->raw->at += length;
    return 0;
}

static int pass(struct unzip *z, uint64_t n, struct err *e)
{
    if (n > RAW_INPUT_BYTES)
        return broken(z, "is damaged", e);
    if (need(z, (size_t)n, e) < 0)
        return -1;
    z->raw->at += (size_t)n;
    return 0;
}

static int pass_end_64(struct unzip *z, struct err *e)
{
    uint64_t n;

    if (need(z, ZIP_END_64_BYTES, e) < 0)
        return -1;
    n = zip_u64(at(z) + 4);                                  /* without the 12 bytes up to here */
    return pass(z, 12, e) < 0 ? -1 : pass(z, n, e);
}

static int check_end(struct unzip *z, struct err *e)
{
    bool more = false;
    unsigned disk, members;

    if (need(z, ZIP_END_BYTES, e) < 0)
        return -1;
    disk = zip_u16(at(z) + 4);
    members = zip_u16(at(z) + 10);
    if (disk != 0 && disk != 0xffff)
        return broken(z, "is one part of a split archive", e);
    if (z->listed != z->found.n || (members != 0xffff && members != (z->found.n & 0xffff)))
        return broken(z, "holds other members than it lists", e);
    if (pass(z, ZIP_END_BYTES + (uint64_t)zip_u16(at(z) + 20), e) < 0 || raw_input_need(z->raw, 1, &more, e) < 0)
        return -1;
    return more ? broken(z, "is followed by something else", e) : 0;
}

/* One record of the directory; *end is set behind the last one. */
static int check_record(struct unzip *z, bool *end, struct err *e)
{
    if (need(z, 4, e) < 0)
        return -1;
    switch (zip_u32(at(z))) {
    case ZIP_CENTRAL:
        return check_central(z, e);
    case ZIP_END_64:
        return pass_end_64(z, e);
    case ZIP_LOCATOR_64:
        return pass(z, ZIP_LOCATOR_64_BYTES, e);
    case ZIP_DIGEST:
        return need(z, 6, e) < 0 ? -1 : pass(z, 6 + (uint64_t)zip_u16(at(z) + 4), e);
    case ZIP_END:
        *end = true;
        return check_end(z, e);
    default:
        return broken(z, "is damaged", e);
    }
}

static int check_directory(struct unzip *z, struct err *e)
{
    bool end = false;

    while (!end)
        if (check_record(z, &end, e) < 0)
            return -1;
    return 0;
}

/* ---- */

int unzip_next(struct unzip *z, struct err *e)
{
    assert(!z->inside);
    for (;;) {
        if (need(z, 4, e) < 0)
            return -1;
        if (zip_u32(at(z)) != ZIP_LOCAL)
            return check_directory(z, e);
        if (begin(z, e) < 0)
            return -1;
        if (!is_passed_over(z))
            break;
        if (skip(z, e) < 0)
            return -1;
    }
    if (check_readable(z, e) < 0 || (z->entry.method == ZIP_DEFLATED && start_inflate(z, e) < 0))
        return -1;
    return 1;
}
