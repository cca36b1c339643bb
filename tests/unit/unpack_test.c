/* unpack: the same bytes from plain, gzip and zstd files; damaged and cut files are errors that tell where. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include "gputab/base/buf.h"
#include "gputab/base/xalloc.h"
#include "gputab/codec/unpack.h"
#include "unit.h"

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
    size_t room = n + 1024;

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

/* Reads the whole file in pieces. 0 or -1. */
static int read_file(struct buf *out, size_t piece, char *hex, struct err *e)
{
    struct unpack *u;
    int got;

    if (unpack_open(&u, path, hex ? UNPACK_SHA256 : 0, e) < 0)
        return -1;
    do {
        buf_reserve(out, piece);
        got = unpack_read(u, out->p + out->n, piece, e);
        out->n += got > 0 ? (size_t)got : 0;
    } while (got > 0);
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
    expect_error("PK\3\4xxxxxxxx", 12, "a zip archive");
    expect_error("PAR1xxxxxxxx", 12, "a Parquet file");
    expect_error("\xff\xfe" "a\0b\0", 6, "UTF-16 text");
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

START_TEST(first_bytes_may_be_looked_at)
{
    static const size_t sizes[] = {0, 5, 64, 65, 1000};

    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (int packed = 0; packed < 2; packed++) {
            struct buf plain = {0}, file = {0}, got = {0};
            struct unpack *u;
            struct err e = {0};
            char first[64];

            buf_fill(&plain, 'x', sizes[i]);
            if (packed)
                add_gzip(&file, buf_str(&plain), plain.n);
            else
                buf_add_span(&file, buf_span(&plain));
            write_file(buf_str(&file), file.n);
            ck_assert_int_eq(unpack_open(&u, path, 0, &e), 0);
            ck_assert_int_eq(unpack_peek(u, first, 10, &e), sizes[i] < 10 ? (int)sizes[i] : 10);
            ck_assert_int_eq(unpack_peek(u, first, 64, &e), sizes[i] < 64 ? (int)sizes[i] : 64);
            for (int n = 1; n > 0;) {
                n = unpack_read(u, first, 7, &e);
                buf_add(&got, first, n > 0 ? (size_t)n : 0);
            }
            ck_assert_str_eq(buf_str(&got), buf_str(&plain));
            unpack_close(u);
            buf_free(&plain);
            buf_free(&file);
            buf_free(&got);
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
    tcase_add_test(t, first_bytes_may_be_looked_at);
    tcase_add_test(t, several_members_are_one_text);
    tcase_add_test(t, empty_content_is_no_error);
    tcase_add_test(t, data_that_ends_early_is_an_error_wherever_it_is_cut);
    tcase_add_test(t, damaged_data_is_an_error);
    tcase_add_test(t, known_formats_that_are_not_read_are_named);
    tcase_add_test(t, the_hash_is_of_the_bytes_as_read);
    tcase_add_test(t, a_missing_file_and_a_directory_are_errors);
    suite_add_tcase(s, t);
    rc = unit_run(s);
    unlink(path);
    return rc;
}
