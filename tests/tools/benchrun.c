// SPDX-License-Identifier: Apache-2.0
/*
 * benchrun - one worker of npu-bench, without the rest of npu-bench.
 *
 *	benchrun [options] MODEL
 *
 *	-n N, -t MS	least samples and time	-N N, -M MS	most
 *	-w N, -W MS	warm-up			-m N		room (samples)
 *	-s SCENARIO	as npu-bench's		-j N		in flight
 *	-k N		samples a query		-r RATE[:even]	arrivals
 *	-f		find the rate		-b [pN:]MS	bound
 *	-i FILE		input			-x SEED
 *	-R FILE		reference		-T TOL		its tolerance
 *	-A MS		stop MS after the worker has enough samples
 *	-O FILE		do not stop before FILE exists
 *	-K MS		send SIGTERM MS after the window began
 *	-P PHASE	for -K: after this phase (enum bench_phase; 2)
 *	-u		reuse jobs		-z MS		timeout of a job
 *	-L FILE		library			-D PATH		device node
 *	-S		also print each sample, not only least, most, median
 *
 * The environment variable EMU names the emulator's file.  Prints the members
 * of struct bench_run, one on each line, times in ms.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "device.h"
#include "npu-bench/measure/worker_run.h"
#include "stats/median.h"
#include "stats/percentile.h"
#include "tensors/diff.h"

static const struct opt options[] = {
	CMD_COMMON,
	{ 0 },
};
const struct program program = { .name = "benchrun", .options = options };

static struct tolerance tolerance;
static struct bench_plan plan = { .least_n = 1, .per_query = 8, .seed = 1,
    .bound_percentile = 99 * PERCENT };
static struct bench_load load = { .inflight = 1 };
static uint64_t room = 100000;
static long after_ms, kill_ms;
static const char *others;	/* -O */
static unsigned kill_phase = PHASE_WINDOW;
static bool each;

static uint64_t
ns(const char *ms)
{
	return (uint64_t)(atof(ms) * 1e6);
}

static enum bench_scenario
scenario(const char *name)
{
	static const char *const names[] = { "single-stream", "multi-stream",
	    "offline", "server", NULL };

	return (enum bench_scenario)cmd_choice("-s", name, names);
}

static void
parse_bound(const char *arg)
{
	const char *colon = strchr(arg, ':');
	char p[20];

	if (colon != NULL) {
		snprintf(p, sizeof(p), "%.*s", (int)(colon - arg - 1), arg + 1);
		if (percent_parse(p, &plan.bound_percentile, NULL) < 0)
			cmd_usage("-b: %s", arg);
	}
	plan.bound_ns = ns(colon != NULL ? colon + 1 : arg);
}

static void
parse_option(int c, const char *arg)
{
	uint64_t n;

	if (arg == NULL)
		arg = "";
	n = strtoull(arg, NULL, 10);

	switch (c) {
	case 'n': plan.least_n = n; break;
	case 't': plan.least_ns = ns(arg); break;
	case 'N': plan.most_n = n; break;
	case 'M': plan.most_ns = ns(arg); break;
	case 'w': plan.warm_n = n; break;
	case 'W': plan.warm_ns = ns(arg); break;
	case 'm': room = n; break;
	case 's': load.scenario = scenario(arg); break;
	case 'j': load.inflight = (unsigned)n; break;
	case 'k': plan.per_query = (unsigned)n; break;
	case 'r':
		plan.rate = atof(arg);
		plan.steady = strstr(arg, ":even") != NULL;
		break;
	case 'f': plan.find_rate = true; break;
	case 'b': parse_bound(arg); break;
	case 'i': plan.input = arg; break;
	case 'x': plan.seed = n; break;
	case 'R': plan.ref = arg; break;
	case 'T':
		tolerance_parse(&tolerance, arg);
		plan.tol = &tolerance;
		break;
	case 'A': after_ms = (long)n; break;
	case 'O': others = arg; break;
	case 'K': kill_ms = (long)n; break;
	case 'P': kill_phase = (unsigned)n; break;
	case 'z': cmd_device.timeout_ms = (int32_t)n; break;
	case 'S': each = true; break;
	case 'u': cmd_device.reuse_job = true; break;
	case 'L': cmd_device.library = arg; break;
	case 'D': cmd_device.node = arg; break;
	default: cmd_usage("which?");
	}
}

/* ---- The part of npu-bench itself ---------------------------------------- */

static void
sleep_ms(long ms)
{
	struct timespec t = { ms / 1000, ms % 1000 * 1000000 };

	nanosleep(&t, NULL);
}

/* Releases the worker and stops it, as npu-bench does; returns its status. */
static int
accompany(struct bench_run *r, pid_t child)
{
	long waited = 0;
	int status;

	while (waitpid(child, &status, WNOHANG) == 0) {
		if (atomic_load(&r->phase) == kill_phase && kill_ms > 0) {
			sleep_ms(kill_ms);
			kill(child, SIGTERM);
			kill_ms = 0;
		}
		if (atomic_load(&r->phase) == PHASE_READY &&
		    kill_phase != PHASE_READY)
			atomic_store(&r->go, 1);
		if (atomic_load(&r->phase) == PHASE_AFTER &&
		    waited++ >= after_ms &&
		    (others == NULL || access(others, F_OK) == 0))
			atomic_store(&r->stop, 1);
		sleep_ms(1);
	}
	return status;
}

/* ---- Output -------------------------------------------------------------- */

