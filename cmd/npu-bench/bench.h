/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The structures that the parts of npu-bench share: the plan, the results of
 * runs, the verdicts.
 *
 *	npu-bench.c	the program: options, rounds of runs, reports
 *	options, options_check, sides	the command line
 *	rounds		all runs of all configurations
 *	slowdown, self_check	--self-check
 *	measure/	workers, load, monitor, machine, statistics of samples
 *	gate/		baseline, comparison, verdicts
 *	report/		text, JSON, CSV, JUnit
 *
 * gate/ and report/ include measure/, but not each other; measure/ includes
 * neither.
 *
 * A worker is a process that opens the library, loads the model, warms up and
 * measures.  A run is one worker, or several that are released together: one
 * for each model, or as many as --processes asks for.  A worker stores its
 * samples in memory that it shares with the program that started it.  It
 * therefore does not write, copy or allocate anything while it measures.  The
 * program meanwhile only waits and monitors the machine.
 */
#ifndef NPU_BENCH_BENCH_H
#define NPU_BENCH_BENCH_H

#include <limits.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "npu.h"

/* ---- The plan ----------------------------------------------------------- */

enum bench_scenario {
	SINGLE_STREAM,		/* the next begins when the previous one is
				   done */
	MULTI_STREAM,		/* queries of several samples each */
	OFFLINE,		/* all at once, with several in flight */
	SERVER,			/* arrivals at a rate, whether or not earlier
				   inferences are done */
	SCENARIOS
};
/* The scenarios' names in that order, then NULL. */
extern const char *const bench_scenarios[SCENARIOS + 1];

/* Formats a percentage as text, "99.9", or as part of a key, "p999": without
 * the point, and with at least two digits before it, "p05". */
void bench_percent(uint32_t p, char s[11]);
void bench_percent_key(uint32_t p, char s[13]);
/* Splits "p99.9_ucb" into its percentage and the rest, "_ucb". */
bool bench_stat_percentile(const char *stat, uint32_t *p, const char **rest);

enum {
	/* Limits: */
	BENCH_PERCENTILES = 16,
	BENCH_MODELS = 64,
	BENCH_TRIALS = 64,	/* rates that --find-rate tries */
};

/* Options common to all runs.  Durations are in ns. */
struct bench_plan {
	const char *preset;		/* "default"; NULL: --min-iter or
					   --min-time instead */
	uint64_t least_ns, least_n;	/* the window ends when both are
					   reached, ... */
	uint64_t most_ns, most_n;	/* ... or one of these */
	uint64_t wanted_n;		/* a window with fewer samples gets
					   W-SHORT */
	uint64_t warm_ns, warm_n;	/* warm up for at least both; 0 and
					   0: cold */
	uint64_t seed;			/* seed of inputs and arrivals */
	const char *input;		/* a file of one frame; NULL: random */
	const char *ref;		/* the expected outputs, or NULL */
	const struct tolerance *tol;	/* limits for ref; NULL: only report */
	unsigned per_query;		/* samples in a query; multi-stream */
	double rate;			/* arrivals a second; server */
	bool steady;			/* arrivals are evenly spaced, not
					   Poisson */
	bool find_rate;			/* find the highest rate that keeps
					   the bound */
	uint64_t bound_ns;		/* limit of latency; 0: no limit */
	uint32_t bound_percentile;	/* in the unit of percent_parse();
					   default 99 % */
	double ops;			/* operations of one inference; 0:
					   unknown */
	double peak;			/* operations that the NPU can do in a
					   second */
	uint32_t percentile[BENCH_PERCENTILES];
	unsigned percentiles;
};

/* The load of one worker.  A configuration is one load, or several loads that
 * are released together. */
struct bench_load {
	const char *model;	/* as given on the command line */
	enum bench_scenario scenario;
	unsigned inflight;
};

/* ---- Runs ---------------------------------------------------------------- */

/* One inference, 64 bytes.  Times are in ns; the first three count from the
 * beginning of the window. */
