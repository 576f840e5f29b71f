// SPDX-License-Identifier: Apache-2.0
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/file.h"
#include "base/num.h"
#include "cmd.h"
#include "compare.h"
#include "gate.h"
#include "npu-bench/measure/stage_stats.h"
#include "stats/gate.h"
#include "stats/percentile.h"

const struct bench_gate bench_gate_default = {
	.regress = 0.05, .min_delta_ms = 0.1, .max_runs = 10,
	.metrics = { { { "infer", "p50" }, { "e2e", "p50" },
	    { "infer", "p99_ucb" }, { "throughput", "" } }, 4 },
};

/* ---- Options ---------------------------------------------------------- */

size_t
bench_gate_need(const struct bench_metric *m)
{
	const char *rest;
	uint32_t p;

	return bench_stat_percentile(m->stat, &p, &rest) ?
	    percentile_need(p, 1) : 1;
}

static void
parse_metric(struct bench_gate *g, char *name)
{
	struct bench_metrics *all = &g->metrics;
	struct bench_metric m = { 0 };
	char *stat = strchr(name, ':');
	const char *rest;
	uint32_t p;

	if (all->n == BASELINE_METRICS)
		cmd_usage("--metrics: more than %d", BASELINE_METRICS);
	if (stat != NULL)
		*stat++ = '\0';
	snprintf(m.stage, sizeof(m.stage), "%s", name);
	snprintf(m.stat, sizeof(m.stat), "%s", stat != NULL ? stat : "");
	if (strlen(name) >= sizeof(m.stage) || (stat != NULL &&
	    (*stat == '\0' || strlen(stat) >= sizeof(m.stat))) ||
	    !bench_is_stat(m.stage, m.stat))
		cmd_usage("--metrics: '%s%s%s' is neither a stage and a "
		    "statistic, such as infer:p50 or e2e:p99_ucb, nor "
		    "throughput", name, stat != NULL ? ":" : "",
		    stat != NULL ? stat : "");
	if (strcmp(m.stat, "max") == 0 ||
	    (bench_stat_percentile(m.stat, &p, &rest) && p > 99 * PERCENT))
		cmd_usage("--metrics: %s:%s depends on too few samples to "
		    "be gated; 99 is the highest percentile", m.stage, m.stat);
	for (unsigned i = 0; i < all->n; i++)
		if (memcmp(&all->metric[i], &m, sizeof(m)) == 0)
			cmd_usage("--metrics: %s%s%s is there twice", m.stage,
			    *m.stat != '\0' ? ":" : "", m.stat);
	all->metric[all->n++] = m;
}

void
bench_gate_parse_metrics(struct bench_gate *g, const char *arg)
{
	char *copy = cmd_copy(arg), *rest = copy, *one;

	g->metrics.n = 0;
	while ((one = strsep(&rest, ",")) != NULL)
		parse_metric(g, one);
	free(copy);
}

void
bench_gate_parse_regress(struct bench_gate *g, const char *arg)
{
	size_t n = strlen(arg);
	char number[32];
	double v;

	if (n < 2 || n > sizeof(number) || arg[n - 1] != '%')
		cmd_usage("--max-regress: '%s' is not a percentage; write 5%%",
		    arg);
	memcpy(number, arg, n - 1);
	number[n - 1] = '\0';
	if (num_double(number, 0.01, 1000, &v, NULL) < 0)
		cmd_usage("--max-regress: '%s' is not from 0.01%% to 1000%%",
		    arg);
	g->regress = v / 100;
}

void
bench_gate_parse_min_delta(struct bench_gate *g, const char *arg)
{
	struct npu_err err;
	int64_t ns;

	if (num_duration_ns(arg, &ns, &err) < 0)
		cmd_usage("--min-delta: %s", err.msg);
	g->min_delta_ms = (double)ns / 1e6;
}

const char *const unsure_names[] = { "pass", "fail", NULL };

void
bench_gate_parse_unsure(struct bench_gate *g, const char *arg)
{
	g->unsure = cmd_choice("--on-unsure", arg, unsure_names) == 0 ?
	    UNSURE_PASS : UNSURE_FAIL;
}

/* Refuses too few runs: no measurement could then lead to a verdict. */
static int
check_runs(const struct bench_points *stored, struct npu_err *err)
{
	unsigned n = compare_runs(stored);

	if (n >= GATE_LEAST || n == 0)
		return 0;
	return npu_fail(err, NPU_EFORMAT, "it has %u run%s, and a verdict "
	    "takes %d; --save it with --runs=%d or more", n, n == 1 ? "" : "s",
	    GATE_LEAST, GATE_LEAST);
}

int
bench_gate_open(struct bench_gate *g, unsigned loads, struct npu_err *err)
{
	struct buf text = { 0 };
	int fd, rc;

	if (loads > BENCH_GATED / g->metrics.n)
		cmd_usage("--metrics: %u of %u models or numbers in flight "
		    "are more than %d verdicts", g->metrics.n, loads,
		    BENCH_GATED);
	if (g->baseline == NULL)
		return 0;
	if ((fd = cmd_try_open_input(g->baseline)) < 0)
		return npu_fail(err, NPU_ESYSTEM, "%s: %s%s", g->baseline,
		    strerror(errno), errno == ENOENT ? "; --save makes one" :
		    "");
	rc = file_read(fd, BASELINE_BYTES, &text, err);
	if (rc == 0)
		rc = baseline_read((struct bytes){ (const uint8_t *)text.p,
		    text.n }, &g->metrics, &g->stored, err);
	if (rc == 0)
		rc = check_runs(&g->stored, err);
	if (rc < 0)
		npu_prefix(err, rc, "%s", cmd_input_name(g->baseline));
	if (fd != STDIN_FILENO)
		close(fd);
	buf_free(&text);
	return rc;
}

/* ---- Verdicts --------------------------------------------------------- */

/* True if another run could lead to a verdict on a metric. */
static bool
lacks_verdict(const struct bench_verdicts *v)
{
	for (unsigned i = 0; i < v->n; i++)
		if (v->gated[i].verdict == BENCH_UNSURE &&
		    !v->gated[i].final)
			return true;
	return false;
}

bool
bench_gate_wants_more(const struct bench_gate *g, const struct bench *b,
    unsigned least)
{
	const struct bench_verdicts *v = &b->verdicts;

	if (v->n == 0 && v->runs > 0)
		return false;
	return v->runs < least || (v->verdict == BENCH_UNSURE &&
	    v->runs < g->max_runs && lacks_verdict(v));
}

int
bench_gate_status(const struct bench_gate *g, const struct bench *b)
{
	switch (b->verdicts.verdict) {
	case BENCH_REGRESSION: return EXIT_VERDICT;
	case BENCH_UNSURE: break;
	default: return EXIT_DONE;
	}
	switch (g->unsure) {
	case UNSURE_PASS: return EXIT_DONE;
	case UNSURE_FAIL: return EXIT_VERDICT;
	default: return EXIT_NOVERDICT;
	}
}
