/* alloc: what happens when memory runs out, at each allocation of each way of input.
 *
 * A path is run once to count its allocations and to know the right result; then in a process of its own for every one of them that
 * fails, alone or with all behind it. Allowed are the right result (a library may do without), an error that speaks of memory, and the
 * one line with which xalloc ends the program. Not allowed: a crash, another result, an input blamed for it, a leak, or files half
 * written or left over.
 * Long paths are sampled evenly; the output says of how many allocations how many were tried. */
#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <yaml.h>

#include "fail.h"
#include "gputab/base/file.h"
#include "paths.h"

enum { POINTS_MAX = 4000, SECONDS = 60 };
enum { RIGHT = 0, MEMORY = 10, OTHER_RESULT, OTHER_ERROR, NO_ERROR, LEAK };

static const char abort_line[] = "gputab: out of memory\n";

struct result {
    struct buf text;
    struct err err;
    int rc;
    long allocations;
};

static struct result run(const struct path *p, long nth, bool all)
{
    struct result r = {0};

    fail_at(nth, all);
    r.rc = p->run(p->argument, &r.text, &r.err);
    r.allocations = fail_seen();
    fail_at(0, false);
    return r;
}

static bool same_error(const struct err *a, const struct err *b)
{
    return a->code == b->code && a->line == b->line && strcmp(a->text, b->text) == 0;
}

static int judge(const struct result *r, const struct result *want)
{
    if (r->rc < 0 && r->err.code == ERR_NONE)
        return NO_ERROR;
    if (r->rc < 0 && r->err.code == ERR_INTERNAL && strstr(r->err.text, "memory"))
        return MEMORY;
    if (r->rc < 0)
        return want->rc < 0 && same_error(&r->err, &want->err) ? RIGHT : OTHER_ERROR;
    if (want->rc < 0 || r->text.n != want->text.n || memcmp(buf_str(&r->text), buf_str(&want->text), r->text.n) != 0)
        return OTHER_RESULT;
    return RIGHT;
}

static _Noreturn void child(const struct path *p, long nth, bool all, const struct result *want, int to)
{
    long live = fail_live();
    struct result r;
    int verdict;

    alarm(SECONDS);
    dup2(to, STDERR_FILENO);
    r = run(p, nth, all);
    verdict = judge(&r, want);
    if (verdict == OTHER_ERROR)
        fprintf(stderr, "%s:%lld: %s\n", r.err.file, (long long)r.err.line, r.err.text);
    buf_free(&r.text);
    if (verdict <= MEMORY && fail_live() > live) {
        fprintf(stderr, "%ld blocks\n", fail_live() - live);
        verdict = LEAK;
    }
    _exit(verdict);
}

/* ---- the files of a report ---- */

struct outputs {
    struct buf names, text;
};

/* What is in a folder; it is empty afterwards. */
static struct outputs look(const char *folder)
{
    struct outputs o = {0};
    struct dirent **names = NULL;
    struct err e = {0};
    int n = scandir(folder, &names, NULL, alphasort);

    for (int i = 0; i < n; i++) {
        struct buf path = {0};

        buf_addf(&path, "%s/%s", folder, names[i]->d_name);
        if (strcmp(names[i]->d_name, ".") != 0 && strcmp(names[i]->d_name, "..") != 0) {
            buf_addf(&o.names, "%s ", names[i]->d_name);
            if (file_read(path.p, 1 << 24, &o.text, &e) < 0)
                buf_adds(&o.text, "(cannot be read)");
            unlink(path.p);
        }
        buf_free(&path);
        free(names[i]);
    }
    free(names);
    return o;
}

static void forget(struct outputs *o)
{
    buf_free(&o->names);
    buf_free(&o->text);
}

static struct outputs look_at_results(void)
{
    struct buf folder = {0};
    struct outputs o;

    buf_addf(&folder, "%s/out", alloc_folder);
    o = look(folder.p);
    buf_free(&folder);
    return o;
}

/* All of the files or none. */
static bool right_outputs(const struct outputs *want, bool success)
{
    struct outputs o = look_at_results();
    bool all = o.text.n == want->text.n && strcmp(buf_str(&o.names), buf_str(&want->names)) == 0
               && memcmp(buf_str(&o.text), buf_str(&want->text), o.text.n) == 0;
    bool right = success ? all : o.names.n == 0 || all;

    if (!right)
        printf("files afterwards: %s\n", buf_str(&o.names));
    forget(&o);
    return right;
}

