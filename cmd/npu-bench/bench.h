/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the parts of npu-bench share: what is to be measured, and what was.
 *
 *	npu-bench.c	options, and the order of things
 *	bench_crew	fresh processes, one run each; watches the machine
 *	bench_bell	between them: phases, and the signal to go
 *	bench_run	the inside of such a process: its phases
 *	bench_load	the load shapes, over npu_queue
 *	bench_watch	temperature, frequency, power, others, while they run
 *	bench_host	what machine this is: the fingerprint
 *	bench_stage	samples to statistics
 *	bench_text, bench_json, bench_csv	reports
 *	bench_gate, bench_base, bench_junit	verdicts
 *
 * A run is one process that opens the library, loads the model, warms up and
 * measures.  Several that are released together, for several models or on
 * purpose, are the processes of one run.  Its samples stand in memory that it
 * shares with the program that started it, so that nothing is written, copied
 * or allocated while it measures; that program, which only waits, watches the
 * machine meanwhile.
 */
#ifndef NPU_BENCH_BENCH_H
#define NPU_BENCH_BENCH_H

#include <limits.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "npu.h"

/* ---- What is to be measured --------------------------------------------- */

enum bench_scenario {
	SINGLE_STREAM,		/* the next when the last is done */
	MULTI_STREAM,		/* queries of several samples each */
	OFFLINE,		/* all at once, so many in flight */
	SERVER,			/* arrivals at a rate, whatever the answers */
	SCENARIOS
};
/* Their names, in that order; they end with NULL. */
extern const char *const bench_scenarios[SCENARIOS + 1];

/* A percentage in words, "99.9"; and as keys have it, "p999": with two digits
 * before the point, which is left out, "p05". */
void bench_percent(uint32_t p, char s[11]);
void bench_percent_key(uint32_t p, char s[13]);
/* The percentage of "p99.9_ucb", and what follows it: "_ucb". */
bool bench_stat_percentile(const char *stat, uint32_t *p, const char **rest);

enum {
	BENCH_PERCENTILES = 16,	/* most */
	BENCH_MODELS = 64,	/* most */
	BENCH_TRIALS = 40,	/* rates tried by --find-rate, most */
};

/* Common to all runs.  Durations in ns. */
struct bench_plan {
	const char *preset;		/* "default"; NULL: -n or -t was said */
	uint64_t least_ns, least_n;	/* ends when both are reached, ... */
	uint64_t most_ns, most_n;	/* ... or one of these */
	uint64_t wanted_n;		/* of the preset, for W-SHORT */
	uint64_t warm_ns, warm_n;	/* at least both; 0 and 0: cold */
	uint64_t seed;			/* of inputs and arrivals */
	const char *input;		/* a frame's file, or NULL: drawn */
	const char *ref;		/* outputs as they should be, or NULL */
	const struct tolerance *tol;	/* how nearly; NULL: is only said */
	unsigned per_query;		/* samples; multi-stream */
	double rate;			/* arrivals a second; server */
	bool steady;			/* evenly, not as Poisson's */
	bool find_rate;			/* the highest that keeps the bound */
	uint64_t bound_ns;		/* of latency; 0: none */
	uint32_t bound_percentile;	/* as percent_parse(): 99 % */
	uint32_t percentile[BENCH_PERCENTILES];
	unsigned percentiles;
};

/* What one process of a run does.  A configuration of a sweep is such loads,
 * one, or as many as are released together. */
struct bench_load {
	const char *model;		/* as it was named */
	enum bench_scenario scenario;
	unsigned inflight;
};

/* ---- What was measured --------------------------------------------------- */

/* ns; of 64 bytes.  Moments count from the beginning of the window. */
struct bench_sample {
	uint64_t due;		/* when it was to begin: its arrival; else when
				   its query began */
	uint64_t begin, end;	/* put into the queue, got from it */
	uint64_t create, put, infer, get, clean;	/* struct npu_times */
};

enum bench_phase {		/* in order; said by handshake_phase() */
	PHASE_START,		/* opening, loading, first, warming up */
	PHASE_READY,		/* waits in handshake_await_go() */
	PHASE_WINDOW,		/* is measured */
	PHASE_AFTER,		/* has enough; goes on until bench_run.stop, so
				   that others are not left alone */
	PHASE_CLOSE,		/* closes the model */
	PHASE_OVER,		/* all is said */
};

struct bench_trial {		/* of --find-rate */
	double rate;		/* arrivals a second */
	uint64_t n, latency_ns;	/* upper bound of the percentile; 0: unknown */
	bool met;
};

enum { BENCH_MESSAGE = 1000, BENCH_SENSORS = 32 };

/* The machine during the window, seen twice a second.  NAN: not known. */
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
	double busy;		/* of all processors, 0 to 1 */
	double idle_busy;	/* the same in the 2 s before the first run */
	double others;		/* processors that neither the run's processes
				   nor this program kept busy */
	char holder[64];	/* who else has the device open: "name (pid)";
				   "": nobody */
	double monitor_cores;	/* what the watching itself took */
	double watts, idle_watts;	/* mean of the window; before it */
	double joules;		/* of the window: trapezoid over the samples */
	char power[64];		/* the sensors it is the sum of; "": none */
	char no_power[128];	/* why there is none */
};

