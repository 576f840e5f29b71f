// SPDX-License-Identifier: Apache-2.0
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "base/err.h"
#include "host/proc.h"
#include "host/scan.h"

enum { USER, NICE, SYSTEM, IDLE, IOWAIT, IRQ, SOFTIRQ, STEAL, TICKS };

/* ---- Processors ------------------------------------------------------- */

/* Parses " 2537382 915480 ...": at least four numbers, as in every kernel since
 * 2.6. */
static int
parse_ticks(struct bytes line, struct host_cpu *c, struct npu_err *err)
{
	uint64_t sum = 0;
	unsigned i = 0;

	for (; i < TICKS; i++) {
		scan_blanks(&line);
		if (line.n == 0)
			break;
		if (!scan_uint(&line, &c->ticks[i]) ||
		    (line.n > 0 && *line.p != ' ') ||
		    __builtin_add_overflow(sum, c->ticks[i], &sum))
			return npu_fail(err, NPU_EFORMAT, "number %u of the "
			    "line cpu does not fit in 64 bits", i + 1);
	}
	if (i <= IDLE)
		return npu_fail(err, NPU_EFORMAT, "the line cpu has %u "
		    "numbers, but 4 are needed", i);
	return 0;
}

int
host_parse_stat(struct bytes b, struct host_cpu *c, struct npu_err *err)
{
	struct host_cpu found = { .count = 0 };
	struct bytes line;
	bool any = false;
	int rc;

	while (scan_line(&b, &line)) {
		if (!bytes_start(line, "cpu"))
			continue;
		bytes_sub(line, 3, line.n - 3, &line);
		if (line.n > 0 && *line.p >= '0' && *line.p <= '9')
			found.count++;
		if (any || line.n == 0 || *line.p != ' ')
			continue;
		if ((rc = parse_ticks(line, &found, err)) < 0)
			return rc;
		any = true;
	}
	if (!any)
		return npu_fail(err, NPU_EFORMAT, "has no line cpu");
	found.count += found.count == 0;
	*c = found;
	return 0;
}

struct host_span
host_cpu_span(const struct host_cpu *a, const struct host_cpu *b)
{
	/*
	 * Integers, because in floating point a part of a large sum could be
	 * rounded to more than the sum.  The sums cannot overflow, because they
	 * are at most as large as the sums of b, which do not.
	 */
	uint64_t all = 0, busy = 0, processes = 0;

	for (unsigned i = 0; i < TICKS; i++) {
		uint64_t d = b->ticks[i] > a->ticks[i] ?
		    b->ticks[i] - a->ticks[i] : 0;

		all += d;
		if (i != IDLE && i != IOWAIT)
			busy += d;
		if (i <= SYSTEM)
			processes += d;
	}
	return (struct host_span){ (double)all, (double)busy,
	    (double)processes };
}

double
host_cpu_percent(const struct host_cpu *a, const struct host_cpu *b)
{
	static const struct host_cpu start;
	struct host_span s = host_cpu_span(a, b);

	if (s.all > 0)
		return s.busy < s.all ? 100 * s.busy / s.all : 100;
	if (memcmp(a->ticks, start.ticks, sizeof(a->ticks)) == 0)
		return NAN;
	return host_cpu_percent(&start, b);
}

/* ---- Memory ----------------------------------------------------------- */

enum { TOTAL, AVAILABLE, FREE, BUFFERS, CACHED, ROWS };

static const char *const rows[ROWS] = {
	"MemTotal:", "MemAvailable:", "MemFree:", "Buffers:", "Cached:",
};

int
host_parse_meminfo(struct bytes b, struct host_memory *m, struct npu_err *err)
{
	uint64_t v[ROWS] = { 0 };
	bool has[ROWS] = { false };
	struct bytes line, rest;

	while (scan_line(&b, &line)) {
		for (unsigned i = 0; i < ROWS; i++) {
			if (!bytes_start(line, rows[i]))
				continue;
			bytes_sub(line, strlen(rows[i]), line.n -
			    strlen(rows[i]), &rest);
			scan_blanks(&rest);
			/* Limited: the sum of these values must not
			 * overflow. */
			if (!scan_uint(&rest, &v[i]) || v[i] >> 54 != 0)
				return npu_fail(err, NPU_EFORMAT, "%s is not a "
				    "number of KiB below 2^54", rows[i]);
			has[i] = true;
		}
	}
	if (!has[TOTAL] || v[TOTAL] == 0)
		return npu_fail(err, NPU_EFORMAT, "has no MemTotal");
	if (!has[AVAILABLE] && !has[FREE])
		return npu_fail(err, NPU_EFORMAT,
		    "has neither MemAvailable nor MemFree");
	if (!has[AVAILABLE])
		v[AVAILABLE] = v[FREE] + v[BUFFERS] + v[CACHED];
	m->total = v[TOTAL];
	/* available can exceed the total if the total is a container's
	 * limit. */
	m->available = v[AVAILABLE] < v[TOTAL] ? v[AVAILABLE] : v[TOTAL];
	return 0;
}

