/* fuzz_file: bytes as a file without a name in any folder, for readers that open a path. */
#ifndef GPUTAB_TESTS_FUZZ_FILE_H
#define GPUTAB_TESTS_FUZZ_FILE_H

#include <sys/mman.h>
#include <unistd.h>

#include "fuzz.h"

struct fuzz_file {
    int fd;
    char path[32];
};

static inline struct fuzz_file fuzz_file_open(struct span bytes)
{
    struct fuzz_file f = { .fd = memfd_create("fuzz", MFD_CLOEXEC) };

    FUZZ_CHECK(f.fd >= 0);
    for (size_t at = 0; at < bytes.n;) {
        ssize_t n = write(f.fd, bytes.p + at, bytes.n - at);

        FUZZ_CHECK(n > 0);
        at += (size_t)n;
    }
    snprintf(f.path, sizeof f.path, "/proc/self/fd/%d", f.fd);
    return f;
}

static inline void fuzz_file_close(struct fuzz_file *f)
{
    close(f->fd);
}

#endif
