// SPDX-License-Identifier: Apache-2.0
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "value_stats.h"

/* Asks npu_quantise(), the only function that knows the types: it clips
 * infinity to their limits. */
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

void
value_stats_add(struct value_stats *s, const float *x, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		double v = (double)x[i];

		if (isnan(v)) {
			s->nan++;
			continue;
		}
		if (s->n == 0 || v < s->min)
			s->min = v;
		if (s->n == 0 || v > s->max)
			s->max = v;
		s->n++;
		s->sum += v;
		s->squares += v * v;
	}
}

void
value_stats_add_stored(struct value_stats *s, uint32_t dtype, const void *q,
    size_t n)
{
	const struct npu_tensor t = { .dtype = dtype, .scale = 1 };
	size_t size = npu_dtype_size(dtype);
	const uint8_t *p = q;
	uint8_t end[16];
	uint16_t v = 0;

	if (size > sizeof(v) || !type_range_stored(&t, end))
		return;
	if (s->seen == NULL)
		s->seen = cmd_alloc(65536);
	s->has_levels = true;
	for (size_t i = 0; i < n; i++, p += size) {
		memcpy(&v, p, size);
		s->seen[v] = 1;
		s->at_ends += memcmp(p, end, size) == 0 ||
		    memcmp(p, end + size, size) == 0;
	}
}

void
value_stats_report(const struct value_stats *s, const char *what)
{
	char rest[160] = "";
	unsigned levels = 0;
	double n = (double)s->n, mean = s->sum / n;

	/* NaN here is the mean of two infinities: processors set different
	 * signs. */
	if (isnan(mean))
		mean = (double)NAN;
	for (unsigned i = 0; s->has_levels && i < 65536; i++)
		levels += s->seen[i];
	if (s->has_levels)
		snprintf(rest, sizeof(rest), ", %u levels, %" PRIu64 " at the "
		    "ends of the range", levels, s->at_ends);
	if (s->nan > 0)
		snprintf(rest + strlen(rest), sizeof(rest) - strlen(rest),
		    ", %" PRIu64 " NaN", s->nan);
	if (s->n == 0) {
		cmd_warn("%s: no elements%s", what, rest);
		return;
	}
	cmd_warn("%s: %" PRIu64 " element%s in %" PRIu64 " tensor%s: min %.7g, "
	    "max %.7g, mean %.7g, rms %.7g%s", what, s->n + s->nan,
	    s->n + s->nan == 1 ? "" : "s", s->tensors,
	    s->tensors == 1 ? "" : "s", s->min, s->max, mean,
	    sqrt(s->squares / n), rest);
}
