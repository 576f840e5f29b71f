// SPDX-License-Identifier: Apache-2.0
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "device.h"
#include "handshake.h"
#include "worker.h"
#include "worker_run.h"

/* Passes a worker its file descriptors: shared memory and two pipes. */
#define WORKER_ENV "NPU_BENCH_MEMBER"

struct worker_fds {
	int memory, phases, go;
};

/* ---- Memory -------------------------------------------------------------- */

/* The descriptor of each worker's memory, until worker_trim(). */
static struct memory {
	struct bench_run *r;
	int fd;
} memory[BENCH_MODELS];

/*
 * Returns the number of samples that need room.  Without a minimum time the
 * window ends when there are enough samples and those in flight are done; but
 * server also serves all arrivals that waited.
 */
static uint64_t
room_of(const struct bench_plan *p)
{
	uint64_t enough = p->least_n + NPU_QUEUE_MAX + p->per_query;
	bool server = p->rate > 0 || p->find_rate;

	return p->least_ns == 0 && !server && enough < p->most_n ? enough :
	    p->most_n;
}

static size_t
size_of(uint64_t room)
{
	return sizeof(struct bench_run) + room * sizeof(struct bench_sample);
}

struct bench_run *
worker_new(const struct bench_plan *plan, unsigned config, unsigned run,
    unsigned process, char side)
{
	uint64_t room = room_of(plan);
	int fd = memfd_create("samples", MFD_CLOEXEC);
	struct bench_run *r = MAP_FAILED;
	struct memory *m = memory;

	if (fd >= 0 && ftruncate(fd, (off_t)size_of(room)) == 0)
		r = mmap(NULL, size_of(room), PROT_READ | PROT_WRITE,
		    MAP_SHARED, fd, 0);
	if (r == MAP_FAILED)
		cmd_die("memory for %llu samples: %s",
		    (unsigned long long)room, strerror(errno));
	while (m->r != NULL)
		m++;
	*m = (struct memory){ r, fd };
	r->config = config;
	r->run = run;
	r->process = process;
	r->side = side;
	r->room = room;
	return r;
}

static int
memory_fd(const struct bench_run *r)
{
	const struct memory *m = memory;

	while (m->r != r)
		m++;
	return m->fd;
}

/* Limits counts that a library in the worker may have overwritten. */
static void
clamp_counts(struct bench_run *r)
{
	struct bench_readings *readings = &r->readings;

	if (r->window.n > r->room)
		r->window.n = r->room;
	if (r->search.n > BENCH_TRIALS)
		r->search.n = BENCH_TRIALS;
	if (readings->temps.n > BENCH_SENSORS)
		readings->temps.n = BENCH_SENSORS;
	if (readings->freqs.n > BENCH_SENSORS)
		readings->freqs.n = BENCH_SENSORS;
}

void
worker_trim(struct bench_run *r)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE),
	    old_size = size_of(r->room);
	size_t new_size;
	struct memory *m = memory;

	while (m->r != r)
		m++;
	clamp_counts(r);
	new_size = (size_of(r->window.n) + page - 1) / page * page;
	if (new_size < old_size && ftruncate(m->fd, (off_t)new_size) == 0)
		munmap((char *)r + new_size, old_size - new_size);
	r->room = r->window.n;
	close(m->fd);
	m->r = NULL;
}

/* ---- In a worker --------------------------------------------------------- */

static const struct sweep_entry *
entry_of(const struct worker_options *o, const struct bench_run *r)
{
	const struct sweep_entry *first;
	unsigned n;

	first = sweep_find(o->sweep, r->config, r->side, &n);
	if (first == NULL || r->process / o->processes >= n)
		cmd_die("%s is not for users", WORKER_ENV);
	return &first[r->process / o->processes];
}

/* --null-device: uses the emulator, without computing or waiting. */
static void
apply_null(void)
{
	char **e = environ;

	while (*e != NULL) {
		char name[64];

		if (strncmp(*e, "NPU_EMU_", 8) != 0) {
			e++;
			continue;
		}
		snprintf(name, sizeof(name), "%.*s", (int)strcspn(*e, "="),
		    *e);
		unsetenv(name);
	}
	if (setenv("NPU_EMU_COMPUTE", "none", 1) != 0)
		cmd_die("out of memory");
	cmd_device_option('d', "emu");
}

/* Sets the environment and the device's options. */
static void
apply_side(const struct bench_side *side)
{
	for (unsigned i = 0; i < side->envs; i++)
		if (putenv(side->env[i]) != 0)
			cmd_die("out of memory");
	for (unsigned i = 0; i < side->options; i++) {
		int opt = side->option[i].opt;
		const char *arg = side->option[i].arg;

		if (opt == 'T')
			cmd_device.timeout_ms = cmd_duration_ms("--timeout",
			    arg);
		else if (opt == OPT_REUSE_JOB)
			cmd_device.reuse_job = true;
		else
			cmd_device_option(opt, arg);
	}
}

