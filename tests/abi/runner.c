// SPDX-License-Identifier: Apache-2.0
/*
 * runner - tests whether this libnoe.so behaves like 2.0.2.  Prints TAP, one
 * line for each row.
 *
 *	runner [-l] [-v] LIBNOE MODELS [PART-OF-A-NAME]
 *
 * Every row runs in a child process of its own, because many rows end the
 * vendor's library.  MODELS is the directory that tests/abi/models.sh fills.
 */
#include <dlfcn.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "world.h"

/* The timeout of a row that expects HANGS, in ms.  For the vendor's library,
 * whose behaviour is to be found out, it is longer than the slowest job. */
#define HANG_MS (is_emulator ? 1500 : 6000)
#define PATIENCE_MS 300000	/* any other row */

struct api noe;

static bool verbose, is_emulator;
static const char *library, *models;
static unsigned n_rows, n_bad, n_skipped;

static const struct table *const tables[] = {
	&context_rows, &ioctl_rows, &order_rows, &graph_rows, &tensor_rows,
	&job_rows, &batch_rows, &run_rows, &trouble_rows, &other_rows,
	&damage_rows, &odd_rows, &shared_rows,
};

/* The report of a child whose row ended normally. */
struct report {
	int status;
	char wrong[120];
};

static void
open_library(void)
{
	noe.so = dlopen(library, RTLD_NOW | RTLD_LOCAL);
	if (noe.so == NULL) {
		fprintf(stderr, "runner: %s: %s\n", library, dlerror());
		_exit(98);
	}
#define X(name) *(void **)&noe.name = dlsym(noe.so, "noe_" #name);
	NOE_CALLS(X)
#undef X
	noe.opaque = dlsym(noe.so, "noe_get_device_status") != NULL;
}

static void
set_environment(const char *env)
{
	char *copy = strdup(env), *save = NULL;

	for (char *s = strtok_r(copy, " ", &save); s != NULL;
	    s = strtok_r(NULL, " ", &save))
		putenv(s);	/* keeps the string: copy is not freed */
}

/* Ends a row that hangs; the child exits, because coverage counters are written
 * at the exit. */
static void
end(int sig)
{
	(void)sig;
	_exit(96);
}

/*
 * Runs the row in the child, and never returns.  Leaves by _exit(): the
 * vendor's library aborts at exit (noe-abi 1.8), and only rows that test this
 * may see it.
 */
static void
live(const struct row *row, int report, int err_fd, int out_fd)
{
	struct report r = { 0 };
	struct world w = { .models = models };

	dup2(err_fd, 2);
	dup2(out_fd, 1);
	signal(SIGTERM, end);
	w.model = row->model != NULL ? row->model : "sound";
	if (row->env != NULL)
		set_environment(row->env);
	open_library();
	world_build(&w, row->need);
	if (w.wrong == NULL) {
		if (row->change != NULL)
			row->change(&w);
		r.status = row->call(&w);
	}
	if (w.wrong != NULL)
		strncpy(r.wrong, w.wrong, sizeof(r.wrong) - 1);
	if (write(report, &r, sizeof(r)) != sizeof(r))
		_exit(97);
	_exit(0);
}

/* Returns the answer that this library must give. */
static int
expected(const struct row *row)
{
	int both = row->expect;

	if (both < 0x10000)
		return both;
	return (int8_t)(is_emulator ? both : both >> 8);
}

/* Returns CRASHES, ABORTS or HANGS, or fills *r with the child's report and
 * returns its status. */
static int
watch(pid_t child, int report, bool may_hang, struct report *r)
{
	struct pollfd p = { report, POLLIN, 0 };
	int status, limit = may_hang ? HANG_MS : PATIENCE_MS;
	bool late = poll(&p, 1, limit) == 0;

	if (late) {
		kill(child, SIGTERM);
		p.events = 0;		/* the child's end was closed */
		poll(&p, 1, 2000);
		kill(child, SIGKILL);
	}
	if (read(report, r, sizeof(*r)) != sizeof(*r))
		memset(r, 0, sizeof(*r));
	waitpid(child, &status, 0);
	if (late)
		return HANGS;
	if (WIFSIGNALED(status))
		return WTERMSIG(status) == SIGABRT ? ABORTS : CRASHES;
	/* The row called exit() itself; this is not a status of the library. */
	if (WEXITSTATUS(status) != 0)
		return 1000 + WEXITSTATUS(status);
	return r->status;
}

static const char *
outcome(int st)
{
	static char text[2][40];
	static int turn;
	char *s = text[turn ^= 1];

	if (st == CRASHES)
		return "crash";
	if (st == ABORTS)
		return "abort";
	if (st == HANGS)
		return "hang";
	if (st == MISREADS)
		return "crash or not";
	if (st >= 1000)
		snprintf(s, 40, "exit %d", st - 1000);
	else
		snprintf(s, 40, "0x%x", st);
	return s;
}

