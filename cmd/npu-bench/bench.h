/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The records that the parts of npu-bench share: the plan, the results of runs,
 * the verdicts.
 *
 *	npu-bench.c	the program: options, rounds of runs, reports
 *	options, options_check, sides	the command line
 *	rounds		all runs of all configurations
 *	slowdown, self_check	--self-check
 *	measure/	workers, load, monitor, machine, statistics of samples
 *	gate/		baseline, comparison, verdicts
 *	report/		text, Markdown, JSON, CSV, JUnit
 *
 * gate/ and report/ know measure/ and not each other; measure/ knows neither.
 *
 * A worker is a process that opens the library, loads the model, warms up and
 * measures.  A run is one worker, or several that are released together: one
 * for each model, or as many as --processes asks for.  A worker's samples are
 * in memory that it shares with the program that started it, so that it writes,
 * copies and allocates nothing while it measures; that program only waits, and
 * monitors the machine meanwhile.
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
	SINGLE_STREAM,		/* the next when the one before is done */
	MULTI_STREAM,		/* queries of several samples each */
	OFFLINE,		/* all at once, several in flight */
	SERVER,			/* arrivals at a rate, whether or not the ones
				   before are done */
	SCENARIOS
};
/* Their names in that order, then NULL. */
extern const char *const bench_scenarios[SCENARIOS + 1];

/* A percentage as text, "99.9"; and as part of a key, "p999": at least two
 * digits before the point, "p05", and no point. */
void bench_percent(uint32_t p, char s[11]);
void bench_percent_key(uint32_t p, char s[13]);
/* Splits "p99.9_ucb" into its percentage and the rest, "_ucb". */
bool bench_stat_percentile(const char *stat, uint32_t *p, const char **rest);

enum {
	/* At most: */
	BENCH_PERCENTILES = 16,
	BENCH_MODELS = 64,
	BENCH_TRIALS = 64,	/* rates that --find-rate tries */
};

/* Common to all runs.  Durations in ns. */
struct bench_plan {
	const char *preset;		/* "default"; NULL: --min-iter or
					   --min-time instead */
	uint64_t least_ns, least_n;	/* ends when both are reached, ... */
	uint64_t most_ns, most_n;	/* ... or one of these */
	uint64_t wanted_n;		/* fewer samples are W-SHORT */
	uint64_t warm_ns, warm_n;	/* at least both; 0 and 0: cold */
	uint64_t seed;			/* of inputs and arrivals */
	const char *input;		/* a file of one frame; NULL: random */
	const char *ref;		/* the expected outputs, or NULL */
	const struct tolerance *tol;	/* of those; NULL: only reported */
	unsigned per_query;		/* samples of a query; multi-stream */
	double rate;			/* arrivals a second; server */
	bool steady;			/* evenly spaced, not Poisson */
	bool find_rate;			/* the highest that keeps the bound */
	uint64_t bound_ns;		/* on latency; 0: none */
	uint32_t bound_percentile;	/* as percent_parse() has it: 99 % */
	uint32_t percentile[BENCH_PERCENTILES];
	unsigned percentiles;
};

/* The load of one worker.  A configuration is one load, or all loads that are
 * released together. */
struct bench_load {
	const char *model;	/* as on the command line */
	enum bench_scenario scenario;
	unsigned inflight;
};

/* ---- Runs ---------------------------------------------------------------- */

/* One inference, 64 bytes.  ns; the first three count from the beginning of the
 * window. */
struct bench_sample {
	uint64_t due;		/* when it should have begun: its arrival, or
				   the beginning of its query */
	uint64_t begin, end;	/* put into the queue, got from it */
	uint64_t create, put, infer, get, clean;	/* struct npu_times */
};

/* The phases of a worker, in order; reported by handshake_phase(). */
enum bench_phase {
	PHASE_START,		/* opens, loads, runs the first, warms up */
	PHASE_READY,		/* waits in handshake_await_go() */
	PHASE_WINDOW,		/* measures */
	PHASE_AFTER,		/* has enough; keeps up the load until
				   bench_run.stop, for those that have not */
	PHASE_CLOSE,		/* closes the model */
	PHASE_OVER,		/* its bench_run is complete */
};

struct bench_trial {		/* of --find-rate */
	double rate;		/* arrivals a second */
	uint64_t n, late;	/* samples that were counted */
	double completed;	/* a second */
	uint64_t latency_ns;	/* upper bound of the percentile; 0: unknown */
	bool met;
};

enum { BENCH_MESSAGE = 1000, BENCH_SENSORS = 32 };

/* The machine during the window, read twice a second.  NAN: not known. */
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
	bool hot;		/* W-HOT */
	double busy;		/* share of all processors, 0 to 1 */
	double idle_busy;	/* the same while idle, before the first run */
	double others;		/* processors kept busy by neither the workers
				   nor this program */
	char holder[64];	/* another process that has the device open,
				   "name (pid)"; "": none */
	double monitor_cores;	/* processors that the monitor itself took */
	double watts, idle_watts;	/* mean of the window; while idle */
	double joules;		/* of the window, by the trapezoidal rule */
	char power[64];		/* the sensors that were added up; "": none */
	char no_power[128];	/* why there are none */
};

/*
 * One worker of one run, followed by its samples, in memory shared with the
 * program that started it.  No pointers.
 */