static void
print_sample(const struct bench_sample *s)
{
	const uint64_t x[] = { s->due, s->begin, s->end, s->create, s->put,
	    s->infer, s->get, s->clean };

	printf("sample");
	for (size_t i = 0; i < sizeof(x) / sizeof(*x); i++)
		printf(" %.6f", (double)x[i] / 1e6);
	printf("\n");
}

static void
print_range(struct bench_run *r, const char *name,
    uint64_t (*of)(const struct bench_sample *))
{
	double *ms = cmd_alloc((r->window.n + 1) * sizeof(*ms)), least, most;

	least = most = r->window.n > 0 ? (double)of(bench_samples(r)) / 1e6 : 0;
	for (uint64_t i = 0; i < r->window.n; i++) {
		ms[i] = (double)of(&bench_samples(r)[i]) / 1e6;
		least = ms[i] < least ? ms[i] : least;
		most = ms[i] > most ? ms[i] : most;
	}
	if (r->window.n > 0)
		printf("%s %.6f %.6f %.6f\n", name, least, most,
		    stats_median(ms, r->window.n));
	free(ms);
}

#define STAGE(name, expression) \
	static uint64_t \
	name(const struct bench_sample *s) \
	{ \
		return expression; \
	}
STAGE(of_create, s->create)
STAGE(of_put, s->put)
STAGE(of_infer, s->infer)
STAGE(of_get, s->get)
STAGE(of_clean, s->clean)
STAGE(of_e2e, s->end - s->begin)
STAGE(of_latency, s->end - s->due)
STAGE(of_late, s->begin - s->due)
STAGE(of_own, s->end - s->begin - s->create - s->put - s->infer - s->get -
    s->clean)

static void
print_times(struct bench_run *r)
{
	static const struct {
		const char *name;
		uint64_t (*of)(const struct bench_sample *);
	} rows[] = {
		{ "create", of_create }, { "put", of_put },
		{ "infer", of_infer }, { "get", of_get },
		{ "clean", of_clean }, { "e2e", of_e2e },
		{ "latency", of_latency }, { "late", of_late },
		{ "own", of_own },
	};
	const struct {
		const char *name;
		uint64_t t;
	} once[] = {
		{ "init", r->startup.init_ns }, { "load", r->startup.load_ns },
		{ "first", r->startup.first.end },
		{ "warm_ms", r->startup.warm_ns },
		{ "window", r->window.ns }, { "cpu", r->window.cpu_ns },
		{ "clock", r->startup.clock_ns },
	};

	for (size_t i = 0; i < sizeof(once) / sizeof(*once); i++)
		printf("%s %.6f\n", once[i].name, (double)once[i].t / 1e6);
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		print_range(r, rows[i].name, rows[i].of);
}

static void
print_run(struct bench_run *r)
{
	printf("rc %d\nwords %s\nphase %u\n", r->rc, r->message, r->phase);
	printf("warm %" PRIu64 "\nn %" PRIu64 "\nfailed %" PRIu64 "\nleft %"
	    PRIu64 "\nfull %d\nrate %.6g\n", r->startup.warm_n, r->window.n,
	    r->window.failed, r->window.left, r->window.full, r->load.rate);
	printf("hwm %" PRIu64 "\nchecksum %016" PRIx64 "\nref %.9g %.9g\n",
	    r->hwm_kib, r->outputs.checksum, r->outputs.ref_cos,
	    r->outputs.ref_max);
	printf("model %s\nsha256 %s\nbytes %" PRIu64 "\nlibrary %s\nversion "
	    "%s\ndriver %s\ntarget %s\nemulator %d\n", r->model.path,
	    r->model.sha256, r->model.bytes, r->library.path,
	    r->library.version, r->library.driver, r->library.target,
	    r->library.emulator);
	print_times(r);
	printf("low %.6g\nhigh %.6g\nnone %d\n", r->search.low,
	    r->search.high, r->search.none);
	for (unsigned i = 0; i < r->search.n; i++)
		printf("trial %.6g %" PRIu64 " %.6f %d\n",
		    r->search.trial[i].rate, r->search.trial[i].n,
		    (double)r->search.trial[i].latency_ns / 1e6,
		    r->search.trial[i].met);
	for (uint64_t i = 0; each && i < r->window.n; i++)
		print_sample(&bench_samples(r)[i]);
}

int
main(int argc, char *argv[])
{
	struct bench_run *r;
	size_t size;
	pid_t child;
	int c;

	cmd_start();
	while ((c = getopt(argc, argv,
	    "n:t:N:M:w:W:m:s:j:k:r:fb:i:x:R:T:A:O:K:P:uz:SL:D:")) != -1)
		parse_option(c, optarg);
	if (optind + 1 != argc)
		cmd_usage("which model?");
	load.model = argv[optind];
	cmd_device.emulator = getenv("EMU");
	cmd_device_resolve();
	size = sizeof(*r) + room * sizeof(struct bench_sample);
	r = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED |
	    MAP_ANONYMOUS, -1, 0);
	if (r == MAP_FAILED)
		cmd_die("out of memory");
	r->room = room;
	if ((child = fork()) == 0) {
		worker_run(r, &plan, &load);
		cmd_end_if_stopped();
		cmd_exit(EXIT_DONE);
	}
	printf("status %d\n", accompany(r, child));
	print_run(r);
	munmap(r, size);
	cmd_exit(EXIT_DONE);
}