/* The emulator stops with a line that names the call: "libnoe-emu: noe_x: " */
static bool
names_the_call(const struct row *row, const char *messages)
{
	int n = (int)strcspn(row->name, ":");
	char want[80];

	snprintf(want, sizeof(want), "libnoe-emu: %s%.*s: ",
	    strncmp(row->name, "exit", 4) == 0 ? "" : "noe_", n, row->name);
	return strstr(messages, want) != NULL;
}

static bool
agrees(const struct row *row, int st, const struct report *r,
    const char *messages)
{
	int expect = expected(row);
	bool died = st == CRASHES || st == ABORTS;

	if (r->wrong[0] != '\0')
		return false;
	if (expect >= 0 || expect == HANGS)
		return st == expect;
	if (is_emulator)
		return st == ABORTS && names_the_call(row, messages);
	return expect == ABORTS ? st == ABORTS : died;
}

static void
show(const char *title, int fd)
{
	char line[4096];
	ssize_t n = pread(fd, line, sizeof(line) - 1, 0);

	if (n <= 0)
		return;
	line[n] = '\0';
	for (char *s = strtok(line, "\n"); s != NULL; s = strtok(NULL, "\n"))
		printf("#   %s: %s\n", title, s);
}

/* Returns why this row cannot judge the vendor's library; NULL: it can. */
static const char *
not_judged(const struct row *row)
{
	if (is_emulator)
		return NULL;
	switch (expected(row)) {
	case MISREADS:
		return "it reads out of bounds, and may end in any way";
	case UNKNOWN:
		return "for the emulator: the stand-in device cannot do this";
	default:
		return NULL;
	}
}

static bool
run(const struct row *row, unsigned number)
{
	int report[2], err_fd = memfd_create("stderr", 0);
	int out_fd = memfd_create("stdout", 0), st;
	struct report r;
	char messages[4096];
	bool good;
	ssize_t n;
	pid_t child;

	if (pipe(report) != 0 || err_fd < 0 || out_fd < 0)
		exit(2);
	fflush(stdout);
	if ((child = fork()) == 0) {
		close(report[0]);
		live(row, report[1], err_fd, out_fd);
	}
	close(report[1]);
	st = watch(child, report[0], expected(row) == HANGS, &r);
	n = pread(err_fd, messages, sizeof(messages) - 1, 0);
	messages[n > 0 ? n : 0] = '\0';
	good = agrees(row, st, &r, messages);
	printf("%sok %u - %s%s\n", good ? "" : "not ", number, row->name,
	    expected(row) == CRASHES ? " (crashes the vendor's)" : "");
	if (!good)
		printf("#   expected %s, got %s%s%s\n",
		    outcome(expected(row)),
		    outcome(st), r.wrong[0] != '\0' ? "; wrong: " : "",
		    r.wrong);
	if (!good || verbose) {
		show("stderr", err_fd);
		show("stdout", out_fd);
	}
	close(report[0]);
	close(err_fd);
	close(out_fd);
	return good;
}

static bool
check_library(void)
{
	void *so = dlopen(library, RTLD_NOW | RTLD_LOCAL);

	if (so == NULL) {
		fprintf(stderr, "runner: %s: %s\n", library, dlerror());
		return false;
	}
	is_emulator = dlsym(so, "noe_emu_version") != NULL;
	dlclose(so);
	return true;
}

static void
take(const struct row *row)
{
	const char *why = not_judged(row);

	n_rows++;
	if (why == NULL) {
		n_bad += !run(row, n_rows);
		return;
	}
	n_skipped++;
	printf("ok %u - %s # SKIP %s\n", n_rows, row->name, why);
}

static void
each_row(const char *part, void (*f)(const struct row *row))
{
	for (size_t t = 0; t < sizeof(tables) / sizeof(*tables); t++)
		for (size_t i = 0; i < tables[t]->n; i++)
			if (strstr(tables[t]->rows[i].name, part) != NULL)
				f(&tables[t]->rows[i]);
}

static void
name(const struct row *row)
{
	n_rows++;
	puts(row->name);
}

static int
judge(const char *part)
{
	if (!check_library())
		return 2;
	each_row(part, take);
	printf("1..%u\n# %u of %u rows agree", n_rows,
	    n_rows - n_bad - n_skipped, n_rows - n_skipped);
	if (n_skipped > 0)
		printf("; %u cannot be judged here", n_skipped);
	putchar('\n');
	return n_bad > 0 || n_rows == 0;
}

int
main(int argc, char *argv[])
{
	bool list = false;
	const char *part;
	int opt;

	while ((opt = getopt(argc, argv, "lv")) != -1) {
		list |= opt == 'l';
		verbose |= opt == 'v';
	}
	if (argc - optind < 2) {
		fputs("usage: runner [-lv] LIBNOE MODELS [PART]\n", stderr);
		return 2;
	}
	library = argv[optind];
	models = argv[optind + 1];
	part = argc - optind > 2 ? argv[optind + 2] : "";
	if (!list)
		return judge(part);
	each_row(part, name);
	return n_rows == 0;
}
