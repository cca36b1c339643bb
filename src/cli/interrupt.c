/* interrupt: signals that end a run early.
 *
 * A flag that somebody asks now and then would not do: a run waits for a pipe, a disk or a server, and has to end there too. So the handler
 * ends the process itself, which is safe because a run leaves nothing behind but the temporary files of its outputs, and those can be
 * unlinked in a handler. While the set of outputs is changing, and from the first rename on, signals are put off.
 * What a handler needs cannot be passed to it: the four variables here are the program's only ones.
 * An abort takes the same files with it. Not here: cleaning memory (the process ends), and SIGKILL, which nobody can catch. */
#include "gputab/cli/interrupt.h"

#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <unistd.h>

enum { EXIT_BY_SIGNAL = 128 };
#define ERASE "\r\033[K"           /* to the left, and the row is empty */

static const struct file_set *_Atomic guarded;
static atomic_int held;
static atomic_int waiting;         /* the signal that came while held; 0: none */
static atomic_bool line_stands;

/* A handler must not wait for a reader of stderr that reads no more. */
static void say(void)
{
    static const char text[] = ERASE "gputab: interrupted: no file was written\n";
    size_t from = atomic_load(&line_stands) ? 0 : sizeof ERASE - 1;
    struct pollfd p = {.fd = STDERR_FILENO, .events = POLLOUT};

    if (poll(&p, 1, 0) == 1 && p.revents == POLLOUT)
        (void)!write(STDERR_FILENO, text + from, sizeof text - 1 - from);
}

/* Async-signal-safe throughout. */
static void leave(int signal_number)
{
    const struct file_set *s = atomic_load(&guarded);

    if (s)
        file_set_unlink_temps(s);
    say();
    _exit(EXIT_BY_SIGNAL + signal_number);
}

static void on_signal(int signal_number)
{
    if (atomic_load(&held))
        atomic_store(&waiting, signal_number);
    else
        leave(signal_number);
}

/* For want of memory (xalloc) or by a fault of the program: abort goes on when this returns. Nobody is in the middle of anything else. */
static void on_abort(int signal_number)
{
    const struct file_set *s = atomic_load(&guarded);

    (void)signal_number;
    if (s)
        file_set_unlink_temps(s);
}

static void install_one(int signal_number)
{
    struct sigaction now, handler = {.sa_handler = on_signal, .sa_flags = SA_RESTART};

    if (sigaction(signal_number, NULL, &now) < 0 || now.sa_handler == SIG_IGN)
        return;
    sigfillset(&handler.sa_mask);
    sigaction(signal_number, &handler, NULL);
}

void interrupt_install(void)
{
    static const int ends[] = {SIGINT, SIGTERM, SIGHUP};
    static const int fails[] = {SIGPIPE, SIGXFSZ};           /* the write that caused it fails too, and that is told by its error */
    struct sigaction ignore = {.sa_handler = SIG_IGN}, aborts = {.sa_handler = on_abort};

    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        install_one(ends[i]);
    for (size_t i = 0; i < sizeof fails / sizeof *fails; i++)
        sigaction(fails[i], &ignore, NULL);
    sigaction(SIGABRT, &aborts, NULL);
}

void interrupt_guard(const struct file_set *s)
{
    atomic_store(&guarded, s);
}

void interrupt_line(bool stands)
{
    atomic_store(&line_stands, stands);
}

void interrupt_hold(void)
{
    atomic_store(&held, 1);
}

void interrupt_let(void)
{
    int signal_number;

    atomic_store(&held, 0);
    signal_number = atomic_load(&waiting);
    if (signal_number)
        leave(signal_number);
}
