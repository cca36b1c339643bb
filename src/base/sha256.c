/* sha256: the hashes of inputs and runs, by libcrypto's EVP interface.
 *
 * The digest cannot fail on any input. If libcrypto has no SHA-256 at all, the installation is broken in a way that no caller
 * could handle, and the process ends. */
#include "gputab/base/sha256.h"

#include <openssl/evp.h>
#include <stdlib.h>

#include "gputab/base/xalloc.h"

struct sha256 {
    EVP_MD_CTX *md;
};

static void must(int ok)
{
    if (!ok)
        abort();
}

struct sha256 *sha256_new(void)
{
    struct sha256 *h = xmalloc(sizeof *h);

    h->md = EVP_MD_CTX_new();
    must(h->md && EVP_DigestInit_ex(h->md, EVP_sha256(), NULL) == 1);
    return h;
}

void sha256_add(struct sha256 *h, const void *p, size_t n)
{
    if (n)
        must(EVP_DigestUpdate(h->md, p, n) == 1);
}

void sha256_end(struct sha256 *h, char hex[SHA256_HEX])
{
    static const char digits[] = "0123456789abcdef";
    unsigned char md[EVP_MAX_MD_SIZE];
    unsigned int n = 0;

    must(EVP_DigestFinal_ex(h->md, md, &n) == 1 && 2 * n + 1 == SHA256_HEX);
    for (unsigned int i = 0; i < n; i++) {
        hex[2 * i] = digits[md[i] >> 4];
        hex[2 * i + 1] = digits[md[i] & 15];
    }
    hex[2 * n] = '\0';
    sha256_free(h);
}

void sha256_free(struct sha256 *h)
{
    if (!h)
        return;
    EVP_MD_CTX_free(h->md);
    free(h);
}
