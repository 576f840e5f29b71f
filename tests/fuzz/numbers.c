// SPDX-License-Identifier: Apache-2.0
/*
 * Numbers, durations and percentages as users type them are within the
 * requested range, and unchanged when they are written and read again.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "stats/percentile.h"

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n);

static void
check_int(const char *s)
{
	struct npu_err err = { 0 };
	int64_t v = 77, again = 78;
	char text[40];

	if (num_int(s, -1000, INT64_MAX, &v, &err) < 0) {
		if (v != 77 || err.msg[0] == '\0')
			abort();
		return;
	}
	snprintf(text, sizeof(text), "%" PRId64, v);
	if (v < -1000 || num_int(text, INT64_MIN, INT64_MAX, &again, &err) < 0
	    || again != v)
		abort();
}

static void
check_size(const char *s)
{
	struct npu_err err = { 0 };
	int64_t v = 77, n = 78;

	if (num_size(s, 1, (int64_t)1 << 40, &v, &err) < 0) {
		if (v != 77 || err.msg[0] == '\0')
			abort();
	} else if (v < 1 || v > (int64_t)1 << 40) {
		abort();
	}
	if (num_int(s, 1, (int64_t)1 << 40, &n, &err) == 0 && n != v)
		abort();
}

static void
check_double(const char *s)
{
	double v = 77, again = 78;
	struct npu_err err;
	char text[60];

	if (num_double(s, -1e300, 1e300, &v, &err) < 0) {
		if (v != 77)
			abort();
		return;
	}
	if (!(v >= -1e300 && v <= 1e300))
		abort();
	num_format_double(v, text, sizeof(text));
	if (num_double(text, -1e300, 1e300, &again, &err) < 0 || again != v)
		abort();
	num_format_float((float)v, text, sizeof(text));
	if (isfinite((float)v) && (num_double(text, -1e300, 1e300, &again,
	    &err) < 0 || (float)again != (float)v))
		abort();
}

/* Milliseconds are rounded up: the result is never less than the duration. */
static void
check_times(const char *s)
{
	struct npu_err err;
	int64_t ns = -77;
	int32_t ms = 0;

	if (num_duration_ns(s, &ns, &err) < 0 ? ns != -77 : ns < 0)
		abort();
	if (num_duration_ms(s, &ms, &err) < 0) {
		if (ms != 0)
			abort();
	} else if (ms != -1 && (ms < 1 || (ns >= 0 &&
	    (int64_t)ms < ns / 1000000))) {
		abort();
	}
}

int
LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	char *s = malloc(n + 1);
	struct npu_err err;
	uint32_t percent = 77;

	memcpy(s, p, n);
	s[n] = '\0';
	check_int(s);
	check_size(s);
	check_double(s);
	check_times(s);
	if (percent_parse(s, &percent, &err) < 0 ? percent != 77 :
	    percent > 100 * PERCENT)
		abort();
	free(s);
	return 0;
}
