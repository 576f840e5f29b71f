// SPDX-License-Identifier: Apache-2.0
/* Writes verdicts in the text report. */
#include <math.h>
#include <string.h>

#include "cmd.h"
#include "report.h"
#include "run_groups.h"

static const char *const verdict_names[] = {
	[BENCH_NO_GATE] = "left out", [BENCH_PASS] = "pass",
	[BENCH_REGRESSION] = "regression", [BENCH_UNSURE] = "inconclusive",
};

/* Returns a percentage, rounded to one decimal, without -0.0. */
static double
percent(double x)
{
	double v = round(1000 * x) / 10;

	return v == 0 ? 0 : v;
}

void
verdict_line(struct buf *out, const struct bench_gated *v)
{
	buf_puts(out, v->metric);
	if (!isnan(v->change))
		buf_printf(out, " %+.1f%% (%s %+.1f%%, limit %+.3g%%)",
		    percent(v->change), v->at_least ? ">=" : "<=",
		    percent(v->bound), 100 * v->limit);
	buf_printf(out, " %s%s%s", verdict_names[v->verdict],
	    *v->why != '\0' ? ": " : "", v->why);
}

/* Ends the line; a name may have contained a newline. */
static void
end_line(struct buf *out, size_t begin)
{
	if (out->failed)
		return;
	cmd_printable(out->p + begin, out->n - begin);
	buf_puts(out, "\n");
}

static void
head(struct buf *out, const struct bench_verdicts *v)
{
	size_t begin = out->n;

	buf_printf(out, "%s, %u run%s", v->against, v->runs,
	    v->runs == 1 ? "" : "s");
	if (v->stored > 0)
		buf_printf(out, " against %u", v->stored);
	end_line(out, begin);
	begin = out->n;
	if (*v->why == '\0')
		return;
	buf_printf(out, "%s%s", v->n == 0 ? "nothing was compared: " : "",
	    v->why);
	end_line(out, begin);
}

/* True if the metrics belong to more than one model and configuration. */
static bool
several(const struct bench_verdicts *v)
{
	for (unsigned i = 1; i < v->n; i++)
		if (v->gated[i].config != v->gated[0].config ||
		    strcmp(v->gated[i].model, v->gated[0].model) != 0)
			return true;
	return false;
}

void
verdict_text(struct buf *out, const struct bench *b)
{
	const struct bench_verdicts *v = &b->verdicts;
	bool many = several(v);
	char name[200];
	size_t begin;

	if (v->verdict == BENCH_NO_GATE)
		return;
	head(out, v);
	for (unsigned i = 0; i < v->n; i++) {
		begin = out->n;
		model_name(name, b, v->gated[i].model, sizeof(name));
		if (many)
			buf_printf(out, "%s, %u in flight: ", name,
			    v->gated[i].inflight);
		verdict_line(out, &v->gated[i]);
		end_line(out, begin);
	}
	buf_printf(out, "verdict: %s\n", verdict_names[v->verdict]);
}
