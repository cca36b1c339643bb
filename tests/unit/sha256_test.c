/* SHA-256 as FIPS 180-4 has it, however it is cut and whichever instructions compute it; the same aside. */
#include "unit.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "gputab/base/ring.h"
#include "gputab/base/sha256_aside.h"

/* ---- the reference: the standard's text, word by word ---- */

__extension__ typedef unsigned __int128 wide;

/* The first 32 bits of the fractional part of a root of a prime, as the standard makes its constants: found with integers alone. */
static uint32_t root_bits(unsigned prime, int cube)
{
    uint64_t low = 0, high = (uint64_t)1 << 40;

    while (low + 1 < high) {                           /* the largest x with (x / 2^32)^k <= prime */
        uint64_t x = low + (high - low) / 2;
        wide square = (wide)x * x;
        int fits = cube ? square * x <= (wide)prime << 96 : square <= (wide)prime << 64;

        *(fits ? &low : &high) = x;
    }
    return (uint32_t)low;
}

static int is_prime(unsigned n)
{
    for (unsigned d = 2; d * d <= n; d++)
        if (n % d == 0)
            return 0;
    return 1;
}

static uint32_t right(uint32_t x, unsigned n)
{
    return x >> n | x << (32 - n);
}

static void block(uint32_t h[8], const uint32_t k[64], const uint8_t *p)
{
    uint32_t w[64], v[8];

    for (int t = 0; t < 16; t++)
        w[t] = (uint32_t)p[4 * t] << 24 | (uint32_t)p[4 * t + 1] << 16 | (uint32_t)p[4 * t + 2] << 8 | p[4 * t + 3];
    for (int t = 16; t < 64; t++)
        w[t] = w[t - 16] + w[t - 7] + (right(w[t - 15], 7) ^ right(w[t - 15], 18) ^ w[t - 15] >> 3) +
               (right(w[t - 2], 17) ^ right(w[t - 2], 19) ^ w[t - 2] >> 10);
    memcpy(v, h, sizeof v);
    for (int t = 0; t < 64; t++) {
        uint32_t one = v[7] + (right(v[4], 6) ^ right(v[4], 11) ^ right(v[4], 25)) + ((v[4] & v[5]) ^ (~v[4] & v[6])) + k[t] + w[t];
        uint32_t two = (right(v[0], 2) ^ right(v[0], 13) ^ right(v[0], 22)) + ((v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]));

        memmove(v + 1, v, 7 * sizeof *v);
        v[4] += one;
        v[0] = one + two;
    }
    for (int i = 0; i < 8; i++)
        h[i] += v[i];
}

static void reference(const uint8_t *p, size_t n, char hex[SHA256_HEX])
{
    uint32_t h[8], k[64];
    uint8_t last[128] = {0};
    size_t rest = n % 64, padded = rest < 56 ? 64 : 128;
    unsigned found = 0;

    for (unsigned q = 2; found < 64; q++)
        if (is_prime(q)) {
            if (found < 8)
                h[found] = root_bits(q, 0);
            k[found++] = root_bits(q, 1);
        }
    for (size_t i = 0; i + 64 <= n; i += 64)
        block(h, k, p + i);
    memcpy(last, p + n - rest, rest);
    last[rest] = 0x80;
    for (int i = 0; i < 8; i++)
        last[padded - 1 - (size_t)i] = (uint8_t)((uint64_t)n * 8 >> (8 * i));
    for (size_t i = 0; i < padded; i += 64)
        block(h, k, last + i);
    for (int i = 0; i < 8; i++)
        snprintf(hex + 8 * i, 9, "%08x", h[i]);
}

/* ---- */

static uint64_t draw(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return *state >> 33;
}

static uint8_t *some_bytes(size_t n)
{
    uint8_t *p = malloc(n + 1);
    uint64_t state = n;

    for (size_t i = 0; i < n; i++)
        p[i] = (uint8_t)draw(&state);
    return p;
}