/*
 * One process of one run, and behind it its samples, in memory shared with
 * the program that started it.  No pointers.
 */
struct bench_run {
	/* Said before. */
	unsigned config;	/* of the sweep, from 0 */
	unsigned run;		/* from 0; pairs of --ab count as one */
	unsigned process;	/* of the run, from 0 */
	char side;		/* 'A' or 'B'; 0: not --ab */
	uint64_t room;		/* samples behind this */
	double infer_ms;	/* NPU_EMU_INFER_MS of --self-check; 0: as it
				   is */
	_Atomic uint32_t go, stop;

	/* Said by the process. */
	_Atomic uint32_t phase;	/* enum bench_phase */
	int rc;			/* 0; enum npu_code; or an exit status:
				   EXIT_FAILED where sums differ, EXIT_VERDICT
				   where the output is not as in --ref */
	char message[BENCH_MESSAGE];	/* "SUBJECT: REASON" of that; or of the
				   first that failed where rc is 0, or "" */
	enum bench_scenario scenario;
	unsigned inflight;
	double rate;		/* server: offered */
	struct npu_tensor in;	/* not needed by reports but for --explain */
	uint64_t init_ns, load_ns;	/* once a process */
	struct bench_sample first;	/* cold; begin is 0 */
	uint64_t warm_n, warm_ns;
	uint64_t window_at;	/* clock_ns() */
	uint64_t window_ns;	/* first begin to last end */
	uint64_t n;		/* samples; those that failed are not among
				   them */
	uint64_t failed;
	uint64_t failed_before;	/* to warm up, or to find a rate */
	uint64_t left;		/* server: arrivals that were given up, still
				   waiting; none of them kept the bound */
	bool full;		/* ended because room was */
	uint64_t cpu_ns;	/* user and system, in the window */
	uint64_t hwm_kib;	/* VmHWM, without the samples' memory */
	uint64_t clock_ns;	/* median cost of reading the clock twice */
	uint64_t checksum;	/* of the outputs; each the same */
	double ref_cos, ref_max;	/* against --ref; NAN: not asked for */
	struct bench_trial trial[BENCH_TRIALS];
	unsigned trials;
	/* The model and what runs it. */
	char model[PATH_MAX], sha256[65];
	uint64_t model_bytes;
	char library[PATH_MAX], library_version[32], driver[32], target[64];
	bool emulator;

	/* Said afterwards, by the program. */
	struct bench_readings readings;
};

static inline struct bench_sample *
bench_samples(struct bench_run *r)
{
	return (struct bench_sample *)(r + 1);
}

/* This machine.  "": not known. */
struct bench_machine {
	char board[128], machine[32], cpu[128], kernel[128];
	char firmware[128];	/* of the board: its maker and version; the NPU
				   itself has none (its driver loads no file) */
	char governor[64];	/* "performance"; "mixed: a, b" */
	unsigned cpus;
	double temp_start, temp_end;	/* the hottest sensor; NAN: none */
};

enum bench_verdict {
	BENCH_NO_GATE, BENCH_PASS, BENCH_REGRESSION, BENCH_UNSURE
};

/* What BENCH_UNSURE comes to (--on-unsure); UNSURE_STATUS: a status of its own,
 * EXIT_NOVERDICT. */
enum bench_unsure { UNSURE_STATUS, UNSURE_PASS, UNSURE_FAIL };

/* One gated metric of one model of one configuration.  Numbers are fractions
 * of the metric (struct gate_line) or in its unit, ms or 1/s. */
struct bench_gated {
	unsigned config, inflight;
	const char *model;	/* a run's */
	char metric[40];	/* "infer p50", "throughput" */
	bool higher;		/* more is better */
	double before, after;	/* medians of the runs */
	double change, bound, limit;
	bool at_least;
	enum bench_verdict verdict;	/* BENCH_NO_GATE: left out */
	char why[160];		/* left out, or unsure without numbers: why;
				   "" */
};

enum { BENCH_GATED = 1024 };

struct bench_verdicts {
	enum bench_verdict verdict;	/* of all */
	struct bench_gated gated[BENCH_GATED];
	unsigned n;
	unsigned runs, stored;	/* of either side; pairs of --ab */
	const char *against;	/* the baseline's file, or "A against B" */
	char why[1024];		/* nothing could be compared: why; "" */
};

/* All of it, for the reports. */
struct bench {
	int argc;
	char **argv;
	const struct bench_plan *plan;
	struct bench_machine machine;
	const struct bench_load *load;	/* n_loads of all configurations */
	unsigned *config_of;	/* the configuration of each load */
	unsigned loads, configs, processes;
	struct bench_run **run;	/* in the order in which they were made */
	unsigned runs;
	struct bench_verdicts verdicts;
	int64_t time;		/* seconds since 1970, when it began */
};

#endif