struct bench_run {
	/* Set by the program before the worker starts. */
	unsigned config;	/* of the sweep, from 0 */
	unsigned run;		/* from 0; a pair of --ab counts as one */
	unsigned process;	/* of the run, from 0 */
	char side;		/* 'A' or 'B'; 0: not --ab */
	uint64_t room;		/* samples that fit behind this */
	double infer_ms;	/* NPU_EMU_INFER_MS of --self-check; 0: not
				   set */
	_Atomic uint32_t go, stop;

	/* Set by the worker; rc and message by the program if it died. */
	_Atomic uint32_t phase;	/* enum bench_phase */
	int rc;			/* 0; enum npu_code; or an exit status:
				   EXIT_FAILED if checksums differ, EXIT_VERDICT
				   if the output breaks --tol */
	char message[BENCH_MESSAGE];	/* "SUBJECT: REASON"; if rc is 0, of
				   the first inference that failed, or "" */
	uint64_t hwm_kib;	/* VmHWM, without the samples' memory */
	struct {
		enum bench_scenario scenario;
		unsigned inflight;
		double rate;	/* server: arrivals a second; of --find-rate,
				   what rate_search() found */
	} load;
	struct {
		uint64_t clock_ns;	/* median cost of reading the clock
					   twice */
		uint64_t init_ns, load_ns;	/* once a process */
		struct bench_sample first;	/* the cold inference; begin
						   is 0 */
		uint64_t warm_n, warm_ns;
		uint64_t failed;	/* while warming up or finding a rate */
	} startup;
	struct {		/* by rate_search() */
		struct bench_trial trial[BENCH_TRIALS];
		unsigned n;
		double low, high;	/* the rate lies between them; 0 and
					   INFINITY: not known */
		bool none;	/* no rate keeps the bound */
	} search;
	struct {
		uint64_t at;	/* clock_ns() */
		uint64_t ns;	/* first begin to last end */
		uint64_t cpu_ns;	/* user and system time in it */
		uint64_t n;	/* samples, without those that failed */
		uint64_t failed;
		uint64_t left;	/* server: arrivals dropped while they waited;
				   none of them kept the bound */
		bool full;	/* ended because the room was used up */
	} window;
	struct {
		uint64_t checksum;	/* of each, as all are alike */
		double ref_cos, ref_max;	/* by reference_compare(); NAN:
						   no --ref */
	} outputs;
	struct {
		char path[PATH_MAX], sha256[65];
		uint64_t bytes;
		/* On the device, at least: once, and for each in flight. */
		uint64_t load_memory, job_memory;
	} model;
	struct {
		char path[PATH_MAX], version[32], driver[32], target[64];
		bool emulator;
	} library;

	/* Set by the program when the window is over. */
	struct bench_readings readings;
};

static inline struct bench_sample *
bench_samples(struct bench_run *r)
{
	return (struct bench_sample *)(r + 1);
}

/* ---- The machine --------------------------------------------------------- */

/* The fingerprint.  "": not known. */
struct bench_machine {
	char board[128], machine[32], cpu[128], kernel[128];
	char firmware[128];	/* the board's: maker and version; the NPU has
				   none (its driver loads no file) */
	char governor[64];	/* "performance"; "mixed: a, b" */
	unsigned cpus;
	double temp_start, temp_end;	/* the hottest sensor, degrees Celsius;
				   NAN: none */
};

/* ---- Verdicts ------------------------------------------------------------ */

enum bench_verdict {
	BENCH_NO_GATE, BENCH_PASS, BENCH_REGRESSION, BENCH_UNSURE
};

/* How BENCH_UNSURE counts (--on-unsure).  UNSURE_STATUS: neither way, with
 * EXIT_NOVERDICT. */
enum bench_unsure { UNSURE_STATUS, UNSURE_PASS, UNSURE_FAIL };

/* One gated metric of one model of one configuration.  Numbers are fractions
 * of the metric (struct gate_line) or in its unit, ms or 1/s. */
struct bench_gated {
	unsigned config, inflight;
	const char *model;	/* a run's */
	char metric[40];	/* "infer p50", "throughput"; "comparison":
				   none of a configuration is compared */
	bool higher;		/* higher is better */
	double before, after;	/* medians of the runs */
	double change, bound, limit;
	bool at_least;
	enum bench_verdict verdict;	/* BENCH_NO_GATE: left out */
	bool final;		/* more runs would not change it */
	char why[400];		/* it was left out or judged without numbers;
				   "": neither */
};

enum { BENCH_GATED = 1024 };

struct bench_verdicts {
	enum bench_verdict verdict;	/* of all metrics */
	struct bench_gated gated[BENCH_GATED];
	unsigned n;
	unsigned runs, stored;	/* new runs, or pairs of --ab; the baseline's */
	const char *against;	/* the baseline's file, or "A against B" */
	char why[1024];		/* what differs, or why there is no verdict */
};

/* ---- A benchmark --------------------------------------------------------- */

/* All that reports are made from. */
struct bench {
	int argc;
	char **argv;
	const struct bench_plan *plan;
	struct bench_machine machine;
	const struct bench_load *load;	/* n_loads of all configurations */
	unsigned *config_of;	/* the configuration of each load */
	unsigned loads, configs, processes;
	struct bench_run **run;	/* in the order in which they ran */
	unsigned runs;
	struct bench_verdicts verdicts;
	int64_t time;		/* of its beginning, seconds since 1970 */
};

#endif
