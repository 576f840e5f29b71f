// SPDX-License-Identifier: Apache-2.0
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/num.h"

int
num_int(const char *s, int64_t least, int64_t most, int64_t *v,
    struct npu_err *err)
{
	const char *digits = s + (*s == '-' || *s == '+');
	bool hex = digits[0] == '0' && (digits[1] == 'x' || digits[1] == 'X');
	char *end;
	long long n;

	errno = 0;
	n = strtoll(s, &end, hex ? 16 : 10);
	if (!isdigit((unsigned char)*digits) || *end != '\0' || errno != 0 ||
	    n < least || n > most)
		return npu_fail(err, NPU_EUSAGE,
		    "'%s' is not a whole number from %" PRId64 " to %" PRId64,
		    s, least, most);
	*v = n;
	return 0;
}

/* strtod() without its hexadecimal, infinite and NaN forms. */
static bool
decimal(const char *s, double *v, char **end)
{
	const char *digits = s + (*s == '-' || *s == '+');

	if (!isdigit((unsigned char)*digits) && *digits != '.')
		return false;
	if (digits[0] == '0' && (digits[1] == 'x' || digits[1] == 'X'))
		return false;
	*v = strtod(s, end);
	return *end != s && isfinite(*v);
}

int
num_double(const char *s, double least, double most, double *v,
    struct npu_err *err)
{
	char *end;
	double n;

	if (!decimal(s, &n, &end) || *end != '\0' || n < least || n > most)
		return npu_fail(err, NPU_EUSAGE,
		    "'%s' is not a number from %g to %g", s, least, most);
	*v = n;
	return 0;
}

/* A duration from 0 on, in ms. */
static bool
duration(const char *s, double *ms)
{
	static const struct {
		const char *name;
		double ms;
	} units[] = {
		{ "us", 1e-3 }, { "ms", 1 }, { "s", 1e3 }, { "", 1e3 },
		{ "min", 6e4 },
	};
	char *end;
	double n;

	if (!decimal(s, &n, &end) || n < 0)
		return false;
	for (size_t i = 0; i < sizeof(units) / sizeof(*units); i++) {
		if (strcmp(end, units[i].name) == 0) {
			*ms = n * units[i].ms;
			return *ms <= INT32_MAX;
		}
	}
	return false;
}

int
num_duration_ms(const char *s, int32_t *ms, struct npu_err *err)
{
	double n;

	if (strcmp(s, "none") == 0) {
		*ms = -1;
		return 0;
	}
	if (!duration(s, &n) || n == 0)
		return npu_fail(err, NPU_EUSAGE, "'%s' is not a duration above "
		    "0 such as 500ms, 10s or 2min, at most 35000min, nor "
		    "'none'", s);
	*ms = (int32_t)ceil(n);
	return 0;
}

int
num_duration_ns(const char *s, int64_t *ns, struct npu_err *err)
{
	double n;

	if (!duration(s, &n))
		return npu_fail(err, NPU_EUSAGE, "'%s' is not a duration such "
		    "as 100us, 0.5ms or 10s, at most 35000min", s);
	*ns = llrint(n * 1e6);
	return 0;
}

void
num_format_double(double v, char *buf, size_t n)
{
	for (int digits = 6; digits <= 17; digits++) {
		snprintf(buf, n, "%.*g", digits, v);
		if (strtod(buf, NULL) == v)
			return;
	}
}

void
num_format_float(float v, char *buf, size_t n)
{
	for (int digits = 6; digits <= 9; digits++) {
		snprintf(buf, n, "%.*g", digits, (double)v);
		if (strtof(buf, NULL) == v)
			return;
	}
}