/* Sets variables before the program is executed, because one may be for the
 * dynamic linker, and again afterwards. */
static void
apply_settings(const struct worker_options *o, const struct bench_run *r)
{
	char ms[32];

	if (o->null)
		apply_null();
	apply_side(entry_of(o, r)->side);
	snprintf(ms, sizeof(ms), "%.9g", r->infer_ms);
	if (r->infer_ms > 0 && setenv("NPU_EMU_INFER_MS", ms, 1) != 0)
		cmd_die("out of memory");
}

static _Noreturn void
worker_main(const struct worker_options *o, struct bench_run *r,
    const struct worker_fds *fds)
{
	const struct sweep_entry *entry = entry_of(o, r);
	struct bench_load load = entry->load;
	struct npu_err err;
	char *path;

	handshake_open(fds->phases, fds->go);
	apply_settings(o, r);
	/* Only the first worker prints notes. */
	cmd_quiet = o->quiet || r->config + r->run + r->process > 0 ||
	    r->side == 'B';
	path = cmd_find_model(load.model, &err);
	if (path != NULL)
		load.model = path;
	cmd_device_resolve();
	worker_run(r, o->plan, &load);
	/* If a signal stopped the worker, the program dies of that signal. */
	cmd_stop = 0;
	cmd_exit(EXIT_DONE);
}

void
worker_main_if_child(const struct worker_options *o)
{
	const char *fds_text = getenv(WORKER_ENV);
	struct worker_fds fds;
	struct bench_run *r;
	struct stat st;

	if (fds_text == NULL)
		return;
	if (sscanf(fds_text, "%d,%d,%d", &fds.memory, &fds.phases, &fds.go) != 3
	    || fstat(fds.memory, &st) < 0 ||
	    st.st_size < (off_t)sizeof(*r))
		cmd_die("%s is not for users", WORKER_ENV);
	unsetenv(WORKER_ENV);
	r = mmap(NULL, (size_t)st.st_size, PROT_READ | PROT_WRITE, MAP_SHARED,
	    fds.memory, 0);
	if (r == MAP_FAILED || size_of(r->room) != (size_t)st.st_size)
		cmd_die("%s is not for users", WORKER_ENV);
	close(fds.memory);
	worker_main(o, r, &fds);
}

/* ---- Starting a worker --------------------------------------------------- */

/*
 * Prepares the new process: closes all descriptors but its own.  SIGTERM ends
 * it, which this program sends, or the kernel if this program dies.
 */
static void
prepare_child(pid_t parent, const struct worker_fds *fds)
{
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);

	if (prctl(PR_SET_PDEATHSIG, SIGTERM) < 0 || getppid() != parent ||
	    null < 0 || dup2(null, STDIN_FILENO) < 0 ||
	    dup2(null, STDOUT_FILENO) < 0 || cmd_stop != 0)
		_exit(EXIT_FAILED);
	/* A terminal's signals go to the program, which forwards them. */
	signal(SIGINT, SIG_IGN);
	signal(SIGHUP, SIG_IGN);
	signal(SIGTERM, SIG_DFL);
	signal(SIGPIPE, SIG_DFL);
	fcntl(fds->memory, F_SETFD, 0);
	fcntl(fds->phases, F_SETFD, 0);
	fcntl(fds->go, F_SETFD, 0);
}

/* Executes this program; returns only if that fails. */
static void
execute(char **argv, const struct worker_fds *fds)
{
	char path[PATH_MAX], fds_text[64];
	ssize_t n = readlink("/proc/self/exe", path, sizeof(path) - 1);

	snprintf(fds_text, sizeof(fds_text), "%d,%d,%d", fds->memory,
	    fds->phases, fds->go);
	if (n <= 0 || setenv(WORKER_ENV, fds_text, 1) != 0)
		return;
	path[n] = '\0';
	execv(path, argv);
	unsetenv(WORKER_ENV);
}

pid_t
worker_start(const struct worker_options *o, char **argv,
    struct bench_run *r, int *phases, int *go)
{
	pid_t parent = getpid(), pid;
	int phases_pipe[2], go_pipe[2];

	if (pipe2(phases_pipe, O_CLOEXEC) < 0 || pipe2(go_pipe,
	    O_CLOEXEC) < 0 || (pid = fork()) < 0)
		cmd_die("cannot start a process: %s", strerror(errno));
	if (pid == 0) {
		struct worker_fds fds = { memory_fd(r), phases_pipe[1],
		    go_pipe[0] };

		prepare_child(parent, &fds);
		close(phases_pipe[0]);
		close(go_pipe[1]);
		cmd_forget_temporaries();
		cmd_on_exit(NULL, NULL);	/* the parent writes the
						   reports */
		apply_settings(o, r);
		execute(argv, &fds);
		worker_main(o, r, &fds);
	}
	close(phases_pipe[1]);
	close(go_pipe[0]);
	*phases = phases_pipe[0];
	*go = go_pipe[1];
	return pid;
}
