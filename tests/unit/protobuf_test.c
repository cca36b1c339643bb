/* protobuf_test: messages written by hand, field by field; everything that is no message; the writers. */
#include <stdlib.h>
#include <string.h>

#include "gputab/base/buf.h"
#include "gputab/codec/protobuf.h"
#include "gputab/codec/varint.h"
#include "unit.h"

/* "1:150 2=text 5:7f" and, where it breaks, "!". Numbers are hexadecimal, with the wire type where it is a fixed one. */
static void tell(const char *p, size_t n, struct buf *out)
{
    char *exact = malloc(n ? n : 1);                    /* so that reading beyond it shows */
    struct protobuf m;
    struct protobuf_field f;
    int rc;

    memcpy(exact, p, n);
    m = protobuf_of((struct span){ exact, n });
    while ((rc = protobuf_next(&m, &f)) > 0) {
        buf_addf(out, "%s%u", out->n ? " " : "", f.number);
        if (f.wire == PROTOBUF_BYTES)
            buf_addf(out, "=%.*s", (int)f.bytes.n, f.bytes.p);
        else
            buf_addf(out, "%s%llx", f.wire == PROTOBUF_FIXED32 ? ":4:" : f.wire == PROTOBUF_FIXED64 ? ":8:" : ":",
                     (unsigned long long)f.value);
    }
    if (rc < 0)
        buf_adds(out, "!");
    free(exact);
}

static void check(const char *p, size_t n, const char *wanted)
{
    struct buf out = { 0 };

    tell(p, n, &out);
    ck_assert_str_eq(buf_str(&out), wanted);
    buf_free(&out);
}
#define CHECK(bytes, wanted) check(bytes, sizeof bytes - 1, wanted)

/* A key is number << 3 | wire type. */
START_TEST(fields_come_in_their_order)
{
    CHECK("", "");
    CHECK("\x08\x96\x01", "1:96");                                     /* 0x96 = 1 * 128 + 22 = 150 */
    CHECK("\x12\x04text\x0a\x00", "2=text 1=");
    CHECK("\x0d\x78\x56\x34\x12", "1:4:12345678");
    CHECK("\x09\xef\xcd\xab\x89\x67\x45\x23\x81", "1:8:8123456789abcdef");
    CHECK("\x08\x01\x08\x02\x08\x01", "1:1 1:2 1:1");
    CHECK("\xf8\xff\xff\xff\x0f\x00", "536870911:0");                  /* 2^29 - 1 */
    CHECK("\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", "1:ffffffffffffffff");
    CHECK("\x08\x81\x80\x00", "1:1");                                  /* longer than need be */
}
END_TEST

START_TEST(what_is_no_message_breaks_where_it_breaks)
{
    CHECK("\x08", "!");                                                /* a key alone */
    CHECK("\x88", "!");
    CHECK("\x08\x01\x08\x80", "1:1!");                                 /* a varint that does not end */
    CHECK("\x0a\x05text", "!");                                        /* four bytes of five */
    CHECK("\x0a\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", "!");        /* 2^64 - 1 bytes */
    CHECK("\x0d\x01\x02\x03", "!");
    CHECK("\x09\x01\x02\x03\x04\x05\x06\x07", "!");
    CHECK("\x0b", "!");                                                /* groups, and wire types that are none */
    CHECK("\x0c", "!");
    CHECK("\x0e", "!");
    CHECK("\x0f", "!");
    CHECK("\x00\x01", "!");                                            /* number 0 */
    CHECK("\x80\x80\x80\x80\x10\x00", "!");                            /* number 2^29 */
    CHECK("\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02", "!");        /* 2^64 and more */
    CHECK("\x08\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x00", "!");    /* eleven bytes */
}
END_TEST

START_TEST(what_is_written_is_what_is_meant)
{
    static const char wanted[] = "\x08\x00\x12\x02hi\x98\x01\xac\x02\x20\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01\x2a\x00";
    struct buf b = { 0 };

    protobuf_add_varint(&b, 1, 0);
    protobuf_add_bytes(&b, 2, span_of("hi"));
    protobuf_add_varint(&b, 19, 300);                                  /* key 19 << 3 = 152 = 1 * 128 + 24; 300 = 2 * 128 + 44 */
    protobuf_add_varint(&b, 4, (uint64_t)INT64_C(-1));
    protobuf_add_bytes(&b, 5, (struct span){ NULL, 0 });
    ck_assert_uint_eq(b.n, sizeof wanted - 1);
    ck_assert_int_eq(memcmp(b.p, wanted, b.n), 0);
    buf_free(&b);
}
END_TEST

START_TEST(varints_at_their_borders_come_back)
{
    for (unsigned shift = 0; shift < 64; shift++)
        for (int near = -1; near <= 1; near++) {
            uint64_t v = (UINT64_C(1) << shift) + (uint64_t)near, back = ~v;
            struct buf b = { 0 };
            const unsigned char *p;
            size_t bytes = 1;

            for (uint64_t rest = v >> 7; rest; rest >>= 7)
                bytes++;
            varint_add(&b, v);
            ck_assert_uint_eq(b.n, bytes);
            p = (const unsigned char *)b.p;
            for (size_t n = 0; n < b.n; n++)
                ck_assert_int_eq(varint_read(&p, p + n, &back), 0);
            ck_assert_int_eq(varint_read(&p, p + b.n, &back), 1);
            ck_assert(p == (const unsigned char *)b.p + b.n);
            ck_assert_uint_eq(back, v);
            buf_free(&b);
        }
}
END_TEST

/* Any bytes, with any number of others behind them: what the bytes say one by one. */
START_TEST(varints_read_at_once_are_those_read_byte_by_byte)
{
    uint64_t state = 1;

    for (int i = 0; i < 20000; i++) {
        unsigned char bytes[20];
        const unsigned char *once = bytes, *slowly = bytes;
        uint64_t a = 0, b = 0;
        size_t n;
        int rc;

        for (size_t k = 0; k < sizeof bytes; k++) {
            state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
            bytes[k] = (unsigned char)(state >> 40) | (k < (size_t)(i % 12) ? 0x80 : 0);
        }
        n = (size_t)(state >> 33) % (sizeof bytes + 1);
        rc = varint_read(&once, bytes + n, &a);
        ck_assert_int_eq(rc, varint_read_slowly(&slowly, bytes + n, &b));
        ck_assert_ptr_eq(once, slowly);
        ck_assert_uint_eq(a, b);
    }
}
END_TEST

int main(void)
{
    Suite *s = suite_create("protobuf");
    TCase *t = tcase_create("all");

    tcase_add_test(t, fields_come_in_their_order);
    tcase_add_test(t, what_is_no_message_breaks_where_it_breaks);
    tcase_add_test(t, what_is_written_is_what_is_meant);
    tcase_add_test(t, varints_at_their_borders_come_back);
    tcase_add_test(t, varints_read_at_once_are_those_read_byte_by_byte);
    suite_add_tcase(s, t);
    return unit_run(s);
}