struct bench_sample {
	uint64_t due;		/* when the inference should have begun: its
				   arrival, or the beginning of its query */
	uint64_t begin, end;	/* when it was put into the queue, and got
				   from it */
	uint64_t create, put, infer, get, clean;	/* from struct
							   npu_times */
};

/* The phases of a worker, in order; reported by handshake_phase(). */
enum bench_phase {
	PHASE_START,		/* opens, loads, runs the first inference,
				   warms up */
	PHASE_READY,		/* waits in handshake_await_go() */
	PHASE_WINDOW,		/* measures */
	PHASE_AFTER,		/* has enough samples; keeps up the load
				   until bench_run.stop, for workers that do
				   not have enough */
	PHASE_CLOSE,		/* closes the model */
	PHASE_OVER,		/* its bench_run is complete */
};

struct bench_trial {		/* A trial of --find-rate. */
	double rate;		/* arrivals a second */
	uint64_t n, late;	/* samples that were counted */
	double completed;	/* inferences per second */
	uint64_t latency_ns;	/* upper bound of the percentile; 0: unknown */
	bool met;
};

enum { BENCH_MESSAGE = 1000, BENCH_SENSORS = 32 };

/* The machine during the window, read twice a second.  NAN: unknown. */
struct bench_sensor {
	char name[64];
	double first, last, min, mean, max;
};
struct bench_sensors {
	struct bench_sensor item[BENCH_SENSORS];
	unsigned n;
};
struct bench_readings {
	struct bench_sensors temps;	/* degrees Celsius */
	struct bench_sensors freqs;	/* MHz: cpufreq policies, devfreq */
	bool hot;		/* warning W-HOT */
	double busy;		/* busy share of all processors, 0 to 1 */
	double idle_busy;	/* the same while idle, before the first run */
	double others;		/* processors kept busy by other processes
				   than the workers and this program */
	char holder[64];	/* another process that has the device open,
				   "name (pid)"; "": not found */
	double monitor_cores;	/* processors that the monitor itself used */
	double watts, idle_watts;	/* mean power in the window; and
					   while idle */
	double joules;		/* energy in the window, by the trapezoidal
				   rule */
	char power[64];		/* the sensors that were added up; "": not
				   measured */
	char no_power[128];	/* why power was not measured */
};

/*
 * One worker of one run, followed by its samples, in memory shared with the
 * program that started it.  Contains no pointers.
 */
struct bench_run {
	/* Set by the program before the worker starts. */
	unsigned config;	/* index in the sweep, from 0 */
	unsigned run;		/* from 0; a pair of --ab counts as one */
	unsigned process;	/* index in the run, from 0 */
	char side;		/* 'A' or 'B'; 0: without --ab */
	uint64_t room;		/* room for samples behind this struct */
	double infer_ms;	/* NPU_EMU_INFER_MS for --self-check; 0: not
				   set */
	_Atomic uint32_t go, stop;

	/* Set by the worker; if it died, the program sets rc and message. */
	_Atomic uint32_t phase;	/* enum bench_phase */
	int rc;			/* 0; enum npu_code; or an exit status:
				   EXIT_FAILED if checksums differ,
				   EXIT_VERDICT if the output breaks --tol */
	char message[BENCH_MESSAGE];	/* "SUBJECT: REASON"; if rc is 0, for
					   the first inference that failed,
					   or "" */
	uint64_t hwm_kib;	/* VmHWM without the samples' memory */
	struct {
		enum bench_scenario scenario;
		unsigned inflight;
		double rate;	/* server: arrivals a second; with
				   --find-rate, the rate that rate_search()
				   found */
	} load;
	struct {
		uint64_t clock_ns;	/* median cost of reading the clock
					   twice */
		uint64_t init_ns, load_ns;	/* measured once in each
						   process */
		struct bench_sample first;	/* the cold inference; begin
						   is 0 */
		uint64_t warm_n, warm_ns;
		uint64_t failed;	/* failed while warming up or
					   searching a rate */
	} startup;
	struct {		/* set by rate_search() */
		struct bench_trial trial[BENCH_TRIALS];
		unsigned n;
		double low, high;	/* the rate is between these; 0 and
					   INFINITY: unknown */
		bool none;	/* no rate keeps the bound */
	} search;
	struct {
		uint64_t at;	/* the window's beginning, by clock_ns() */
		uint64_t ns;	/* from the first begin to the last end */
		uint64_t cpu_ns;	/* user and system time in the window */
		uint64_t n;	/* samples, without failed inferences */
		uint64_t failed;
		uint64_t left;	/* server: arrivals dropped while they
				   waited, all of which missed the bound */
		bool full;	/* the window ended because room was used up */
	} window;
	struct {
		uint64_t checksum;	/* of each output; all must be equal */
		double ref_cos, ref_max;	/* set by
						   reference_compare(); NAN:
						   without --ref */
	} outputs;
	struct {
		char path[PATH_MAX], sha256[65];
		uint64_t bytes;
		/* Device memory, at least: used once, and for each inference in
		 * flight. */
		uint64_t load_memory, job_memory;
	} model;
	struct {
		char path[PATH_MAX], version[32], driver[32], target[64];
		bool emulator;
	} library;

