/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Functions that all benchmarks share.  A benchmark reports speed as a ratio to
 * a peer that is measured in the same run.  The two take turns, and the ratio
 * is computed from medians of many turns, as other load then disturbs both
 * equally.
 */
#ifndef BENCH_BENCH_H
#define BENCH_BENCH_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static inline double
now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static inline int
by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* Returns the median of v, and sorts v. */
static inline double
median(double *v, size_t n)
{
	qsort(v, n, sizeof(*v), by_value);
	return v[n / 2];
}

/* Prints one line.  Returns met. */
static inline bool
verdict(const char *what, const char *figures, const char *goal, bool met)
{
	printf("%-34s %-44s goal %-22s %s\n", what, figures, goal,
	    met ? "met" : "MISSED");
	fflush(stdout);
	return met;
}

/* Prints one line without a goal, for information. */
static inline void
figure(const char *what, const char *figures)
{
	printf("%-34s %s\n", what, figures);
	fflush(stdout);
}

static inline void
figure_memory(const char *what, long kib)
{
	char figures[40];

	snprintf(figures, sizeof(figures), "%.1f MiB", (double)kib / 1024);
	figure(what, figures);
}

#endif
