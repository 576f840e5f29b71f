// SPDX-License-Identifier: Apache-2.0
#include <math.h>

#include "base/json.h"
#include "large_number.h"
#include "operations.h"

double
operations_gops(const struct bench_plan *p, double throughput)
{
	return p->ops > 0 ? p->ops * throughput / 1e9 : (double)NAN;
}

double
operations_share(const struct bench_plan *p, double throughput)
{
	return 100 * operations_gops(p, throughput) * 1e9 / p->peak;
}

/* Adds four digits, or all digits before the point. */
static void
add_number(struct buf *out, double v, const char *unit)
{
	buf_printf(out, v < 1000 ? ", %.4g%s" : ", %.0f%s", v, unit);
}

void
operations_text(struct buf *out, const struct bench_plan *p,
    double throughput)
{
	if (!isfinite(operations_gops(p, throughput)))
		return;
	add_number(out, operations_gops(p, throughput), " GOPS");
	add_number(out, operations_share(p, throughput), "% of the peak");
}

void
operations_line(struct buf *out, const struct bench_plan *p,
    double throughput)
{
	if (!isfinite(operations_gops(p, throughput)))
		return;
	buf_puts(out, "operations  ");
	large_number(out, p->ops);
	buf_puts(out, " an inference");
	operations_text(out, p, throughput);
	buf_puts(out, " of ");
	large_number(out, p->peak);
	buf_puts(out, " a second\n");
}

void
operations_json(struct json *j, const struct bench_plan *p,
    double throughput)
{
	json_member_double(j, "gops", operations_gops(p, throughput));
	json_member_double(j, "peak_pct", operations_share(p, throughput));
}
