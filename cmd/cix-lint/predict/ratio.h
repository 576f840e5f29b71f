/* SPDX-License-Identifier: Apache-2.0 */
/* A signal-to-noise ratio. */
#ifndef CIX_LINT_PREDICT_RATIO_H
#define CIX_LINT_PREDICT_RATIO_H

#include <math.h>

/* Returns the ratio of two sums of squares in dB; INFINITY without noise. */
static inline double
ratio_db(double signal, double noise)
{
	if (noise <= 0)
		return INFINITY;
	return signal > 0 ? 10 * log10(signal / noise) : -INFINITY;
}

#endif
