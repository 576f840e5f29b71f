/* SPDX-License-Identifier: Apache-2.0 */
/* Made-up runs and documents for tests of the gate. */
#ifndef TESTS_UNIT_NPU_BENCH_MADE_RUNS_H
#define TESTS_UNIT_NPU_BENCH_MADE_RUNS_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd.h"
#include "npu-bench/gate/gate.h"
#include "npu-bench/report/report.h"
#include "tap.h"

#define SHA "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"

enum { MOST = 600, SAMPLES = 700 };

static struct bench_run *made[MOST];
static struct bench_load loads[2] = { { "m.cix", SINGLE_STREAM, 1 },
    { "n.cix", SINGLE_STREAM, 1 } };
static struct bench_plan plan = { .per_query = 8 };
static struct bench bench;

static inline void
begin(void)
{
	for (unsigned i = 0; i < bench.runs; i++)
		free(made[i]);
	plan = (struct bench_plan){ .per_query = 8 };
	bench = (struct bench){ .plan = &plan, .run = made, .load = loads,
	    .loads = 1, .configs = 1, .time = 1700000000 };
	strcpy(bench.machine.board, "O6");
	strcpy(bench.machine.governor, "performance");
	strcpy(bench.machine.cpu, "A720");
}

/* Adds a run of n samples, one after the other.  Each has infer_ms for the
 * stage infer, and 1 ms for the stage put. */
static inline struct bench_run *
add(char side, unsigned run, double infer_ms, uint64_t n)
{
	struct bench_run *r = calloc(1, sizeof(*r) +
	    n * sizeof(struct bench_sample));
	uint64_t infer = (uint64_t)(infer_ms * 1e6), whole = infer + 1000000;

	if (r == NULL || bench.runs == MOST)
		abort();
	r->side = side;
	r->run = run;
	r->room = r->window.n = n;
	r->load.inflight = 1;
	r->window.ns = n * whole;
	strcpy(r->model.path, "m.cix");
	strcpy(r->model.sha256, SHA);
	strcpy(r->library.driver, "5.11.0");
	strcpy(r->library.version, "0.6.0");
	for (uint64_t i = 0; i < n; i++)
		bench_samples(r)[i] = (struct bench_sample){
		    .due = i * whole, .begin = i * whole, .end = (i + 1) *
		    whole, .put = 1000000, .infer = infer };
	made[bench.runs++] = r;
	return r;
}

static inline struct bench_gate
gate(const char *baseline)
{
	struct bench_gate g = bench_gate_default;

	if (baseline != NULL)
		g.baseline = baseline;
	else
		g.a = g.b = "";
	return g;
}

static inline const struct bench_gated *
metric(const char *name)
{
	for (unsigned i = 0; i < bench.verdicts.n; i++)
		if (strcmp(bench.verdicts.gated[i].metric, name) == 0)
			return &bench.verdicts.gated[i];
	return NULL;
}

static inline bool
line_is(const char *name, const char *wanted)
{
	const struct bench_gated *v = metric(name);
	struct buf line = { 0 };
	bool same;

	if (v == NULL)
		return false;
	verdict_line(&line, v);
	same = line.n == strlen(wanted) && memcmp(line.p, wanted, line.n) == 0;
	if (!same)
		diag("%.*s", (int)line.n, line.p);
	buf_free(&line);
	return same;
}

/* Makes n pairs of runs: infer takes before ms in A and after ms in B. */
static inline void
pairs(unsigned n, double before, double after, uint64_t samples)
{
	begin();
	for (unsigned i = 0; i < n; i++) {
		add('A', i, before, samples);
		add('B', i, after, samples);
	}
}

static inline bool
text_is(const char *wanted)
{
	struct buf text = { 0 };
	bool same;

	verdict_text(&text, &bench);
	same = text.n == strlen(wanted) && (text.n == 0 ||
	    memcmp(text.p, wanted, text.n) == 0);
	if (!same)
		diag("%.*s", (int)text.n, text.p);
	buf_free(&text);
	return same;
}

static inline bool
why_is(const char *wanted)
{
	if (strcmp(bench.verdicts.why, wanted) == 0)
		return true;
	diag("%s", bench.verdicts.why);
	return false;
}

static const char document[] = "{\"schema\":\"npu-bench/1\",\"host\":{"
    "\"board\":\"O6\",\"driver\":\"5.11.0\",\"libnoe\":\"0.6.0\","
    "\"governor\":\"performance\",\"cpu\":\"A720\",\"emulator\":false},"
    "\"models\":[{\"path\":\"old/m.cix\",\"sha256\":\"" SHA "\"}],\"runs\":[";

/* Reads a document with runs of 1 and 2 in flight, whose infer p50 is 10 and 20
 * ms.  In the document, edit is replaced by by. */
static inline void
store(struct bench_gate *g, const char *edit, const char *by)
{
	struct buf b = { 0 };
	struct npu_err err;
	char *at;

	buf_puts(&b, document);
	for (int i = 0; i < 6; i++)
		buf_printf(&b, "%s{\"model\":\"old/m.cix\",\"side\":null,"
		    "\"scenario\":\"single-stream\",\"inflight\":%d,"
		    "\"config\":%d,\"run\":%d,\"process\":0,\"n\":700,"
		    "\"throughput\":null,\"stages\":{\"infer\":{\"p50_ms\":%d"
		    "}}}", i > 0 ? "," : "", i % 2 + 1, i % 2, i / 2,
		    10 * (i % 2 + 1));
	buf_add(&b, "]}", 3);
	while (edit != NULL && (at = strstr(b.p, edit)) != NULL)
		memcpy(at, by, strlen(by));
	if (baseline_read((struct bytes){ (uint8_t *)b.p, b.n - 1 },
	    &g->metrics, &g->stored, &err) < 0)
		diag("%s", err.msg);
	buf_free(&b);
}

static inline void
fresh(double ms, unsigned inflight)
{
	begin();
	for (unsigned i = 0; i < 3; i++)
		add(0, i, ms, SAMPLES)->load.inflight = inflight;
}

#endif
