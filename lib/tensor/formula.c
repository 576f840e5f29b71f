// SPDX-License-Identifier: Apache-2.0
/* Writes the formula of quant.c as text, with the numbers of a tensor. */
#include <inttypes.h>
#include <stdio.h>

#include "base/num.h"
#include "tensor/tensor.h"

/* Returns the scale.  A scale of 0 in a model means "not quantised"
 * (npu-tensor(5)). */
static float
scale_of(const struct npu_tensor *t)
{
	return t->scale != 0 ? t->scale : 1;
}

static bool
is_plain(const struct npu_tensor *t)
{
	return npu_dtype_is_float(t->dtype) ||
	    (scale_of(t) == 1 && t->zero_point == 0);
}

/* Returns text such as "+ 60" or "- 128". */
static const char *
signed_term(int64_t v, char s[24])
{
	snprintf(s, 24, "%c %" PRId64, v < 0 ? '-' : '+', v < 0 ? -v : v);
	return s;
}

void
tensor_formula(const struct npu_tensor *t, char *buf, size_t n)
{
	char scale[40], zero[24];

	num_format_float(scale_of(t), scale, sizeof(scale));
	if (is_plain(t))
		snprintf(buf, n, "x = q");
	else
		snprintf(buf, n, "x = (q %s) / %s",
		    signed_term(t->zero_point, zero), scale);
}

void
tensor_formula_back(const struct npu_tensor *t, char *buf, size_t n)
{
	char scale[40], zero[24];

	num_format_float(scale_of(t), scale, sizeof(scale));
	if (npu_dtype_is_float(t->dtype))
		snprintf(buf, n, "q = x");
	else if (is_plain(t))
		snprintf(buf, n, "q = clip(rint(x))");
	else
		snprintf(buf, n, "q = clip(rint(x * %s %s))", scale,
		    signed_term(-(int64_t)t->zero_point, zero));
}

double
tensor_step(const struct npu_tensor *t)
{
	return 1 / (double)scale_of(t);
}
