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
#include "workers.h"

/* How a fresh process is told what it is: the descriptors of its memory, of the
 * bell it rings and of the word that lets it go. */
#define MEMBER "NPU_BENCH_MEMBER"

struct ends {
	int memory, ring, go;
};

/* ---- Memory -------------------------------------------------------------- */

/* The descriptor of each, until it has no more room. */
static struct memory {
	struct bench_run *r;
	int fd;
} memory[BENCH_MODELS];

/* Without a least time the window ends when there are enough, and what is in
 * flight has come; but server serves as many more as waited. */
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
crew_new(const struct bench_options *o, unsigned config, unsigned run,
    unsigned process, char side)
{
	uint64_t room = room_of(&o->plan);
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
memory_of(const struct bench_run *r)
{
	const struct memory *m = memory;

	while (m->r != r)
		m++;
	return m->fd;
}

/* Whatever a library that it called has written there. */
static void
bound(struct bench_run *r)
{
	struct bench_watched *w = &r->watched;

	if (r->n > r->room)
		r->n = r->room;
	if (r->trials > BENCH_TRIALS)
		r->trials = BENCH_TRIALS;
	if (w->temps.n > BENCH_ITEMS)
		w->temps.n = BENCH_ITEMS;
	if (w->freqs.n > BENCH_ITEMS)
		w->freqs.n = BENCH_ITEMS;
}

void
member_shrink(struct bench_run *r)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE), was = size_of(r->room);
	size_t is;
	struct memory *m = memory;

	while (m->r != r)
		m++;
	bound(r);
	is = (size_of(r->n) + page - 1) / page * page;
	if (is < was && ftruncate(m->fd, (off_t)is) == 0)
		munmap((char *)r + is, was - is);
	r->room = r->n;
	close(m->fd);
	m->r = NULL;
}

/* ---- The inside ---------------------------------------------------------- */

static const struct bench_member *
member_of(const struct bench_options *o, const struct bench_run *r)
{
	const struct bench_member *first;
	unsigned n;

	first = members_find(&o->members, r->config, r->side, &n);
	if (first == NULL || r->process / o->processes >= n)
		cmd_die("%s is not for users", MEMBER);
	return &first[r->process / o->processes];
}

/* --null: the emulator, without anything that it could wait for. */
static void
enter_null(void)
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

/* Before it is executed anew, since a variable may be for the loader, and
 * again then. */
static void
enter(const struct bench_options *o, const struct bench_run *r)
{
	char ms[32];

	if (o->null)
		enter_null();
	side_enter(member_of(o, r)->side);
	snprintf(ms, sizeof(ms), "%.9g", r->infer_ms);
	if (r->infer_ms > 0 && setenv("NPU_EMU_INFER_MS", ms, 1) != 0)
		cmd_die("out of memory");
}

static _Noreturn void
be_member(const struct bench_options *o, struct bench_run *r,
    const struct ends *ends)
{
	const struct bench_member *m = member_of(o, r);
	struct bench_load load = m->load;
	struct npu_err err;
	char *path;

	bench_bell_open(ends->ring, ends->go);
	enter(o, r);
	/* What could be said was said by the program, but for the device. */
	cmd_quiet = true;
	path = cmd_find_model(load.model, &err);
	cmd_quiet = o->quiet || r->config + r->run + r->process > 0 ||
	    r->side == 'B';
	if (path != NULL)
		load.model = path;
	cmd_device_ready();
	bench_run(r, &o->plan, &load);
	/* Asked to end, it has done that: npu-bench dies of the signal. */
	cmd_stop = 0;
	cmd_exit(EXIT_DONE);
}

void
crew_if_member(const struct bench_options *o)
{
	const char *said = getenv(MEMBER);
	struct ends ends;
	struct bench_run *r;
	struct stat st;

	if (said == NULL)
		return;
	if (sscanf(said, "%d,%d,%d", &ends.memory, &ends.ring, &ends.go) != 3
	    || fstat(ends.memory, &st) < 0 ||
	    st.st_size < (off_t)sizeof(*r))
		cmd_die("%s is not for users", MEMBER);
	unsetenv(MEMBER);
	r = mmap(NULL, (size_t)st.st_size, PROT_READ | PROT_WRITE, MAP_SHARED,
	    ends.memory, 0);
	if (r == MAP_FAILED || size_of(r->room) != (size_t)st.st_size)
		cmd_die("%s is not for users", MEMBER);
	close(ends.memory);
	be_member(o, r, &ends);
}

/* ---- Its beginning ------------------------------------------------------- */

/* Only what is ours is left open, and what may end it: SIGTERM, which this
 * program sends, and which comes, too, if it dies. */
static void
part(pid_t parent, const struct ends *ends)
{
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);

	if (prctl(PR_SET_PDEATHSIG, SIGTERM) < 0 || getppid() != parent ||
	    null < 0 || dup2(null, STDIN_FILENO) < 0 ||
	    dup2(null, STDOUT_FILENO) < 0 || cmd_stop != 0)
		_exit(EXIT_FAILED);
	/* Those of a terminal are for the program, which then asks us. */
	signal(SIGINT, SIG_IGN);
	signal(SIGHUP, SIG_IGN);
	signal(SIGTERM, SIG_DFL);
	signal(SIGPIPE, SIG_DFL);
	fcntl(ends->memory, F_SETFD, 0);
	fcntl(ends->ring, F_SETFD, 0);
	fcntl(ends->go, F_SETFD, 0);
}

/* Returns where this program cannot be executed. */
static void
execute(char **argv, const struct ends *ends)
{
	char path[PATH_MAX], said[64];
	ssize_t n = readlink("/proc/self/exe", path, sizeof(path) - 1);

	snprintf(said, sizeof(said), "%d,%d,%d", ends->memory, ends->ring,
	    ends->go);
	if (n <= 0 || setenv(MEMBER, said, 1) != 0)
		return;
	path[n] = '\0';
	execv(path, argv);
	unsetenv(MEMBER);
}

pid_t
member_start(const struct bench_options *o, char **argv, struct bench_run *r,
    int *ring, int *go)
{
	pid_t parent = getpid(), pid;
	int rings[2], goes[2];

	if (pipe2(rings, O_CLOEXEC) < 0 || pipe2(goes, O_CLOEXEC) < 0 ||
	    (pid = fork()) < 0)
		cmd_die("cannot start a process: %s", strerror(errno));
	if (pid == 0) {
		struct ends ends = { memory_of(r), rings[1], goes[0] };

		part(parent, &ends);
		close(rings[0]);
		close(goes[1]);
		cmd_forget_temporaries();
		enter(o, r);
		execute(argv, &ends);
		be_member(o, r, &ends);
	}
	close(rings[1]);
	close(goes[0]);
	*ring = rings[0];
	*go = goes[1];
	return pid;
}
