// SPDX-License-Identifier: Apache-2.0
#include <math.h>

#include "base/err.h"

/* Adds up eight sums in parallel.  This is vectorised, and the result is the
 * same on every machine. */
static double
sum_of_squares(const float *x, size_t n)
{
	double sum[8] = { 0 }, total = 0;
	size_t i;

	for (i = 0; n - i >= 8; i += 8)
		for (size_t k = 0; k < 8; k++)
			sum[k] += (double)x[i + k] * (double)x[i + k];
	for (size_t k = 0; k < 8; k++)
		total += sum[k];
	for (; i < n; i++)
		total += (double)x[i] * (double)x[i];
	return total;
}

int
npu_l2_normalise(float *x, size_t n, struct npu_err *err)
{
	double norm;
	int rc;

	if (n > 0 && (rc = npu_need(x, "npu_l2_normalise(): x", err)) < 0)
		return rc;
	norm = sqrt(sum_of_squares(x, n));
	if (norm == 0)
		return npu_fail(err, NPU_EUSAGE,
		    "the vector is zero and has no direction");
	if (!isfinite(norm))
		return npu_fail(err, NPU_EUSAGE,
		    "the vector contains NaN or infinity");
	for (size_t i = 0; i < n; i++)
		x[i] = (float)((double)x[i] / norm);
	return 0;
}
