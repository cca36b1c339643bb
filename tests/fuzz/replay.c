/* replay: runs a fuzz target over kept inputs, without a fuzzer and with any compiler. Each argument is a file or a folder.
 *
 * Every input has a process of its own, so that one that crashes, hangs or leaks is named and the others are still tried. The last line
 * is "N passed, N failed". */
#include <dirent.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fuzz.h"
#include "gputab/base/file.h"

enum { INPUT_MAX = 16 << 20, SECONDS = 60 };

struct tally {
    int passed, failed;
};

static _Noreturn void run(const char *path)
{
    struct buf b = {0};
    struct err e = {0};
    uint8_t *exact;

    alarm(SECONDS);
    if (file_read(path, INPUT_MAX, &b, &e) < 0) {
        fprintf(stderr, "%s: %s\n", path, e.text);
        _exit(2);
    }
    exact = malloc(b.n ? b.n : 1);                     /* no NUL behind: what reads too far is seen */
    if (!exact)
        _exit(2);
    if (b.n)
        memcpy(exact, b.p, b.n);
    (void)LLVMFuzzerTestOneInput(exact, b.n);
    free(exact);
    buf_free(&b);
    exit(0);
}

static void try_file(const char *path, struct tally *t)
{
    int status = 0;
    pid_t child;

    fflush(NULL);
    child = fork();
    if (child == 0)
        run(path);
    if (child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0) {
        t->passed++;
        return;
    }
    t->failed++;
    if (child > 0 && WIFSIGNALED(status))
        printf("%s: signal %d\n", path, WTERMSIG(status));
    else
        printf("%s: exit %d\n", path, child > 0 ? WEXITSTATUS(status) : -1);
}

static bool is_folder(const char *path)
{
    struct stat st;

    return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

static void try_folder(const char *folder, struct tally *t)
{
    struct dirent **names = NULL;
    int n = scandir(folder, &names, NULL, alphasort);

    for (int i = 0; i < n; i++) {
        if (names[i]->d_name[0] != '.') {
            struct buf path = {0};

            buf_addf(&path, "%s/%s", folder, names[i]->d_name);
            try_file(path.p, t);
            buf_free(&path);
        }
        free(names[i]);
    }
    free(names);
}

int main(int argc, char **argv)
{
    struct tally t = {0};

    for (int i = 1; i < argc; i++)
        is_folder(argv[i]) ? try_folder(argv[i], &t) : try_file(argv[i], &t);
    printf("%d passed, %d failed\n", t.passed, t.failed);
    return t.failed || !t.passed ? EXIT_FAILURE : EXIT_SUCCESS;
}