	/* Set by the program after the window. */
	struct bench_readings readings;
};

static inline struct bench_sample *
bench_samples(struct bench_run *r)
{
	return (struct bench_sample *)(r + 1);
}

/* ---- The machine --------------------------------------------------------- */

/* The machine's fingerprint.  "": unknown. */
struct bench_machine {
	char board[128], machine[32], cpu[128], kernel[128];
	char firmware[128];	/* the board's: maker and version; the NPU
				   has none: its driver loads no file */
	char governor[64];	/* "performance"; "mixed: a, b" */
	unsigned cpus;
	double temp_start, temp_end;	/* temperature of the hottest sensor,
					   degrees Celsius; NAN: unknown */
};

/* ---- Verdicts ------------------------------------------------------------ */

enum bench_verdict {
	BENCH_NO_GATE, BENCH_PASS, BENCH_REGRESSION, BENCH_UNSURE
};

/* How to treat BENCH_UNSURE (--on-unsure).  UNSURE_STATUS: neither as a pass
 * nor as a failure, but with EXIT_NOVERDICT. */
enum bench_unsure { UNSURE_STATUS, UNSURE_PASS, UNSURE_FAIL };

/* One gated metric of one model in one configuration.  Numbers are fractions of
 * the metric (struct gate_line) or in its unit, ms or 1/s. */
struct bench_gated {
	unsigned config, inflight;
	const char *model;	/* the model as a run names it */
	char metric[40];	/* "infer p50", "throughput"; "comparison":
				   no metric of a configuration was compared */
	bool higher;		/* a higher value is better */
	double before, after;	/* medians over the runs */
	double change, bound, limit;
	bool at_least;
	enum bench_verdict verdict;	/* BENCH_NO_GATE: the metric was left
					   out */
	bool final;		/* more runs would not change the verdict */
	char why[400];		/* why it was left out or judged without
				   numbers; "": does not apply */
};

enum { BENCH_GATED = 1024 };

struct bench_verdicts {
	enum bench_verdict verdict;	/* the overall verdict */
	struct bench_gated gated[BENCH_GATED];
	unsigned n;
	unsigned runs, stored;	/* number of new runs, or pairs of --ab; and
				   of the baseline's runs */
	const char *against;	/* the baseline's file, or "A against B" */
	char why[1024];		/* what differs, or why a verdict is missing */
};

/* ---- A benchmark --------------------------------------------------------- */

/* All data for the reports. */
struct bench {
	int argc;
	char **argv;
	const struct bench_plan *plan;
	struct bench_machine machine;
	const struct bench_load *load;	/* n_loads loads, from all
					   configurations */
	unsigned *config_of;	/* the configuration of each load */
	unsigned loads, configs, processes;
	struct bench_run **run;	/* in the order in which they ran */
	unsigned runs;
	struct bench_verdicts verdicts;
	int64_t time;		/* beginning of the program, seconds since
				   1970 */
};

#endif