double
host_memory_percent(const struct host_memory *m)
{
	double used = (double)(m->total - m->available);
	double total = (double)m->total;

	/* 100 * used / total could be rounded to more than 100. */
	return used < total ? 100 * used / total : 100;
}

/* ---- Interrupts ------------------------------------------------------- */

/* Returns whether device is one of the words of a line.  A comma may follow a
 * word. */
static bool
names_device(struct bytes line, const char *device)
{
	size_t n = strlen(device), i = 0, begin;

	while (i < line.n) {
		begin = i;
		while (i < line.n && line.p[i] != ' ' && line.p[i] != ',' &&
		    line.p[i] != '\t')
			i++;
		if (i - begin == n && memcmp(line.p + begin, device, n) == 0)
			return true;
		i++;
	}
	return false;
}

/* Adds the counts of " 77: 12 0 GICv3 391 Level aipu" to *sum; returns false if
 * the sum exceeds 64 bits. */
static bool
add_interrupts(struct bytes counts, uint64_t *sum)
{
	uint64_t v;

	for (scan_blanks(&counts); scan_uint(&counts, &v) && counts.n > 0 &&
	    (*counts.p == ' ' || *counts.p == '\t'); scan_blanks(&counts))
		if (__builtin_add_overflow(*sum, v, sum))
			return false;
	return true;
}

int
host_parse_interrupts(struct bytes b, const char *device, uint64_t *count,
    struct npu_err *err)
{
	struct bytes line;
	const uint8_t *colon;
	uint64_t sum = 0;
	bool any = false;

	while (scan_line(&b, &line)) {
		colon = line.n > 0 ? memchr(line.p, ':', line.n) : NULL;
		if (colon == NULL)
			continue;
		line.n -= (size_t)(colon + 1 - line.p);
		line.p = colon + 1;
		if (!names_device(line, device))
			continue;
		if (!add_interrupts(line, &sum))
			return npu_fail(err, NPU_EFORMAT, "the interrupts of "
			    "%s are more than 64 bits", device);
		any = true;
	}
	if (!any)
		return npu_fail(err, NPU_EFORMAT, "has no interrupts of %s",
		    device);
	*count = sum;
	return 0;
}

/* ---- Single numbers --------------------------------------------------- */

/* Parses the first number of "0.46 0.50 0.61 2/345 6789" without strtod(). */
static int
parse_decimal(struct bytes b, const char *what, double *v,
    struct npu_err *err)
{
	uint64_t whole, part = 0;
	size_t digits = 0;
	double scale;

	if (!scan_uint(&b, &whole) || whole > UINT32_MAX)
		return npu_fail(err, NPU_EFORMAT,
		    "does not begin with %s", what);
	if (b.n > 0 && *b.p == '.') {
		bytes_sub(b, 1, b.n - 1, &b);
		digits = b.n;
		if (!scan_uint(&b, &part) || (digits -= b.n) > 9)
			return npu_fail(err, NPU_EFORMAT,
			    "does not begin with %s", what);
	}
	if (b.n > 0 && *b.p != ' ' && *b.p != '\n')
		return npu_fail(err, NPU_EFORMAT,
		    "does not begin with %s", what);
	/* The sum in units of the last digit is exact: only the quotient is
	 * rounded. */
	scale = pow(10, (double)digits);
	*v = ((double)whole * scale + (double)part) / scale;
	return 0;
}

int
host_parse_loadavg(struct bytes b, double *load, struct npu_err *err)
{
	return parse_decimal(b, "a load", load, err);
}

int
host_parse_uptime(struct bytes b, double *seconds, struct npu_err *err)
{
	return parse_decimal(b, "a number of seconds", seconds, err);
}

int
host_parse_number(struct bytes b, int64_t *v, struct npu_err *err)
{
	bool minus = b.n > 0 && *b.p == '-';
	uint64_t n;

	if (minus)
		bytes_sub(b, 1, b.n - 1, &b);
	if (!scan_uint(&b, &n) || n > INT64_MAX ||
	    (b.n > 0 && *b.p != '\n'))
		return npu_fail(err, NPU_EFORMAT, "is not a whole number");
	*v = minus ? -(int64_t)n : (int64_t)n;
	return 0;
}
