// SPDX-License-Identifier: Apache-2.0
/*
 * soak - sends many frames through npu-run on the emulator, which makes some
 * frames fail, and accounts for every frame.
 *
 *	soak [-rs] [-j JOBS] [-m KIB] [-n FRAMES] [-R FRAMES] [-T MS] MODEL LOG
 *
 * MODEL takes 1024 bytes and gives each byte XORed with 0x55.  NPU_EMU_FAULT
 * and NPU_EMU_SEED in the environment define the faults.  LOG is a new file for
 * the emulator's log.
 *
 * Required: each frame has the right result or is reported on stderr, in order,
 * and is reported only if it was made to fail; a frame without a device ends
 * the run.  No job, graph or context is left.  After the first tenth of the
 * frames, the process does not get more descriptors or threads, or more than
 * KIB more memory.  Prints one line of counts, in which "exception 3/4" means
 * that three frames were reported for this fault, and four frames met it.  The
 * status is 1 if anything is wrong, with a line for each.
 *
 * -R: uses queuepipe instead of npu-run, which closes and opens the model after
 * FRAMES frames; in the last quarter of the frames, its resources must not be
 * more than in the first.  -r: with --reuse-job; -s: without -k, so the first
 * failure ends the run.
 */
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "soaking/account.h"
#include "soaking/figures.h"

enum { PATIENCE_MS = 120000 };	/* longest time without output */

static struct account account = { .program = "npu-run", .frames = 100000,
    .opened = 1, .jobs = 4, .timeout_ms = 10000 };
static const char *restart;	/* frames before the model is reopened */
/* npu-run, and our ends of its pipes; -1 when closed. */
static pid_t child;
static int in = -1, out = -1, err = -1;
static uint64_t fed;		/* frames; the last may be incomplete */
static uint8_t feed[FRAME], result[FRAME];
static size_t feed_left, have;	/* bytes left in feed, bytes in result */
static char words[4096];	/* the current line of stderr */
static size_t n_words;

static struct watch watch = { .growth_kib = -1 };

static _Noreturn void
give_up(const char *what)
{
	fprintf(stderr, "soak: %s\n", what);
	if (child > 0)
		kill(child, SIGKILL);
	exit(1);
}

/* ---- The resources of npu-run ------------------------------------------- */

static uint64_t
answered(void)
{
	return account.last_right > account.last_reported ? account.last_right :
	    account.last_reported;
}

/* Holds the last frame back until all earlier frames are answered: npu-run can
 * be inspected until then. */
static bool
holding_back(void)
{
	return fed + 1 == account.frames && answered() < fed;
}

static void
look_sometimes(void)
{
	if (in >= 0)
		watch_look(&watch, &account, child, answered());
}

/* ---- The pipes of npu-run ----------------------------------------------- */

