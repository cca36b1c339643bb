/* unpack: how fast a file's text is there for who reads it, with nothing done to it.
 *
 *     unpack FILE [hash]      with "hash" the bytes of the file are hashed too, as a report does it
 *
 * prints JSON: bytes of text, wall seconds, CPU seconds of all threads, peak memory in KiB. Pieces are as large as the CSV reader's. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "gputab/codec/csv.h"
#include "gputab/codec/unpack.h"

static char piece[CSV_BLOCK];

static double now_s(clockid_t clock)
{
    struct timespec t;

    clock_gettime(clock, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static int read_all(const char *path, bool hash, int64_t *bytes, struct err *e)
{
    struct unpack *u;
    char hex[SHA256_HEX];
    int got;

    if (unpack_open(&u, path, hash ? UNPACK_SHA256 : 0, e) < 0)
        return -1;
    while ((got = unpack_read(u, piece, sizeof piece, e)) > 0)
        *bytes += got;
    if (got == 0 && hash)
        unpack_hash(u, hex);
    unpack_close(u);
    return got;
}

int main(int argc, char **argv)
{
    double wall = now_s(CLOCK_MONOTONIC), cpu = now_s(CLOCK_PROCESS_CPUTIME_ID);
    struct rusage usage;
    int64_t bytes = 0;
    struct err e = { 0 };

    if (argc < 2 || read_all(argv[1], argc > 2 && strcmp(argv[2], "hash") == 0, &bytes, &e) < 0) {
        fprintf(stderr, "usage: unpack FILE [hash]\n%s\n", e.text);
        return 2;
    }
    wall = now_s(CLOCK_MONOTONIC) - wall;
    cpu = now_s(CLOCK_PROCESS_CPUTIME_ID) - cpu;
    getrusage(RUSAGE_SELF, &usage);
    printf("{\"bytes\": %lld, \"wall_s\": %.4f, \"cpu_s\": %.4f, \"peak_kib\": %ld}\n", (long long)bytes, wall, cpu, usage.ru_maxrss);
    return 0;
}
