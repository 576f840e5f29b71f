// SPDX-License-Identifier: Apache-2.0
/* during.c - npu-top --during: runs a command, and reports the use of the NPU
 * meanwhile. */
#include <errno.h>
#include <math.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "cmd.h"
#include "signals.h"
#include "top.h"

/* The exit statuses of env(1), nice(1) and others. */
enum { NOT_RUN = 126, NOT_FOUND = 127 };

extern char **environ;

/* ---- The command ------------------------------------------------------- */

/* Ignores the signals of the terminal's keys.  Sets defaults to the signals
 * that only this program ignores; cmd_start() ignores SIGXFSZ. */
static void
ignore_keys(sigset_t *defaults)
{
	static const int keys[] = { SIGINT, SIGQUIT };
	struct sigaction old;

	sigemptyset(defaults);
	sigaddset(defaults, SIGXFSZ);
	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++) {
		sigaction(keys[i], NULL, &old);
		if (old.sa_handler == SIG_IGN)
			continue;
		sigaddset(defaults, keys[i]);
		signal(keys[i], SIG_IGN);
	}
}

/* Blocks the signals that during_run() waits for.  If SIGCHLD stayed ignored,
 * the command would leave no status. */
static void
block(sigset_t *waited, sigset_t *before)
{
	signal(SIGCHLD, SIG_DFL);
	sigemptyset(waited);
	sigaddset(waited, SIGCHLD);
	sigaddset(waited, SIGTERM);
	sigaddset(waited, SIGHUP);
	sigprocmask(SIG_BLOCK, waited, before);
}

static int
failed_start(int error)
{
	switch (error) {
	case ENOENT: return NOT_FOUND;
	case EAGAIN:		/* no process could be made */
	case ENOMEM: return EXIT_FAILED;
	default: return NOT_RUN;
	}
}

static pid_t
start(char *const *command, const sigset_t *mask, const sigset_t *defaults)
{
	posix_spawnattr_t attr;
	pid_t pid = -1;
	int rc;

	rc = posix_spawnattr_init(&attr);
	if (rc == 0) {
		posix_spawnattr_setsigmask(&attr, mask);
		posix_spawnattr_setsigdefault(&attr, defaults);
		posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETSIGMASK |
		    POSIX_SPAWN_SETSIGDEF);
		rc = posix_spawnp(&pid, command[0], NULL, &attr, command,
		    environ);
		posix_spawnattr_destroy(&attr);
	}
	if (rc == 0)
		return pid;
	cmd_warn("%s: %s", cmd_visible_name(command[0]), strerror(rc));
	cmd_exit(failed_start(rc));
}

/* Waits for one of the signals until then.  Returns 0 if none came. */
static int
wait_signal(const sigset_t *waited, uint64_t until)
{
	uint64_t now = clock_ns(), left = until > now ? until - now : 0;
	struct timespec t = { .tv_sec = (time_t)(left / 1000000000),
	    .tv_nsec = (long)(left % 1000000000) };
	int sig;

	/* UINT64_MAX: the device is gone. */
	sig = until == UINT64_MAX ? sigwaitinfo(waited, NULL) :
	    sigtimedwait(waited, NULL, &t);
	return sig > 0 ? sig : 0;
}

int
during_run(struct activity *a, char *const *command)
{
	sigset_t waited, before, defaults;
	int sig, status = 0;
	pid_t pid;

	block(&waited, &before);
	ignore_keys(&defaults);
	pid = start(command, &before, &defaults);
	while (waitpid(pid, &status, WNOHANG) == 0) {
		sig = wait_signal(&waited, activity_next(a));
		if (sig == SIGTERM || sig == SIGHUP)
			kill(pid, sig);
		if (clock_ns() >= activity_next(a))
			activity_sample(a);
	}
	return status;
}

void
during_end_as(int status)
{
	/* The command has left the core file that is of use. */
	prctl(PR_SET_DUMPABLE, 0);
	end_of_signal(WTERMSIG(status));
}

/* ---- The report -------------------------------------------------------- */

/* Returns the number of interrupts; NAN: unknown. */
static double
count_interrupts(const struct activity_reading *r)
{
	return round(r->interrupts * r->seconds);
}

int
during_status(const struct top_output *t)
{
	const struct sampler_counts *c = &t->r->counts;
	double interrupts = count_interrupts(t->r);

	if (c->busy > 0 || c->exceptions > 0 || interrupts > 0)
		return EXIT_DONE;
	return c->samples > 0 || interrupts == 0 ? EXIT_VERDICT :
	    EXIT_NOVERDICT;
}

static void
add_cores(struct buf *b, const struct sampler_counts *c)
{
	for (unsigned i = 0; c->has_cores && i < c->cores; i++)
		buf_printf(b, "%s %.1f %%", i == 0 ? "; cores" : ",",
		    100.0 * c->core[i].busy / c->samples);
}

static void
add_use(struct buf *b, const struct top_output *t)
{
	const struct sampler_counts *c = &t->r->counts;
	double interrupts = count_interrupts(t->r);

	if (c->samples > 0) {
		buf_printf(b, "NPU busy %.1f %% of %.3f s (%.0f to %.0f %%, "
		    "%u sample%s)", 100 * t->busy, t->r->seconds,
		    100 * t->low, 100 * t->high, c->samples,
		    c->samples == 1 ? "" : "s");
		add_cores(b, c);
	} else {
		buf_printf(b, "NPU busy for an unknown part of %.3f s",
		    t->r->seconds);
	}
	if (c->exceptions > 0)
		buf_printf(b, "; in an exception in %u samples",
		    c->exceptions);
	if (interrupts > 0)
		buf_printf(b, "; %.0f interrupt%s", interrupts,
		    interrupts == 1 ? "" : "s");
}

void
during_add_line(struct buf *b, const struct top_output *t,
    const char *command)
{
	size_t begin = b->n;

	buf_printf(b, "%s: ", command);
	switch (during_status(t)) {
	case EXIT_DONE: add_use(b, t); break;
	case EXIT_VERDICT:
		buf_printf(b, "the NPU was never used in %.3f s",
		    t->r->seconds);
		break;
	default:
		buf_printf(b, "the use of the NPU in %.3f s is unknown: %s",
		    t->r->seconds, t->r->here ? "too short for a sample" :
		    t->r->gone.msg);
		break;
	}
	if (b->p != NULL)
		cmd_printable(b->p + begin, b->n - begin);
	buf_puts(b, "\n");
}