/* ---- one point ---- */

static bool right_end(int status, const char *said)
{
    if (WIFEXITED(status))
        return WEXITSTATUS(status) == RIGHT || WEXITSTATUS(status) == MEMORY;
    return WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT && strcmp(said, abort_line) == 0;
}

static void tell(const struct path *p, long nth, bool all, int status, const char *said)
{
    static const char *const verdicts[] = { "wrong result", "another error", "failure without an error", "leak" };

    printf("%s: allocation %ld%s: ", p->name, nth, all ? " and all behind it" : "");
    if (WIFSIGNALED(status))
        printf("signal %d", WTERMSIG(status));
    else if (WEXITSTATUS(status) >= OTHER_RESULT && WEXITSTATUS(status) <= LEAK)
        printf("%s", verdicts[WEXITSTATUS(status) - OTHER_RESULT]);
    else
        printf("exit %d", WEXITSTATUS(status));
    printf(": %s%s", said, said[0] && said[strlen(said) - 1] == '\n' ? "" : "\n");
}

static bool try_point(const struct path *p, long nth, bool all, const struct result *want, const struct outputs *files)
{
    char said[2048] = "";
    size_t n = 0;
    ssize_t got;
    int ends[2], status = -1;
    pid_t pid;
    bool right;

    fflush(NULL);
    if (pipe(ends) < 0 || (pid = fork()) < 0)
        return false;
    if (pid == 0)
        child(p, nth, all, want, ends[1]);
    close(ends[1]);
    while (n < sizeof said - 1 && (got = read(ends[0], said + n, sizeof said - 1 - n)) > 0)
        n += (size_t)got;
    close(ends[0]);
    waitpid(pid, &status, 0);
    right = right_end(status, said);
    if (!right)
        tell(p, nth, all, status, said);
    return right_outputs(files, WIFEXITED(status) && WEXITSTATUS(status) == RIGHT && want->rc >= 0) && right;
}

static bool try_path(const struct path *p, bool all)
{
    struct result first = run(p, 0, false), want = run(p, 0, false);       /* the first makes what is made once */
    struct outputs files = look_at_results();
    long step = 1 + want.allocations / POINTS_MAX, tried = 0, wrong = 0;

    for (long nth = 1; nth <= want.allocations; nth += nth < 100 ? 1 : step) {
        tried++;
        wrong += !try_point(p, nth, all, &want, &files);
    }
    printf("%s, %s: %ld of %ld allocations failed, %ld wrong ends\n", p->name, all ? "one and all behind it" : "one", tried,
           want.allocations, wrong);
    buf_free(&first.text);
    buf_free(&want.text);
    forget(&files);
    return tried > 0 && wrong == 0;
}

/* Whether libraries are linked as archives, so that they fail too. */
static bool libraries_fail(void)
{
    yaml_parser_t p;
    bool works;

    fail_at(1, true);
    works = yaml_parser_initialize(&p);
    fail_at(0, false);
    if (works)
        yaml_parser_delete(&p);
    return !works;
}

/* From the top folder of the sources; an argument chooses a path by name. */
int main(int argc, char **argv)
{
    char folder[] = "/tmp/gputab-alloc-XXXXXX", out[sizeof folder + 4];
    struct outputs rest;
    int passed = 0, failed = 0;

    alloc_folder = mkdtemp(folder);
    snprintf(out, sizeof out, "%s/out", folder);
    if (!alloc_folder || mkdir(out, 0777) < 0)
        return EXIT_FAILURE;
    for (const struct path *p = alloc_paths; p->name; p++)
        for (int all = 0; all < 2; all++) {
            if (argc > 1 && strcmp(argv[1], p->name) != 0)
                continue;
            try_path(p, all) ? passed++ : failed++;
        }
    rmdir(out);
    rest = look(folder);
    forget(&rest);
    rmdir(folder);
    if (!libraries_fail())
        printf("note: only our own allocations failed: libyaml, jansson, zlib and libzstd are not linked as archives\n");
    printf("%d passed, %d failed\n", passed, failed);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
