// SPDX-License-Identifier: Apache-2.0
#include <math.h>
#include <stdbool.h>

#include "stats/warning.h"

const struct warning_text warning_texts[WARNINGS] = {
	[WARNING_FIRST] = { "W-FIRST",
	    "the first timed sample is an outlier" },
	[WARNING_OUTLIER] = { "W-OUTLIER",
	    "samples lie more than 14.826 MAD from the median" },
	/* trtexec, kUNSTABLE_PERF_REPORTING_THRESHOLD */
	[WARNING_COV] = { "W-COV",
	    "the standard deviation is more than 2.5 % of the mean" },
	/* trtexec, kENQUEUE_BOUND_REPORTING_THRESHOLD */
	[WARNING_HOST] = { "W-HOST",
	    "the host takes more than 0.8 of the time of the inference" },
	[WARNING_DRIFT] = { "W-DRIFT",
	    "the last third differs by more than 2 % from the first" },
	[WARNING_SHORT] = { "W-SHORT",
	    "fewer samples than were asked for" },
	[WARNING_AUTO] = { "W-AUTO",
	    "samples follow their predecessors: worth less than half their "
	    "number" },
	/* google/benchmark, docs/reducing_variance.md */
	[WARNING_GOV] = { "W-GOV",
	    "a processor's frequency governor is not performance" },
	[WARNING_HOT] = { "W-HOT",
	    "the temperature rose by more than 10 K, or a frequency dropped" },
	[WARNING_BUSY] = { "W-BUSY",
	    "others kept a processor busy for more than 5 %, or hold the "
	    "device" },
};

/* A comparison with NAN is false: an unknown value does not cause a warning. */
unsigned
warnings_of(const struct summary *s, double host, size_t wanted)
{
	const bool holds[WARNINGS] = {
		[WARNING_FIRST] = s->first_slow,
		[WARNING_OUTLIER] = s->outliers > 0,
		[WARNING_COV] = s->cov > 0.025,
		[WARNING_HOST] = host > 0.8 * s->median,
		[WARNING_DRIFT] = fabs(s->drift) > 0.02,
		[WARNING_SHORT] = s->n < wanted,
		[WARNING_AUTO] = s->effective < (double)s->n / 2,
	};
	unsigned found = 0;

	for (int i = 0; i < WARNINGS; i++)
		found |= (unsigned)holds[i] << i;
	return found;
}
