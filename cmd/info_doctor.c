// SPDX-License-Identifier: Apache-2.0
/* info_doctor.c - npu-info --doctor: a line a check. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "device.h"
#include "device/info.h"
#include "info.h"

enum { START_MS = 10000 };

/* ---- The library, in a process of its own ------------------------------ */

/* Starts it, and tells the parent what came of it.  What it prints is not
 * wanted. */
_Noreturn static void
start_library(int out)
{
	int null = open("/dev/null", O_WRONLY | O_CLOEXEC);
	struct npu_device_info d;
	struct npu_err err = { .msg = "" };
	int rc;

	dup2(null, STDOUT_FILENO);
	dup2(null, STDERR_FILENO);
	rc = npu_device_ask(&cmd_device, &d, &err);
	if (rc == 0)
		snprintf(err.msg, sizeof(err.msg), "version %s, target %s",
		    d.library_version, d.target);
	_exit(write(out, err.msg, strlen(err.msg)) < 0 || rc < 0);
}

/* What the child said, until it ended; false: it took too long. */
static bool
listen(int in, char *said, size_t size)
{
	struct pollfd p = { .fd = in, .events = POLLIN };
	size_t n = 0;
	ssize_t r = 1;		/* a signal does not end it */

	while (r > 0 && n < size - 1) {
		int ready = poll(&p, 1, START_MS);

		if (ready == 0)
			return false;
		if (ready < 0)
			continue;
		r = read(in, said + n, size - 1 - n);
		if (r > 0)
			n += (size_t)r;
		else if (r < 0 && errno == EINTR)
			r = 1;
	}
	said[n] = '\0';
	return true;
}

static void
judge_start(struct health_check *c, bool in_time, int status,
    const char *said)
{
	static const char next[] = "npu-info -v, which shows what the library "
	    "says";

	if (!in_time)
		health_say(c, HEALTH_FAIL, next, "the library did not start "
		    "within %d s", START_MS / 1000);
	else if (WIFSIGNALED(status))
		health_say(c, HEALTH_FAIL, next, "the library crashed (%s)",
		    strsignal(WTERMSIG(status)));
	else if (WEXITSTATUS(status) != 0)
		health_say(c, HEALTH_FAIL, next, "%.700s", said);
	else
		health_say(c, HEALTH_OK, "", "%.700s", said);
}

static void
check_start(struct health_check *c, const char *root)
{
	char said[1000];
	int ends[2], status = 0;
	bool in_time;
	pid_t pid;

	*c = (struct health_check){ .name = "start" };
	if (*root != '\0') {
		health_say(c, HEALTH_SKIP, "run it on the machine itself",
		    "a library of another machine is not started");
		return;
	}
	if (pipe2(ends, O_CLOEXEC) < 0 || (pid = fork()) < 0)
		cmd_die("cannot start a process: %s", strerror(errno));
	if (pid == 0)
		start_library(ends[1]);
	close(ends[1]);
	in_time = listen(ends[0], said, sizeof(said));
	if (!in_time)
		kill(pid, SIGKILL);
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	close(ends[0]);
	judge_start(c, in_time, status, said);
}

/* ---- What is told ------------------------------------------------------ */

static void
json_check(struct json *j, const struct health_check *c)
{
	json_object(j);
	json_member_str(j, "name", c->name);
	json_member_str(j, "verdict", health_verdict_name(c->verdict));
	json_member_str(j, "finding", c->finding);
	json_member_str(j, "next", c->next);
	json_end_object(j);
}

/* The name of a check may be that of a file. */
static void
text_check(const struct info_form *f, struct health_check *c)
{
	const char *verdict = health_verdict_name(c->verdict);
	char *name = strdup(c->name);

	if (name == NULL)
		cmd_die("out of memory");
	cmd_printable(name, strlen(name));
	cmd_printable(c->finding, strlen(c->finding));
	if (f->plain)
		buf_printf(f->text, "%s\t%s\t%s\t%s\n", name, verdict,
		    c->finding, c->next);
	else
		buf_printf(f->text, "%-4s  %-8s %s%s%s\n", verdict, name,
		    c->finding, c->next[0] != '\0' ? "; next: " : "",
		    c->next);
	free(name);
}

/* Returns the exit status of this check alone. */
static int
show_check(const struct info_form *f, struct health_check *c)
{
	if (f->json != NULL)
		json_check(f->json, c);
	else
		text_check(f, c);
	return c->verdict == HEALTH_FAIL ? EXIT_VERDICT : EXIT_DONE;
}

int
info_doctor(const struct info_form *f, const char *root, char **models,
    int n_models)
{
	struct health_check checks[HEALTH_CHECKS], of_model;
	struct health h;
	int status = EXIT_DONE;
	size_t n;

	cmd_device.device = NPU_DEVICE_NPU;
	health_read(&h, root, &cmd_device, false);
	n = health_examine(&h, checks);
	check_start(&checks[n++], root);
	if (f->json != NULL) {
		json_key(f->json, "checks");
		json_array(f->json);
	}
	for (size_t i = 0; i < n; i++)
		status |= show_check(f, &checks[i]);
	for (int i = 0; i < n_models; i++) {
		info_check_model(models[i], &h, &of_model);
		status |= show_check(f, &of_model);
	}
	if (f->json != NULL)
		json_end_array(f->json);
	return status;
}
