/* SPDX-License-Identifier: Apache-2.0 */
/* What happened to each frame: it was written, the program reported it as
 * failed, or the emulator made it fail. */
#ifndef TESTS_TOOLS_SOAKING_ACCOUNT_H
#define TESTS_TOOLS_SOAKING_ACCOUNT_H

#include <stdbool.h>
#include <stdint.h>

enum { FRAME = 1024 };		/* bytes, in and out */

/* The faults of a frame: the emulator's names, and npu-run's messages. */
enum kind {
	GONE, LATE, EXCEPTION, COREDUMP, SCHEDULE, ABNORMAL, NOMEM, GRID, KINDS
};
extern const char *const kind_names[KINDS];

struct made {
	uint64_t made, ended, left, most;
};

struct account {
	/* About the run */
	const char *program;
	uint64_t frames;
	uint64_t opened;	/* how often the model must be opened */
	unsigned jobs;		/* in flight */
	double timeout_ms;	/* longer delays are LATE */
	bool reuse, stops;	/* --reuse-job; no -k */
	/* By frame, from 1 */
	bool *right;
	uint8_t *reported;	/* 1 + the kind; 0: not reported */
	uint16_t *met;		/* bits of kinds */
	uint64_t last_right, last_reported;
	uint64_t n_right, n_reported[KINDS], n_met[KINDS];
	uint64_t end;		/* the frame that ended the run, or 0 */
	uint64_t gone;		/* the first frame without a device; 0: the
				   device is there */
	uint64_t hung;		/* jobs that never end */
	struct made context, graph, job;
	unsigned problems;
};

void account_open(struct account *a);
void account_close(struct account *a);

/* Counts a problem, and prints the first few on stderr. */
void complain(struct account *a, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

/* Makes the input of frame n. */
void make_frame(uint64_t n, uint8_t *p);
/* Record an output, and a line of the program's stderr. */
void account_result(struct account *a, const uint8_t *p);
void account_line(struct account *a, const char *line);
/* Returns the status that the lines require: 0; 1: a frame failed; 3: the
 * device is gone. */
int account_status(const struct account *a);
/* Checks all frames against the emulator's log, after the end. */
void account_settle(struct account *a, const char *log);

#endif