/* Examples of the standard's author (NIST), and the empty text. */
START_TEST(known_texts_have_their_known_hashes)
{
    static const struct { const char *text, *hex; } known[] = {
        {"", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
        {"abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
        {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
         "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"},
    };

    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        struct sha256 *h = sha256_new();
        char hex[SHA256_HEX];

        sha256_add(h, known[i].text, strlen(known[i].text));
        sha256_end(h, hex);
        ck_assert_str_eq(hex, known[i].hex);
        reference((const uint8_t *)known[i].text, strlen(known[i].text), hex);
        ck_assert_str_eq(hex, known[i].hex);
    }
}
END_TEST

static bool agree_at_every_length(void)
{
    bool agree = true;
    uint8_t *p = some_bytes(700);
    uint64_t state = 1;

    for (size_t n = 0; n <= 700; n++) {
        struct sha256 *h = sha256_new();
        char hex[SHA256_HEX], want[SHA256_HEX];

        for (size_t at = 0, take; at < n; at += take) {
            take = 1 + draw(&state) % 100;
            take = take < n - at ? take : n - at;
            sha256_add(h, p + at, take);
        }
        sha256_end(h, hex);
        reference(p, n, want);
        agree &= strcmp(hex, want) == 0;
    }
    free(p);
    return agree;
}

START_TEST(it_is_what_the_standard_says_at_every_length_and_cut)
{
    ck_assert(agree_at_every_length());
}
END_TEST

/* libcrypto looks for the instructions of SHA when it starts: a program that may not use them must say the same. */
START_TEST(without_the_instructions_for_it_too)
{
    char self[4096] = {0};
    int status = -1;
    pid_t child;

    ck_assert_int_gt(readlink("/proc/self/exe", self, sizeof self - 1), 0);
    child = fork();
    if (child == 0) {
        setenv("OPENSSL_ia32cap", ":~0x20000000", 1);
        execl(self, self, "plain", (char *)NULL);
        _exit(127);
    }
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_int_eq(status, 0);
}
END_TEST

START_TEST(aside_it_is_the_same_however_much_there_is)
{
    static const size_t lengths[] = {0, 1, 1000, SHA256_ASIDE_INLINE, SHA256_ASIDE_INLINE + 1, SHA256_ASIDE_INLINE + RING_BLOCK,
                                     SHA256_ASIDE_INLINE + RING_BLOCK * (RING_BLOCKS + 2) + 77};
    uint64_t state = 2;

    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        size_t n = lengths[i];
        uint8_t *p = some_bytes(n);
        struct sha256_aside *h = sha256_aside_new();
        char hex[SHA256_HEX], want[SHA256_HEX];

        for (size_t at = 0, take; at < n; at += take) {
            take = 1 + draw(&state) % (draw(&state) % 4 ? 1000 : 600000);
            take = take < n - at ? take : n - at;
            sha256_aside_add(h, p + at, take);
        }
        sha256_aside_end(h, hex);
        reference(p, n, want);
        ck_assert_str_eq(hex, want);
        free(p);
    }
}
END_TEST

START_TEST(aside_it_may_be_given_up_at_any_time)
{
    uint8_t *p = some_bytes(RING_BLOCK);

    for (size_t n = 0; n < 20; n++) {
        struct sha256_aside *h = sha256_aside_new();

        for (size_t i = 0; i < n; i++)
            sha256_aside_add(h, p, RING_BLOCK - i);
        sha256_aside_free(h);
    }
    free(p);
}
END_TEST

int main(int argc, char **argv)
{
    Suite *s;
    TCase *c;

    if (argc > 1 && strcmp(argv[1], "plain") == 0)
        return agree_at_every_length() ? EXIT_SUCCESS : EXIT_FAILURE;
    s = suite_create("sha256");
    c = tcase_create("sha256");
    tcase_add_test(c, known_texts_have_their_known_hashes);
    tcase_add_test(c, it_is_what_the_standard_says_at_every_length_and_cut);
    tcase_add_test(c, without_the_instructions_for_it_too);
    tcase_add_test(c, aside_it_is_the_same_however_much_there_is);
    tcase_add_test(c, aside_it_may_be_given_up_at_any_time);
    tcase_set_timeout(c, 60);
    suite_add_tcase(s, c);
    return unit_run(s);
}
