/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The fate of each frame: written, reported as failed by the program, made to
 * fail by the emulator.
 */
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
	uint64_t opened;	/* how often the model must be */
	unsigned jobs;		/* in flight */
	double timeout_ms;	/* delays above it are LATE */
	bool reuse, stops;	/* --reuse-job; no -k */
	/* By frame, from 1 */
	bool *right;
	uint8_t *reported;	/* a kind and 1; 0: not */
	uint16_t *met;		/* bits of kinds */
	uint64_t last_right, last_reported;
	uint64_t n_right, n_reported[KINDS], n_met[KINDS];
	uint64_t end;		/* the frame that ended it; 0: none did */
	uint64_t gone;		/* from this frame on there is no device;
				   0: there is */
	uint64_t hung;		/* jobs that never end */
	struct made context, graph, job;
	unsigned problems;
};

void account_open(struct account *a);
void account_close(struct account *a);

/* Something is wrong: a line on stderr, of the first few. */
void complain(struct account *a, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

/* The input of frame n. */
void make_frame(uint64_t n, uint8_t *p);
/* Notes an output; notes a line of the program's stderr. */
void account_result(struct account *a, const uint8_t *p);
void account_line(struct account *a, const char *line);
/* The status that follows from the lines: 0; 1, a frame failed; 3, there is
 * no device any more. */
int account_status(const struct account *a);
/* Checks all frames, after the end, against the emulator's log. */
void account_settle(struct account *a, const char *log);

#endif
