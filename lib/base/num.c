// SPDX-License-Identifier: Apache-2.0
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/locale.h"
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

/* Parses like strtod(), but refuses hexadecimal numbers, infinity and NaN. */
static bool
decimal(const char *s, double *v, char **end)
{
	const char *digits = s + (*s == '-' || *s == '+');
	locale_t before;

	if (!isdigit((unsigned char)*digits) && *digits != '.')
		return false;
	if (digits[0] == '0' && (digits[1] == 'x' || digits[1] == 'X'))
		return false;
	before = locale_begin_c();
	*v = strtod(s, end);
	locale_end(before);
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

struct unit {
	const char *name;
	double factor;
};

/* Parses a number of 0 or more, followed by one of n units. */
static bool
with_unit(const char *s, const struct unit *units, size_t n, double *v)
{
	char *end;

	if (!decimal(s, v, &end) || *v < 0)
		return false;
	for (size_t i = 0; i < n; i++) {
		if (strcmp(end, units[i].name) == 0) {
			*v *= units[i].factor;
			return true;
		}
	}
	return false;
}

/* Parses a duration of 0 or more, in ms. */
static bool
duration(const char *s, double *ms)
{
	static const struct unit units[] = {
		{ "us", 1e-3 }, { "ms", 1 }, { "s", 1e3 }, { "", 1e3 },
		{ "min", 6e4 }, { "h", 36e5 }, { "d", 864e5 },
	};

	return with_unit(s, units, sizeof(units) / sizeof(*units), ms) &&
	    *ms <= INT32_MAX;
}

int
num_size(const char *s, int64_t least, int64_t most, int64_t *v,
    struct npu_err *err)
{
	static const struct unit units[] = {
		{ "", 1 }, { "k", 1e3 }, { "M", 1e6 }, { "G", 1e9 },
		{ "KiB", 0x1p10 }, { "MiB", 0x1p20 }, { "GiB", 0x1p30 },
	};
	double n, given;

	if (num_int(s, least, most, v, NULL) == 0)
		return 0;
	if (!with_unit(s, units, sizeof(units) / sizeof(*units), &given))
		given = NAN;
	/*
	 * The product must be whole, apart from the rounding of the decimal and
	 * of the multiplication: 16.1k is 16100.000000000002.  Up to 2^53 a
	 * double is exact.
	 */
	n = rint(given);
	if (!(n <= 0x1p53 && fabs(given - n) <= given * 0x1p-51) ||
	    (int64_t)n < least || (int64_t)n > most)
		return npu_fail(err, NPU_EUSAGE, "'%s' is not a whole number "
		    "from %" PRId64 " to %" PRId64 ", such as 500k, 100M or "
		    "64MiB", s, least, most);
	*v = (int64_t)n;
	return 0;
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
		    "0 such as 500ms, 10s, 2min or 1h, at most 24d, nor "
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
		    "as 100us, 0.5ms, 10s or 1h, at most 24d", s);
	*ns = llrint(n * 1e6);
	return 0;
}

/* printf() prints the sign of a NaN, which has no meaning and which numpy
 * leaves out. */
static bool
format_nan(double v, char *buf, size_t n)
{
	if (isnan(v))
		snprintf(buf, n, "nan");
	return isnan(v);
}

void
num_format_double(double v, char *buf, size_t n)
{
	locale_t before;
	int digits = 6;

	if (format_nan(v, buf, n))
		return;
	before = locale_begin_c();
	do {
		snprintf(buf, n, "%.*g", digits, v);
	} while (strtod(buf, NULL) != v && ++digits <= 17);
	locale_end(before);
}

/*
 * Rounds v, at least 1e-4 and below 1, to this number of significant digits:
 * sets *d to the digits and *where to the position of the last digit after the
 * point.  Returns true if they read back as v.
 *
 * The calculation is exact: v is m / 2^shift, so v 10^k is
 * m 5^k / 2^(shift - k).  The number reads back as v if rounding changes it by
 * less than half a step of m, that is by less than 5^k / 2.  Just below a power
 * of 2 the steps are half as large, and the limit is 5^k / 4.
 */
static bool
decimals(float v, int digits, uint64_t *d, int *where)
{
	static const uint64_t five[] = { 15625, 78125, 390625, 1953125,
	    9765625, 48828125, 244140625 };	/* from 5^6 on */
	const int zeros = v >= 1e-1f ? 0 : v >= 1e-2f ? 1 : v >= 1e-3f ? 2 : 3;
	const int k = digits + zeros;
	uint64_t n, half, back;
	uint32_t bits, m;
	int shift;

	memcpy(&bits, &v, sizeof(bits));
	m = (bits & 0x7fffff) | 0x800000;
	shift = 150 - (int)(bits >> 23) - k;
	n = m * five[k - 6];
	half = (uint64_t)1 << (shift - 1);
	*d = (n + half - 1 + (n >> shift & 1)) >> shift;
	*where = k;
	back = *d << shift;
	if (back >= n)
		return 2 * (back - n) < five[k - 6];
	return (m == 0x800000 ? 4 : 2) * (n - back) < five[k - 6];
}

/* Formats numbers from 1e-4 to .999999, the most frequent in vectors of length
 * 1.  Returns false for other numbers. */
static bool
format_fraction(float v, char *buf, size_t size)
{
	const float a = fabsf(v);
	int digits = 6, n;
	uint64_t d;
	char *p;

	if (!(a >= 1e-4f && a < .999999f) || size < 16)
		return false;
	while (!decimals(a, digits, &d, &n))
		digits++;
	for (; d % 10 == 0; d /= 10)
		n--;
	*buf = '-';
	p = buf + (v < 0);
	memcpy(p, "0.", 2);
	for (p[n + 2] = '\0'; n > 0; n--, d /= 10)
		p[n + 1] = (char)('0' + d % 10);
	return true;
}

void
num_format_float(float v, char *buf, size_t n)
{
	locale_t before;
	int digits = 6;

	if (format_fraction(v, buf, n) || format_nan((double)v, buf, n))
		return;
	before = locale_begin_c();
	do {
		snprintf(buf, n, "%.*g", digits, (double)v);
	} while (strtof(buf, NULL) != v && ++digits <= 9);
	locale_end(before);
}

const char *
num_plural(uint64_t n)
{
	return n == 1 ? "" : "s";
}