static void
close_end(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

static void
write_frames(void)
{
	ssize_t n;

	for (;;) {
		if (feed_left == 0 && fed == account.frames)
			break;
		if (feed_left == 0 && holding_back())
			return;
		if (feed_left == 0) {
			make_frame(++fed, feed);
			feed_left = FRAME;
		}
		n = write(in, feed + FRAME - feed_left, feed_left);
		if (n < 0)
			return;		/* full; poll() shows a closed pipe */
		feed_left -= (size_t)n;
	}
	close_end(&in);
}

static void
read_results(void)
{
	static uint8_t p[64 * FRAME];
	ssize_t n = read(out, p, sizeof(p));

	if (n <= 0)
		close_end(&out);
	for (ssize_t i = 0; i < n; i++) {
		result[have++] = p[i];
		if (have < FRAME)
			continue;
		account_result(&account, result);
		have = 0;
	}
}

static void
read_words(void)
{
	char p[4096];
	ssize_t n = read(err, p, sizeof(p));

	if (n <= 0)
		close_end(&err);
	for (ssize_t i = 0; i < n; i++) {
		if (p[i] != '\n' && n_words < sizeof(words) - 1) {
			words[n_words++] = p[i];
			continue;
		}
		words[n_words] = '\0';
		account_line(&account, words);
		n_words = 0;
	}
}

static void
pump(void)
{
	while (out >= 0 || err >= 0) {
		struct pollfd p[] = {
			{ in, 0, 0 }, { out, POLLIN, 0 },
			{ err, POLLIN, 0 },
		};

		if (feed_left > 0 || !holding_back())
			p[0].events = POLLOUT;
		if (poll(p, 3, PATIENCE_MS) <= 0)
			give_up("npu-run does not respond");
		if ((p[0].revents & POLLERR) != 0)
			close_end(&in);
		else if (p[0].revents != 0)
			write_frames();
		if (p[1].revents != 0)
			read_results();
		if (p[2].revents != 0)
			read_words();
		look_sometimes();
	}
	close_end(&in);
	if (have != 0 || n_words != 0)
		complain(&account, "it ended within a frame or a line");
}

/* ---- The run ------------------------------------------------------------ */

static int
say_options(const char **argv, char *jobs, char *timeout)
{
	int n = 0;

	argv[n++] = account.program;
	sprintf(jobs, "-j%u", account.jobs);
	argv[n++] = jobs;
	sprintf(timeout, "-T%g%s", account.timeout_ms,
	    restart == NULL ? "ms" : "");
	argv[n++] = timeout;
	if (restart != NULL) {
		argv[n++] = "-R";
		argv[n++] = restart;
		return n;
	}
	argv[n++] = "-qr";
	argv[n++] = "-demu";
	if (account.reuse)
		argv[n++] = "--reuse-job";
	if (!account.stops)
		argv[n++] = "-k";
	return n;
}

static void
run_child(const char *model, int ends[3][2])
{
	const char *argv[16] = { NULL };
	char jobs[20], timeout[40];

	argv[say_options(argv, jobs, timeout)] = model;
	for (int i = 0; i < 3; i++)
		if (dup2(ends[i][i > 0], i) < 0)
			_exit(127);
	execvp(argv[0], (char *const *)argv);
	_exit(127);
}

static void
start(const char *model)
{
	int ends[3][2];

	for (int i = 0; i < 3; i++)
		if (pipe2(ends[i], O_CLOEXEC) < 0)
			give_up("no pipe");
	if ((child = fork()) < 0)
		give_up("no process");
	if (child == 0)
		run_child(model, ends);
	close(ends[0][0]);
	close(ends[1][1]);
	close(ends[2][1]);
	in = ends[0][1];
	out = ends[1][0];
	err = ends[2][0];
	fcntl(in, F_SETFL, O_NONBLOCK);
}

static void
settle_status(int status)
{
	if (!WIFEXITED(status) ||
	    WEXITSTATUS(status) != account_status(&account))
		complain(&account, "%s ended with wait status 0x%x",
		    account.program, (unsigned)status);
}

static void
print_figures(double seconds)
{
	const struct account *a = &account;
	uint64_t reported = 0;

	printf("%s -j %u%s%s: %" PRIu64 " frames, %" PRIu64 " right",
	    a->program, a->jobs,
	    a->reuse ? " --reuse-job" : "", a->stops ? " without -k" : "",
	    a->frames, a->n_right);
	for (int k = 0; k < KINDS; k++)
		reported += a->n_reported[k];
	printf(", %" PRIu64 " reported", reported);
	for (int k = 0; k < KINDS; k++)
		if (a->n_reported[k] + a->n_met[k] > 0)
			printf(", %s %" PRIu64 "/%" PRIu64, kind_names[k],
			    a->n_reported[k], a->n_met[k]);
	watch_print(&watch);
	if (a->opened > 1)
		printf("; opened %" PRIu64 " times", a->context.made);
	printf("; %" PRIu64 " jobs, %" PRIu64 " left, %" PRIu64
	    " at most; %.1f s; %u wrong\n", a->job.made, a->job.left,
	    a->job.most, seconds, a->problems);
}

static void
options(int argc, char *argv[])
{
	int c;

	while ((c = getopt(argc, argv, "rsj:m:n:R:T:")) != -1) {
		switch (c) {
		case 'r': account.reuse = true; break;
		case 's': account.stops = true; break;
		case 'j': account.jobs = (unsigned)atoi(optarg); break;
		case 'm': watch.growth_kib = atol(optarg); break;
		case 'n': account.frames = (uint64_t)atoll(optarg); break;
		case 'R': restart = optarg; break;
		case 'T': account.timeout_ms = atof(optarg); break;
		default: exit(2);
		}
	}
	if (optind + 2 != argc)
		exit(2);
}

int
main(int argc, char *argv[])
{
	uint64_t begin = clock_ns();
	int status;

	options(argc, argv);
	if (restart != NULL) {
		account.program = "queuepipe";
		account.opened += (account.frames - 1) /
		    strtoull(restart, NULL, 10);
		watch.opens = true;
	}
	account_open(&account);
	signal(SIGPIPE, SIG_IGN);
	setenv("NPU_EMU_LOG", argv[optind + 1], 1);
	start(argv[optind]);
	pump();
	waitpid(child, &status, 0);
	account_settle(&account, argv[optind + 1]);
	settle_status(status);
	if (!account.stops && account.gone == 0)
		watch_settle(&watch, &account);
	print_figures((double)(clock_ns() - begin) / 1e9);
	account_close(&account);
	return account.problems > 0;
}
