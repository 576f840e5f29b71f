// SPDX-License-Identifier: Apache-2.0
/* child_process.c - runs code that may crash in a separate process. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/err.h"
#include "child_process.h"
#include "device.h"

enum {
	ASK_MS = 10000,
	END_MS = 2000,		/* for a killed process to end */
};

/* Ends the process if the pipe is broken: the parent no longer waits. */
static void
write_answer(int out, const char *p, size_t n)
{
	ssize_t w = 0;

	for (; n > 0; p += w, n -= (size_t)w) {
		while ((w = write(out, p, n)) < 0 && errno == EINTR)
			;
		if (w <= 0)
			_exit(EXIT_FAILED);
	}
}

/* The library may print to the child's copies of our standard streams. */
_Noreturn static void
run_child(void (*ask)(void *answer), void *answer, size_t n, bool keep,
    int kept, int out)
{
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	cmd_forget_temporaries();
	dup2(null, STDIN_FILENO);
	if (keep) {
		dup2(kept >= 0 ? kept : null, STDOUT_FILENO);
		dup2(kept >= 0 ? kept : null, STDERR_FILENO);
	}
	ask(answer);
	fflush(stdout);
	write_answer(out, answer, n);
	/* Not exit(): the vendor's library aborts there (noe-abi 1.8). */
	_exit(EXIT_DONE);
}

/* Returns the bytes read before the end of the pipe, or -1 after ms
 * milliseconds. */
static ssize_t
read_answer(int in, char *p, size_t size, int ms)
{
	struct pollfd f = { .fd = in, .events = POLLIN };
	uint64_t until = clock_ns() + (uint64_t)ms * 1000000, now;
	size_t n = 0;
	ssize_t r = 1;

	while (r != 0 && n < size) {
		now = clock_ns();
		if (now >= until)
			return -1;
		if (poll(&f, 1, (int)((until - now) / 1000000) + 1) <= 0)
			continue;
		/* Data or the end is available, and a signal does not interrupt
		 * this. */
		r = read(in, p + n, size - n);
		if (r < 0)
			break;
		n += (size_t)r;
	}
	return (ssize_t)n;
}

/* Waits for the child.  Returns false if it was killed and does not end: it
 * hangs in the kernel, where no signal ends it. */
static bool
wait_child(pid_t pid, bool killed, int *status)
{
	static const struct timespec step = { .tv_nsec = 1000000 };
	uint64_t until = clock_ns() + (uint64_t)END_MS * 1000000;
	pid_t r;

	for (;;) {
		r = waitpid(pid, status, killed ? WNOHANG : 0);
		if (r > 0 || (r < 0 && errno != EINTR))
			return true;
		if (r == 0 && clock_ns() >= until)
			return false;
		if (r == 0)
			nanosleep(&step, NULL);
	}
}

/* Explains why the answer is missing. */
static int
explain(ssize_t got, int status, bool ended, int ms, struct npu_err *err)
{
	if (got < 0)
		return npu_fail_detail(err, NPU_ENODEV, ETIMEDOUT,
		    "the library did not answer within %d s%s", ms / 1000,
		    ended ? "" : " and hangs in the kernel");
	if (WIFSIGNALED(status))
		return npu_fail(err, NPU_ENODEV, "the library crashed (%s)",
		    strsignal(WTERMSIG(status)));
	return npu_fail(err, NPU_ENODEV, "the library ended the process "
	    "(status %d)", WEXITSTATUS(status));
}

/* ---- What it prints ---------------------------------------------------- */

enum { KEPT = 16384 };		/* bytes, from the end */

/* Finds the last line, or the emulator's last line, which explains why it
 * refuses. */
static void
choose_line(char *text, struct last_line *chosen)
{
	static const char emulator[] = "libnoe-emu: ";
	bool own = false, is_own;
	char *line, *rest;

	for (line = strtok_r(text, "\n", &rest); line != NULL;
	    line = strtok_r(NULL, "\n", &rest)) {
		is_own = strncmp(line, emulator, sizeof(emulator) - 1) == 0;
		if (own && !is_own)
			continue;
		own = is_own;
		snprintf(chosen->text, sizeof(chosen->text), "%.255s",
		    is_own ? line + sizeof(emulator) - 1 : line);
	}
}

/* Without memory, nothing was kept: the answer is valid without the line. */
static void
read_kept(int kept, struct last_line *printed)
{
	off_t size = lseek(kept, 0, SEEK_END);
	char *text = cmd_alloc(KEPT + 1);
	ssize_t n = pread(kept, text, KEPT, size > KEPT ? size - KEPT : 0);

	if (n > 0)
		choose_line(text, printed);
	free(text);
}

/* ---- Running it -------------------------------------------------------- */

int
child_process_run(void (*ask)(void *answer), void *answer, size_t n, int ms,
    struct last_line *printed, struct npu_err *err)
{
	int kept = printed != NULL ? memfd_create("printed", MFD_CLOEXEC) : -1;
	char *received = cmd_alloc(n);
	int ends[2], status = 0, rc = 0;
	ssize_t got;
	pid_t pid;
	bool done, ended;

	fflush(stdout);		/* or the forked process prints it again */
	if (pipe2(ends, O_CLOEXEC) < 0 || (pid = fork()) < 0)
		cmd_die("cannot start a process: %s", strerror(errno));
	if (pid == 0)
		run_child(ask, answer, n, printed != NULL, kept, ends[1]);
	close(ends[1]);
	got = read_answer(ends[0], received, n, ms);
	close(ends[0]);
	/* The child has answered or never will. */
	done = got < 0 || (size_t)got == n;
	if (done)
		kill(pid, SIGKILL);
	ended = wait_child(pid, done, &status);
	if (got == (ssize_t)n)
		memcpy(answer, received, n);
	else
		rc = explain(got, status, ended, ms, err);
	if (printed != NULL)
		printed->text[0] = '\0';
	if (kept >= 0) {
		read_kept(kept, printed);
		close(kept);
	}
	free(received);
	return rc;
}

bool
child_process_hung(const struct npu_err *err)
{
	return err->code == NPU_ENODEV && err->detail == ETIMEDOUT;
}

/* ---- The library ------------------------------------------------------- */

static void
ask_library(void *answer)
{
	struct info_library *l = answer;

	l->found = health_inspect_library(&cmd_device, &l->what) == 0;
	if (device_info_read(&cmd_device, &l->device, &l->err) == 0)
		l->err.code = 0;
}

void
info_ask_library(struct info_library *l, struct last_line *printed)
{
	struct npu_err err;

	memset(l, 0, sizeof(*l));
	if (child_process_run(ask_library, l, sizeof(*l), ASK_MS, printed,
	    &err) < 0)
		l->err = err;
}
