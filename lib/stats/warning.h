/* SPDX-License-Identifier: Apache-2.0 */
/* Signs that samples of a duration may mislead.  Signs of the machine's state,
 * from WARNING_GOV on, are found by cmd/npu-bench/measure/monitor. */
#ifndef STATS_WARNING_H
#define STATS_WARNING_H

#include "stats/summary.h"

enum warning {
	WARNING_FIRST,
	WARNING_OUTLIER,
	WARNING_COV,
	WARNING_HOST,
	WARNING_DRIFT,
	WARNING_SHORT,
	WARNING_AUTO,
	WARNING_GOV,
	WARNING_HOT,
	WARNING_BUSY,
	WARNINGS
};

struct warning_text {
	const char *code;	/* "W-FIRST" */
	const char *text;	/* the condition, in words for a user */
};

/* In the order of enum warning. */
extern const struct warning_text warning_texts[WARNINGS];

/*
 * Returns the warnings that apply to the samples, as bits 1 << WARNING_FIRST
 * and so on.  host: the median time that the host takes around each sample, in
 * the same unit, or NAN; wanted: the number of samples requested.
 */
unsigned warnings_of(const struct summary *s, double host, size_t wanted);

#endif
