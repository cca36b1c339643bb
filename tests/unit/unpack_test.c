/* unpack: the same bytes from plain, gzip, zstd and zip files; damaged and cut files are errors that tell where. */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include "gputab/base/ahead.h"
#include "gputab/base/buf.h"
#include "gputab/base/xalloc.h"
#include "gputab/codec/inflate.h"
#include "gputab/codec/unpack.h"
#include "unit.h"
#include "zip_fixture.h"

static char path[] = "/tmp/unpack_test.XXXXXX";

static void write_file(const void *p, size_t n)
{
    FILE *f = fopen(path, "wb");

    ck_assert_ptr_ne(f, NULL);
    ck_assert_uint_eq(fwrite(p, 1, n, f), n);
    ck_assert_int_eq(fclose(f), 0);
}

static void add_gzip(struct buf *to, const void *p, size_t n)
{
    z_stream z = {0};
    size_t room = n + n / 1000 + 1024;

    ck_assert_int_eq(deflateInit2(&z, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
    buf_reserve(to, room);
    z.next_in = (Bytef *)(uintptr_t)p;
    z.avail_in = (uInt)n;
    z.next_out = (Bytef *)(to->p + to->n);
    z.avail_out = (uInt)room;
    ck_assert_int_eq(deflate(&z, Z_FINISH), Z_STREAM_END);
    to->n += z.total_out;
    deflateEnd(&z);
}

static void add_zstd(struct buf *to, const void *p, size_t n)
{
    size_t room = ZSTD_compressBound(n), got;

    buf_reserve(to, room);
    got = ZSTD_compress(to->p + to->n, room, p, n, 3);
    ck_assert(!ZSTD_isError(got));
    to->n += got;
}

static int read_text(struct unpack *u, struct buf *out, size_t piece, struct err *e)
{
    int got;

    do {
        buf_reserve(out, piece);
        got = unpack_read(u, out->p + out->n, piece, e);
        out->n += got > 0 ? (size_t)got : 0;
    } while (got > 0);
    if (got == 0)
        ck_assert_int_eq(unpack_offset(u), (int64_t)out->n);
    return got;
}

/* Reads the whole file in pieces. 0 or -1. */
static int read_file(struct buf *out, size_t piece, char *hex, struct err *e)
{
    struct unpack *u;
    int got;

    if (unpack_open(&u, path, hex ? UNPACK_SHA256 : 0, e) < 0)
        return -1;
    got = read_text(u, out, piece, e);
    if (got == 0 && hex)
        unpack_hash(u, hex);
    unpack_close(u);
    return got;
}

static struct buf some_text(size_t lines)
{
    struct buf b = {0};

    for (size_t i = 0; i < lines; i++)
        buf_addf(&b, "%zu,%zu,a line of text\n", i, i * 7919 % 10007);
    return b;
}

/* Bytes that come in pieces of any length: mostly short ones, so that cuts fall everywhere. */
struct pieces {
    struct span rest;
    uint64_t state;
};

static int fill_pieces(void *from, char *p, size_t n, struct err *e)
{
    struct pieces *f = from;
    size_t take;

    (void)e;
    f->state = f->state * 6364136223846793005u + 1442695040888963407u;
    take = 1 + (f->state >> 40) % (f->state >> 33 & 7 ? 13 : 70000);
    take = take < n ? take : n;
    take = take < f->rest.n ? take : f->rest.n;
    memcpy(p, f->rest.p, take);
    f->rest.p += take;
    f->rest.n -= take;
    return (int)take;
}

/* Reads out of a function, as from a pipe: 0 or -1. */
static int read_pieces(const struct buf *packed, uint64_t seed, struct buf *out, size_t piece, struct err *e)
{
    struct pieces f = {{buf_str(packed), packed->n}, seed};
    struct unpack *u = unpack_over(fill_pieces, &f, "pieces", 0);
    int rc = read_text(u, out, piece, e);

    unpack_close(u);
    return rc;
}

static void expect_same_in_pieces(const struct buf *packed, const struct buf *want)
{
    for (uint64_t seed = 1; seed <= 5; seed++) {
        struct buf got = {0};
        struct err e = {0};

        ck_assert_msg(read_pieces(packed, seed, &got, 1 + seed * seed * seed * 977, &e) == 0, "%s", e.text);
        ck_assert_uint_eq(got.n, want->n);
        ck_assert(got.n == 0 || memcmp(got.p, want->p, got.n) == 0);
        buf_free(&got);
    }
}

/* Loans, and a copy where there are none. *loans counts them. */
static int read_lent(struct unpack *u, struct buf *out, size_t *loans, struct err *e)
{
    char *p = NULL;
    int got;

    do {
        buf_reserve(out, 4096);
        got = unpack_lend(u, &p, e);
        *loans += got > 0;
        if (got > 0)
            buf_add(out, p, (size_t)got);
        else if (got == AHEAD_NONE && (got = unpack_read(u, out->p + out->n, 4096, e)) > 0)
            out->n += (size_t)got;
    } while (got > 0);
    ck_assert_int_eq(unpack_offset(u), (int64_t)out->n);
    return got;
}

/* Of the file, which is long. */
static void expect_lent(const struct buf *want, bool with_thread)
{
    struct unpack *u;
    struct buf got = {0};
    struct err e = {0};
    size_t loans = 0;

    ck_assert_int_eq(unpack_open(&u, path, 0, &e), 0);
    ck_assert_int_eq(read_lent(u, &got, &loans, &e), 0);
    unpack_close(u);
    ck_assert_uint_eq(got.n, want->n);
    ck_assert(memcmp(got.p, want->p, got.n) == 0);
    ck_assert_int_eq(loans > 0, with_thread);
    buf_free(&got);
}

static void expect_same(const struct buf *packed, const struct buf *want)
{
    static const size_t pieces[] = {1 << 20, 4096, 777};

    write_file(buf_str(packed), packed->n);
    for (size_t i = 0; i < 3; i++) {
        struct buf got = {0};
        struct err e = {0};

        ck_assert_msg(read_file(&got, pieces[i], NULL, &e) == 0, "%s", e.text);
        ck_assert_uint_eq(got.n, want->n);
        ck_assert(got.n == 0 || memcmp(got.p, want->p, got.n) == 0);
        buf_free(&got);
    }
    expect_same_in_pieces(packed, want);
}

static void expect_error(const void *p, size_t n, const char *want)
{
    struct buf got = {0};
    struct err e = {0};

    write_file(p, n);
    ck_assert_int_eq(read_file(&got, 4096, NULL, &e), -1);
    ck_assert_int_eq(e.code, ERR_INPUT);
    ck_assert_str_eq(e.file, path);
    ck_assert_msg(strstr(e.text, want) != NULL, "got %s, want %s", e.text, want);
    buf_free(&got);
}

START_TEST(plain_gzip_and_zstd_give_the_same_bytes)
{
    struct buf text = some_text(40000), gz = {0}, zs = {0};

    add_gzip(&gz, text.p, text.n);
    add_zstd(&zs, text.p, text.n);
    expect_same(&text, &text);
    expect_same(&gz, &text);
    expect_same(&zs, &text);
    buf_free(&text);
    buf_free(&gz);
    buf_free(&zs);
}
END_TEST

START_TEST(several_members_are_one_text)
{
    struct buf text = some_text(100), twice = {0}, gz = {0}, zs = {0};

    buf_add(&twice, text.p, text.n);
    buf_add(&twice, text.p, text.n);
    for (int i = 0; i < 2; i++) {
        add_gzip(&gz, text.p, text.n);
        add_zstd(&zs, text.p, text.n);
    }
    expect_same(&gz, &twice);
    expect_same(&zs, &twice);
    buf_fill(&gz, '\0', 512);                                /* padding of a block device */
    expect_same(&gz, &twice);
    buf_free(&text);
    buf_free(&twice);
    buf_free(&gz);
    buf_free(&zs);
}
END_TEST

START_TEST(empty_content_is_no_error)
{
    struct buf none = {0}, gz = {0}, zs = {0};

    add_gzip(&gz, "", 0);
    add_zstd(&zs, "", 0);
    expect_same(&none, &none);
    expect_same(&gz, &none);
    expect_same(&zs, &none);
    buf_free(&none);
    buf_free(&gz);
    buf_free(&zs);
}
END_TEST

START_TEST(data_that_ends_early_is_an_error_wherever_it_is_cut)
{
    struct buf text = some_text(50), gz = {0}, zs = {0};
    char want[64];

    add_gzip(&gz, text.p, text.n);
    add_zstd(&zs, text.p, text.n);
    for (size_t n = 2; n < gz.n; n++) {
        snprintf(want, sizeof want, "gzip data ends too early at byte %zu", n);
        expect_error(gz.p, n, want);
    }
    for (size_t n = 4; n < zs.n; n++) {
        snprintf(want, sizeof want, "zstd data ends too early at byte %zu", n);
        expect_error(zs.p, n, want);
    }
    buf_free(&text);
    buf_free(&gz);
    buf_free(&zs);
}
END_TEST

START_TEST(damaged_data_is_an_error)
{
    struct buf text = some_text(50), gz = {0}, zs = {0};

    add_gzip(&gz, text.p, text.n);
    gz.p[gz.n - 6] ^= 1;                                     /* the check sum */
    expect_error(gz.p, gz.n, "gzip data is damaged at byte");
    gz.p[gz.n - 6] ^= 1;
    buf_adds(&gz, "tail");
    expect_error(gz.p, gz.n, "gzip data is followed by something else at byte");
    add_zstd(&zs, text.p, text.n);
    buf_adds(&zs, "tail");
    expect_error(zs.p, zs.n, "zstd data is damaged at byte");
    buf_free(&text);
    buf_free(&gz);
    buf_free(&zs);
}
END_TEST

START_TEST(known_formats_that_are_not_read_are_named)
{
    expect_error("PAR1xxxxxxxx", 12, "is a Parquet file, which is not read here");
    expect_error("\3757zXZ\0xxx", 9, "is xz data");
    expect_error("BZh91AY&SY", 10, "is bzip2 data");
    expect_error("7z\xbc\xaf\x27\x1cxx", 8, "is a 7z archive");
    expect_error("PK\7\10PK\3\4", 8, "is a part of a split zip archive");
}
END_TEST

/* What sha256sum says of the three bytes "abc". */
START_TEST(the_hash_is_of_the_bytes_as_read)
{
    struct buf got = {0};
    struct err e = {0};
    char hex[SHA256_HEX];

    write_file("abc", 3);
    ck_assert_int_eq(read_file(&got, 2, hex, &e), 0);
    ck_assert_str_eq(hex, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    buf_free(&got);
}
END_TEST

START_TEST(a_missing_file_and_a_directory_are_errors)
{
    struct unpack *u;
    struct err e = {0};
    char byte;

    ck_assert_int_eq(unpack_open(&u, "/nonexistent/bill.csv", 0, &e), -1);
    ck_assert_int_eq(e.code, ERR_INPUT);
    ck_assert_str_eq(e.file, "/nonexistent/bill.csv");
    err_clear(&e);
    ck_assert_int_eq(unpack_open(&u, "/tmp", 0, &e), 0);
    ck_assert_int_eq(unpack_read(u, &byte, 1, &e), -1);
    ck_assert_str_eq(e.text, "cannot be read: Is a directory");
    unpack_close(u);
}
END_TEST

/* Long enough for the threads: 4 times what is made without one. */
START_TEST(long_input_is_the_same_with_threads)
{
    struct buf text = some_text(200000), gz = {0}, zs = {0};
    struct zip_made zip = {0};
    char hex[SHA256_HEX], want[SHA256_HEX];
    struct sha256 *h = sha256_new();
    struct err e = {0};

    ck_assert_uint_gt(text.n, 4 << 20);
    add_gzip(&gz, text.p, text.n);
    add_zstd(&zs, text.p, text.n);
    zip_add(&zip, "bill.csv", text.p, text.n, (struct zip_form){.stored = false});
    zip_end(&zip);
    expect_same(&gz, &text);
    expect_lent(&text, true);
    expect_same(&zs, &text);
    expect_same(&zip.bytes, &text);
    expect_same(&text, &text);
    expect_lent(&text, ahead_has_core());
    sha256_add(h, text.p, text.n);
    sha256_end(h, want);
    text.n = 0;
    ck_assert_int_eq(read_file(&text, 1 << 20, hex, &e), 0);
    ck_assert_str_eq(hex, want);
    buf_free(&text);
    buf_free(&gz);
    buf_free(&zs);
    zip_free(&zip);
}
END_TEST

/* Text that does not pack: the packed bytes are long as well, and the thread is in the middle of them. */
START_TEST(an_error_far_behind_tells_its_place)
{
    struct buf noise = {0}, gz = {0};
    uint64_t state = 5;
    char want[64];

    for (size_t i = 0; i < 4 << 20; i++) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        buf_addc(&noise, (char)(state >> 56));
    }
    add_gzip(&gz, noise.p, noise.n);
    snprintf(want, sizeof want, "gzip data ends too early at byte %zu", gz.n - 9);
    expect_error(gz.p, gz.n - 9, want);
    gz.p[gz.n - 1] ^= 1;                                     /* the length: another one than was unpacked */
    expect_error(gz.p, gz.n, "gzip data is damaged at byte");
    gz.p[gz.n - 1] ^= 1;
    snprintf(want, sizeof want, "gzip data is followed by something else at byte %zu", gz.n);
    buf_adds(&gz, "x");
    expect_error(gz.p, gz.n, want);
    buf_free(&noise);
    buf_free(&gz);
}
END_TEST

START_TEST(it_may_be_closed_at_any_time)
{
    struct buf text = some_text(300000), gz = {0};
    char *p = malloc(1 << 20);

    add_gzip(&gz, text.p, text.n);
    write_file(gz.p, gz.n);
    for (int reads = 0; reads < 5; reads++) {
        struct unpack *u;
        struct err e = {0};

        ck_assert_int_eq(unpack_open(&u, path, UNPACK_SHA256, &e), 0);
        for (int i = 0; i < reads; i++)
            ck_assert_int_eq(unpack_read(u, p, 1 << 20, &e), 1 << 20);
        unpack_close(u);
    }
    free(p);
    buf_free(&text);
    buf_free(&gz);
}
END_TEST

/* A pipe whose writer stays: closing may not wait for it. */
START_TEST(a_pipe_that_gives_no_more_can_be_closed)
{
    struct buf text = some_text(200000), gz = {0};
    char *p = malloc(1 << 20), name[32];
    int fds[2];
    struct unpack *u;
    struct err e = {0};

    add_gzip(&gz, text.p, text.n);
    ck_assert_int_eq(pipe(fds), 0);
    ck_assert_int_gt(fcntl(fds[1], F_SETPIPE_SZ, 1 << 20), 0);
    gz.n = gz.n / 10 * 9;
    ck_assert_uint_lt(gz.n, 1 << 20);
    ck_assert_int_eq(write(fds[1], gz.p, gz.n), (ssize_t)gz.n);
    snprintf(name, sizeof name, "/proc/self/fd/%d", fds[0]);
    ck_assert_int_eq(unpack_open(&u, name, 0, &e), 0);
    for (int i = 0; i < 2; i++)
        ck_assert_int_eq(unpack_read(u, p, 1 << 20, &e), 1 << 20);
    unpack_close(u);
    close(fds[0]);
    close(fds[1]);
    free(p);
    buf_free(&text);
    buf_free(&gz);
}
END_TEST

/* What zstd --long=28 makes: a frame whose head asks for a window of 256 MiB (RFC 8878, 3.1.1.1.2: exponent 18 above 2^10). */
START_TEST(a_zstd_window_over_the_limit_is_named)
{
    expect_error("\x28\xb5\x2f\xfd\x00\x90\x01\x00\x00", 9, "zstd data looks back further than 128 MiB");
}
END_TEST

/* ---- zip ---- */

static const struct zip_form zip_forms[] = {
    {.stored = true}, {.stored = false}, {.stored = true, .wide = true}, {.wide = true},
    {.behind = ZIP_BEHIND_SIGNED}, {.behind = ZIP_BEHIND_UNSIGNED}, {.behind = ZIP_BEHIND_SIGNED_64}, {.behind = ZIP_BEHIND_UNSIGNED_64},
    {.behind = ZIP_BEHIND_SIGNED_64, .wide = true}, {.behind = ZIP_BEHIND_SIGNED, .wide = true},
};
enum { ZIP_FORMS = sizeof zip_forms / sizeof *zip_forms };

START_TEST(a_zip_archive_of_one_file_is_that_file)
{
    for (size_t i = 0; i < ZIP_FORMS; i++)
        for (size_t lines = 0; lines < 60000; lines = lines * 200 + 1) {
            struct buf text = some_text(lines);
            struct zip_made zip = {0};

            zip_add(&zip, "export/", "", 0, (struct zip_form){.stored = true});
            zip_add(&zip, "export/bill.csv", buf_str(&text), text.n, zip_forms[i]);
            zip_add(&zip, "__MACOSX/export/._bill.csv", "Mac OS X", 8, zip_forms[i]);
            zip_end(&zip);
            expect_same(&zip.bytes, &text);
            buf_free(&text);
            zip_free(&zip);
        }
}
END_TEST

/* A file has a directory that can be asked, a pipe has not. */
START_TEST(a_stored_member_with_its_length_behind_it_needs_a_file)
{
    struct buf text = some_text(1000), got = {0};
    struct zip_made zip = {0};
    struct err e = {0};

    zip_add(&zip, "bill.csv", text.p, text.n, (struct zip_form){.stored = true, .behind = ZIP_BEHIND_SIGNED});
    zip_end(&zip);
    write_file(zip.bytes.p, zip.bytes.n);
    ck_assert_msg(read_file(&got, 4096, NULL, &e) == 0, "%s", e.text);
    ck_assert_uint_eq(got.n, text.n);
    ck_assert_int_eq(memcmp(got.p, text.p, text.n), 0);
    ck_assert_int_eq(read_pieces(&zip.bytes, 1, &got, 4096, &e), -1);
    ck_assert_str_eq(e.text, "zip archive holds \"bill.csv\", whose length stands only behind it");
    ck_assert_str_eq(e.hint, "give the archive as a file, not through a pipe");
    buf_free(&text);
    buf_free(&got);
    zip_free(&zip);
}
END_TEST

static bool is_json(const char *name)
{
    return span_ends(span_of(name), ".json");
}

START_TEST(members_are_texts_of_their_own)
{
    struct buf text = some_text(70000);                      /* one with a thread, one without */
    struct zip_made zip = {0};
    struct unpack *u;
    struct err e = {0};
    char hex[SHA256_HEX];

    zip_add(&zip, "b/1.csv", text.p, text.n, zip_forms[1]);
    zip_add(&zip, "b/manifest.json", "{}", 2, zip_forms[4]);
    zip_add(&zip, "b/2.csv", text.p, 1000, zip_forms[0]);
    zip_add(&zip, "b/3.csv", text.p, text.n, zip_forms[4]);
    zip_end(&zip);
    write_file(zip.bytes.p, zip.bytes.n);
    ck_assert_int_eq(unpack_open(&u, path, UNPACK_MEMBERS | UNPACK_SHA256, &e), 0);
    unpack_skip(u, is_json);
    for (int i = 1; i <= 3; i++) {
        struct buf got = {0};
        char name[16];

        snprintf(name, sizeof name, "b/%d.csv", i);
        ck_assert_int_eq(unpack_next(u, &e), 1);
        ck_assert_str_eq(unpack_member(u), name);
        ck_assert_int_eq(read_text(u, &got, 100000, &e), 0);
        ck_assert_uint_eq(got.n, i == 2 ? 1000 : text.n);
        ck_assert_int_eq(memcmp(got.p, text.p, got.n), 0);
        buf_free(&got);
    }
    ck_assert_int_eq(unpack_next(u, &e), 0);
    ck_assert_int_eq(unpack_next(u, &e), 0);
    unpack_hash(u, hex);
    unpack_close(u);
    buf_free(&text);
    zip_free(&zip);
}
END_TEST

START_TEST(what_is_no_archive_has_one_text)
{
    struct unpack *u;
    struct err e = {0};
    char p[8];

    write_file("a,b\n", 4);
    ck_assert_int_eq(unpack_open(&u, path, UNPACK_MEMBERS, &e), 0);
    ck_assert_int_eq(unpack_next(u, &e), 1);
    ck_assert_ptr_null(unpack_member(u));
    ck_assert_int_eq(unpack_read(u, p, 8, &e), 4);
    ck_assert_int_eq(unpack_next(u, &e), 0);
    unpack_close(u);
}
END_TEST

START_TEST(several_files_are_an_error_for_who_wants_one)
{
    struct zip_made zip = {0};

    zip_add(&zip, "a.csv", "a", 1, zip_forms[1]);
    zip_add(&zip, "b.csv", "b", 1, zip_forms[1]);
    zip_end(&zip);
    expect_error(zip.bytes.p, zip.bytes.n, "zip archive holds several files, \"a.csv\" and \"b.csv\" among them");
    zip_free(&zip);
}
END_TEST

START_TEST(an_archive_without_a_file_is_an_error)
{
    struct zip_made zip = {0};

    zip_end(&zip);
    expect_error(zip.bytes.p, zip.bytes.n, "zip archive holds no file that could be read");
    zip_free(&zip);
    zip_add(&zip, "folder/", "", 0, zip_forms[0]);
    zip_end(&zip);
    expect_error(zip.bytes.p, zip.bytes.n, "zip archive holds no file that could be read");
    zip_free(&zip);
}
END_TEST

START_TEST(members_that_cannot_be_read_are_named)
{
    static const struct { struct zip_form form; const char *want; } forms[] = {
        {{.flags = 1}, "holds \"a.csv\", which is encrypted"},
        {{.method = 99, .flags = 1}, "holds \"a.csv\", which is encrypted"},
        {{.method = 9}, "holds \"a.csv\", packed by a method that is not read here: Deflate64"},
        {{.method = 14}, "method that is not read here: LZMA"},
        {{.method = 77}, "method that is not read here: an unknown one"},
    };

    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        struct zip_made zip = {0};

        zip_add(&zip, "a.csv", "text", 4, forms[i].form);
        zip_end(&zip);
        expect_error(zip.bytes.p, zip.bytes.n, forms[i].want);
        zip_free(&zip);
    }
}
END_TEST

/* Of a member that nobody wants it does not matter. */
START_TEST(members_that_are_passed_over_may_be_encrypted)
{
    struct zip_made zip = {0};
    struct buf want = {0};

    zip_add(&zip, "__MACOSX/x", "secret", 6, (struct zip_form){.flags = 1});
    zip_add(&zip, "a.csv", "text", 4, zip_forms[1]);
    zip_end(&zip);
    buf_adds(&want, "text");
    expect_same(&zip.bytes, &want);
    buf_free(&want);
    zip_free(&zip);
}
END_TEST

/* As a file and through a pipe. An archive with its comment cut off is cut, too. */
START_TEST(a_zip_archive_that_is_cut_is_an_error_wherever_it_is_cut)
{
    for (size_t i = 0; i < ZIP_FORMS; i++) {
        struct buf text = some_text(20);
        struct zip_made zip = {0};

        zip_add(&zip, "a.csv", text.p, text.n, zip_forms[i]);
        zip_add(&zip, "__MACOSX/x", text.p, text.n, zip_forms[(i + 3) % ZIP_FORMS]);
        zip_end(&zip);
        for (size_t n = 4; n < zip.bytes.n; n++) {
            struct buf cut = {zip.bytes.p, n, 0}, got = {0};
            struct err e = {0};
            char want[64];

            snprintf(want, sizeof want, "zip data ends too early at byte %zu", n);
            if (n % 7 == 0)
                expect_error(cut.p, n, want);
            ck_assert_int_eq(read_pieces(&cut, n, &got, 100, &e), -1);
            ck_assert_str_eq(e.text, want);
            buf_free(&got);
        }
        buf_adds(&zip.bytes, "tail");
        expect_error(zip.bytes.p, zip.bytes.n, "zip data is followed by something else at byte");
        buf_free(&text);
        zip_free(&zip);
    }
}
END_TEST

/* One bit anywhere in the member, its header or the directory: either nothing that counts (a time, a version), or an error. */
START_TEST(no_flipped_bit_of_a_zip_archive_changes_a_text)
{
    for (size_t i = 0; i < ZIP_FORMS; i++) {
        struct buf text = some_text(5);
        struct zip_made zip = {0};

        zip_add(&zip, "a.csv", text.p, text.n, zip_forms[i]);
        zip_end(&zip);
        for (size_t bit = 32 + i; bit < 8 * zip.bytes.n; bit += 3) {    /* every bit, in one form or another */
            struct buf got = {0};
            struct err e = {0};

            zip.bytes.p[bit / 8] ^= (char)(1 << bit % 8);
            if (read_pieces(&zip.bytes, bit, &got, 1000, &e) == 0)
                ck_assert(got.n == text.n && memcmp(got.p, text.p, got.n) == 0);
            zip.bytes.p[bit / 8] ^= (char)(1 << bit % 8);
            buf_free(&got);
        }
        buf_free(&text);
        zip_free(&zip);
    }
}
END_TEST

START_TEST(a_directory_that_lists_other_members_is_an_error)
{
    struct zip_made zip = {0};
    struct zip_line stray;

    zip_add(&zip, "a.csv", "a", 1, zip_forms[1]);
    zip_add(&zip, "__MACOSX/b", "b", 1, zip_forms[1]);
    zip.lines.n = 1;
    zip_end(&zip);
    expect_error(zip.bytes.p, zip.bytes.n, "zip data holds other members than it lists at byte");
    zip_free(&zip);
    zip_add(&zip, "a.csv", "a", 1, zip_forms[1]);
    stray = zip.lines.v[0];
    vec_push(&zip.lines, stray);
    zip_end(&zip);
    expect_error(zip.bytes.p, zip.bytes.n, "zip data lists a member that it does not hold at byte");
    zip_free(&zip);
}
END_TEST

/* ---- UTF-16 ---- */

static void add_unit(struct buf *b, unsigned unit, bool big)
{
    buf_addc(b, (char)(big ? unit >> 8 : unit & 0xff));
    buf_addc(b, (char)(big ? unit & 0xff : unit >> 8));
}

/* Characters of 1 to 4 bytes in UTF-8, many times, so that cuts of blocks fall everywhere in them: U+41, U+E9, U+20AC, U+1F5B3. */
START_TEST(utf_16_comes_as_utf_8)
{
    static const unsigned units[] = {0x41, 0xe9, 0x20ac, 0xd83d, 0xddb3};

    for (int big = 0; big < 2; big++)
        for (size_t times = 0; times < 400000; times = times * 600 + 1) {
            struct buf wide = {0}, want = {0}, gz = {0};

            add_unit(&wide, 0xfeff, big);
            for (size_t i = 0; i < times; i++) {
                for (int k = 0; k < 5; k++)
                    add_unit(&wide, units[k], big);
                buf_adds(&want, "A\xc3\xa9\xe2\x82\xac\xf0\x9f\x96\xb3");
            }
            expect_same(&wide, &want);
            add_gzip(&gz, wide.p, wide.n);
            expect_same(&gz, &want);
            buf_free(&wide);
            buf_free(&want);
            buf_free(&gz);
        }
}
END_TEST

/* The mark has 2 bytes, each unit 2. */
START_TEST(utf_16_with_half_a_pair_is_an_error_with_its_place)
{
    static const struct { unsigned units[3]; int n; const char *want; } texts[] = {
        {{0x41, 0xd83d, 0x41}, 3, "UTF-16 text has half of a surrogate pair at byte 4"},
        {{0x41, 0x41, 0xddb3}, 3, "UTF-16 text has half of a surrogate pair at byte 6"},
        {{0xd83d, 0xd83d, 0xddb3}, 3, "UTF-16 text has half of a surrogate pair at byte 2"},
        {{0x41, 0x41, 0xd83d}, 3, "UTF-16 text has half of a surrogate pair at byte 6"},
    };

    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        for (int big = 0; big < 2; big++) {
            struct buf b = {0};

            add_unit(&b, 0xfeff, big);
            for (int k = 0; k < texts[i].n; k++)
                add_unit(&b, texts[i].units[k], big);
            expect_error(b.p, b.n, texts[i].want);
            buf_free(&b);
        }
    expect_error("\xff\xfe" "a\0b", 5, "UTF-16 text ends in the middle of a character at byte 5");
}
END_TEST

/* ---- the two libraries ---- */

/* A gzip member with all that its head may have: flags choose of name, comment, extra field and check sum of the head. */
static void add_gzip_with_head(struct buf *to, const char *p, size_t n, unsigned flags)
{
    size_t from = to->n;

    buf_adds(to, "\x1f\x8b\x08");
    buf_addc(to, (char)flags);
    buf_add(to, "\1\2\3\4\0\3", 6);
    if (flags & 4)
        buf_add(to, "\5\0extra", 7);
    if (flags & 8)
        buf_add(to, "name", 5);
    if (flags & 16)
        buf_add(to, "comment", 8);
    if (flags & 2)
        zip_put(to, crc32(0, (const Bytef *)to->p + from, (uInt)(to->n - from)) & 0xffff, 2);
    zip_add_data(to, p, n, false);
    zip_put(to, crc32(0, (const Bytef *)p, (uInt)n), 4);
    zip_put(to, n, 4);
}

START_TEST(gzip_heads_of_any_kind_are_read_wherever_they_are_cut)
{
    struct buf text = some_text(10), all = {0}, want = {0}, wrong = {0};

    for (unsigned flags = 0; flags < 32; flags += 2) {
        add_gzip_with_head(&all, text.p, text.n, flags);
        buf_add(&want, text.p, text.n);
    }
    for (size_t step = 1; step < 40; step++)
        for (int plain = 0; plain < 2; plain++) {
            struct inflate *i = (plain ? inflate_new_zlib : inflate_new)(INFLATE_GZIP);
            struct buf got = {0};

            buf_reserve(&got, want.n);
            for (size_t at = 0, given; at < all.n; at += given) {
                struct inflate_io io = {(const uint8_t *)all.p + at, step, (uint8_t *)got.p + got.n, want.n - got.n + 1};
                enum inflate_result rc;

                io.n_in = given = step < all.n - at ? step : all.n - at;
                rc = inflate_step(i, &io);
                ck_assert_int_le(rc, INFLATE_END);
                given -= io.n_in;
                got.n = want.n + 1 - io.n_out;
                if (rc == INFLATE_END)
                    inflate_again(i);
            }
            ck_assert_uint_eq(got.n, want.n);
            ck_assert_int_eq(memcmp(got.p, want.p, want.n), 0);
            inflate_free(i);
            buf_free(&got);
        }
    expect_same(&all, &want);
    add_gzip_with_head(&wrong, text.p, text.n, 2);
    wrong.p[10] ^= 1;
    expect_error(wrong.p, wrong.n, "gzip data is damaged at byte");
    buf_clear(&wrong);
    add_gzip_with_head(&wrong, text.p, text.n, 32);          /* a reserved flag */
    expect_error(wrong.p, wrong.n, "gzip data is damaged at byte");
    buf_free(&text);
    buf_free(&all);
    buf_free(&want);
    buf_free(&wrong);
}
END_TEST

static int run_inflate(struct inflate *i, const struct buf *packed, uint64_t seed, struct buf *out, size_t *used)
{
    size_t at = 0;
    enum inflate_result rc = INFLATE_MORE;

    buf_reserve(out, 1 << 20);
    for (int turns = 0; rc == INFLATE_MORE && turns < 1 << 22; turns++) {
        struct inflate_io io = {(const uint8_t *)packed->p + at, 0, (uint8_t *)out->p + out->n, 0};

        seed = seed * 6364136223846793005u + 1442695040888963407u;
        io.n_in = (seed >> 33) % 40;
        io.n_in = io.n_in < packed->n - at ? io.n_in : packed->n - at;
        io.n_out = (seed >> 48) % 600;
        if (io.n_in == 0 && at == packed->n && io.n_out == 0)
            break;
        rc = inflate_step(i, &io);
        if (rc == INFLATE_MORE && at == packed->n && io.n_out != 0 && (char *)io.out == out->p + out->n)
            break;
        at = (size_t)(io.in - (const uint8_t *)packed->p);
        out->n = (size_t)((char *)io.out - out->p);
        ck_assert_uint_lt(out->n, 1 << 20);
    }
    *used = at;
    return (int)rc;
}

/* Bare streams with bytes behind them: both stop at the same one, however input and room are cut. */
START_TEST(both_ways_of_inflating_agree)
{
    for (size_t lines = 0; lines < 9000; lines = lines * 2 + 1)
        for (uint64_t seed = 1; seed < 30; seed++) {
            struct buf text = some_text(lines), packed = {0}, one = {0}, other = {0};
            struct inflate *fast = inflate_new(INFLATE_BARE), *plain = inflate_new_zlib(INFLATE_BARE);
            size_t n, used[2];

            n = (size_t)zip_add_data(&packed, buf_str(&text), text.n, false);
            buf_fill(&packed, 'P', seed % 12);
            ck_assert_int_eq(run_inflate(fast, &packed, seed, &one, &used[0]), INFLATE_END);
            ck_assert_int_eq(run_inflate(plain, &packed, seed + 99, &other, &used[1]), INFLATE_END);
            ck_assert_uint_eq(used[0], n);
            ck_assert_uint_eq(used[1], n);
            ck_assert_uint_eq(one.n, text.n);
            ck_assert_uint_eq(other.n, text.n);
            ck_assert(text.n == 0 || (memcmp(one.p, text.p, text.n) == 0 && memcmp(other.p, text.p, text.n) == 0));
            ck_assert_uint_eq(inflate_crc(inflate_crc(0, one.p, text.n / 3), one.p + text.n / 3, text.n - text.n / 3),
                              crc32(0, (const Bytef *)other.p, (uInt)text.n));
            inflate_free(fast);
            inflate_free(plain);
            buf_free(&text);
            buf_free(&packed);
            buf_free(&one);
            buf_free(&other);
        }
}
END_TEST

int main(void)
{
    Suite *s = suite_create("unpack");
    TCase *t = tcase_create("unpack");
    int rc, fd = mkstemp(path);

    if (fd < 0)
        return EXIT_FAILURE;
    close(fd);
    tcase_add_test(t, plain_gzip_and_zstd_give_the_same_bytes);
    tcase_add_test(t, several_members_are_one_text);
    tcase_add_test(t, empty_content_is_no_error);
    tcase_add_test(t, data_that_ends_early_is_an_error_wherever_it_is_cut);
    tcase_add_test(t, damaged_data_is_an_error);
    tcase_add_test(t, known_formats_that_are_not_read_are_named);
    tcase_add_test(t, the_hash_is_of_the_bytes_as_read);
    tcase_add_test(t, a_missing_file_and_a_directory_are_errors);
    tcase_add_test(t, long_input_is_the_same_with_threads);
    tcase_add_test(t, an_error_far_behind_tells_its_place);
    tcase_add_test(t, it_may_be_closed_at_any_time);
    tcase_add_test(t, a_pipe_that_gives_no_more_can_be_closed);
    tcase_add_test(t, a_zstd_window_over_the_limit_is_named);
    tcase_add_test(t, a_zip_archive_of_one_file_is_that_file);
    tcase_add_test(t, a_stored_member_with_its_length_behind_it_needs_a_file);
    tcase_add_test(t, members_are_texts_of_their_own);
    tcase_add_test(t, what_is_no_archive_has_one_text);
    tcase_add_test(t, several_files_are_an_error_for_who_wants_one);
    tcase_add_test(t, an_archive_without_a_file_is_an_error);
    tcase_add_test(t, members_that_cannot_be_read_are_named);
    tcase_add_test(t, members_that_are_passed_over_may_be_encrypted);
    tcase_add_test(t, a_zip_archive_that_is_cut_is_an_error_wherever_it_is_cut);
    tcase_add_test(t, no_flipped_bit_of_a_zip_archive_changes_a_text);
    tcase_add_test(t, a_directory_that_lists_other_members_is_an_error);
    tcase_add_test(t, utf_16_comes_as_utf_8);
    tcase_add_test(t, utf_16_with_half_a_pair_is_an_error_with_its_place);
    tcase_add_test(t, gzip_heads_of_any_kind_are_read_wherever_they_are_cut);
    tcase_add_test(t, both_ways_of_inflating_agree);
    tcase_set_timeout(t, 60);
    suite_add_tcase(s, t);
    rc = unit_run(s);
    unlink(path);
    return rc;
}
