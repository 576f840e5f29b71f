// SPDX-License-Identifier: Apache-2.0
#include <math.h>

#include "type_range.h"

/* Clips infinity to them, so that only npu_quantise() knows the types. */
bool
type_range_stored(const struct npu_tensor *t, uint8_t q[16])
{
	const float far[2] = { -INFINITY, INFINITY };

	return !npu_dtype_is_float(t->dtype) &&
	    npu_quantise(t, far, 2, q, false, NULL, NULL) == 0;
}

bool
type_range_reals(const struct npu_tensor *t, float x[2])
{
	uint8_t end[16];

	if (!type_range_stored(t, end))
		return false;
	npu_dequantise(t, end, 2, x, NULL);
	return true;
}
