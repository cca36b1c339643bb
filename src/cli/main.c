/* main: picks the command, prints what it failed with, and makes sure that results really arrived.
 * The only exit of the program. Everything that can be tested stands in cmd.c and the commands. */
#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "gputab/base/nearest.h"
#include "gputab/cli/cmd.h"
#include "gputab/cli/interrupt.h"
#include "gputab/cli/message.h"
#include "gputab_version.h"

enum { LARGE_PAGE = 2 << 20, LARGEST_IN_HEAP = 32 << 20, HEAP_STEP = 64 << 20 };

/* A closed standard descriptor would be taken by the first file that is opened. It is taken here instead, the wrong way round, so
 * that using it still fails. */
static void hold_standard_descriptors(void)
{
    for (int fd = 0; fd <= 2; fd++)
        if (fcntl(fd, F_GETFD) < 0 && errno == EBADF)
            (void)!open("/dev/null", fd == 0 ? O_WRONLY : O_RDONLY);
}

/* A short write, a full disk or a reader that went away shows at the flush or, on network file systems, at the close. */
static int close_results(struct err *e)
{
    bool failed = ferror(stdout) != 0;

    errno = 0;
    if (fflush(stdout) != 0)
        failed = true;
    if (close(STDOUT_FILENO) != 0)
        failed = true;
    if (!failed)
        return 0;
    return err_set(e, ERR_INTERNAL, "cannot write to standard output: %s", errno ? strerror(errno) : "output error");
}

static void print(struct buf *b)
{
    fwrite(buf_str(b), 1, b->n, stdout);
    buf_free(b);
}

static int show_help(void)
{
    struct buf b = {0};

    cmd_add_help(&b);
    print(&b);
    return 0;
}

static int show_cmd_help(const struct cmd *c)
{
    struct buf b = {0};

    cmd_add_cmd_help(&b, c);
    print(&b);
    return 0;
}

static int show_version(void)
{
    puts("gputab " GPUTAB_VERSION);
    return 0;
}

/* Bare `gputab` is a question, but a script that meant something else must notice: stderr and exit 2. */
static int show_short_help(void)
{
    struct buf b = {0};

    cmd_add_short_help(&b);
    message_write(&b);
    buf_free(&b);
    return ERR_USAGE;
}

static bool is_one_of(const char *word, const char *a, const char *b, const char *c)
{
    return strcmp(word, a) == 0 || strcmp(word, b) == 0 || strcmp(word, c) == 0;
}

/* Mistyped, or an option of a command that stands before it. */
static int refuse_option(const char *option, struct err *e)
{
    struct nearest near = nearest_to(option);

    nearest_try(&near, "--version");
    nearest_try(&near, "--help");
    err_set(e, ERR_USAGE, "unknown option \"%s\"", option);
    if (near.name)
        return err_hint(e, "did you mean \"%s\"?", near.name);
    return err_hint(e, "options follow a command: gputab report %s", option);
}

static int run_named(int argc, char **argv, struct err *e)
{
    const struct cmd *c = cmd_find(argv[1], e);
    int rc;

    if (!c)
        return -1;
    rc = c->run(argc - 2, (const char *const *)argv + 2, e);
    return rc == CMD_HELP ? show_cmd_help(c) : rc;
}

/* help and version have no options to tell of. */
static int help_on(const char *name, struct err *e)
{
    const struct cmd *c;

    if (is_one_of(name, "help", "version", "--help"))
        return show_help();
    c = cmd_find(name, e);
    return c ? show_cmd_help(c) : -1;
}

static int run(int argc, char **argv, struct err *e)
{
    if (argc < 2)
        return show_short_help();
    if (is_one_of(argv[1], "--version", "version", "-V"))
        return show_version();
    if (is_one_of(argv[1], "--help", "help", "-h"))
        return argc > 2 ? help_on(argv[2], e) : show_help();
    if (argv[1][0] == '-')
        return refuse_option(argv[1], e);
    return run_named(argc, argv, e);
}

/* What a day of a report leaves free the next day takes again: giving it back to the system in between costs a page fault for every 4 KiB.
 * Only the largest arrays stand apart, which grow without being copied. The heap grows by HEAP_STEP of addresses at a time, not of
 * memory; the first of them are asked for as large pages, which need few faults and little room in the processor's table of pages. */
static void keep_memory(void)
{
    char *taken, *first, *end;

    (void)mallopt(M_MMAP_THRESHOLD, LARGEST_IN_HEAP);
    (void)mallopt(M_TRIM_THRESHOLD, 4 * HEAP_STEP);
    (void)mallopt(M_TOP_PAD, HEAP_STEP);
    taken = first = malloc(LARGE_PAGE);
    end = sbrk(0);
    if (first && first < end && end - first < 2 * HEAP_STEP) {         /* otherwise another allocator is at work */
        first += -(uintptr_t)first & (LARGE_PAGE - 1);
        (void)madvise(first, (size_t)(end - first), MADV_HUGEPAGE);
    }
    free(taken);
}

int main(int argc, char **argv)
{
    struct err e = {0};
    int rc;

    keep_memory();
    interrupt_install();
    hold_standard_descriptors();
    rc = run(argc, argv, &e);
    if (close_results(&e) < 0)
        rc = -1;
    if (rc < 0)
        err_set(&e, ERR_INTERNAL, "it failed without saying why");   /* only where nothing is set: a fault of the program */
    if (e.code != ERR_NONE)
        message_error(&e);
    return rc < 0 ? (int)e.code : rc;
}
