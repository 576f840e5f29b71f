// SPDX-License-Identifier: Apache-2.0
/* Writes verdicts as JUnit XML, which continuous integration displays. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/utf8.h"
#include "report.h"

/* ---- XML -------------------------------------------------------------- */

/* Characters that XML 1.0 does not allow (production 2) become U+FFFD. */
static void
put_character(struct buf *out, uint32_t c)
{
	char utf8[4];

	switch (c) {
	case '&': buf_puts(out, "&amp;"); return;
	case '<': buf_puts(out, "&lt;"); return;
	case '>': buf_puts(out, "&gt;"); return;
	case '"': buf_puts(out, "&quot;"); return;
	case '\t':
	case '\n':
	case '\r': buf_printf(out, "&#%u;", (unsigned)c); return;
	default: break;
	}
	if (c < 0x20 || c == 0xfffe || c == 0xffff)
		c = 0xfffd;
	buf_add(out, utf8, utf8_encode(c, utf8));
}

static void
put_text(struct buf *out, const char *s)
{
	size_t n = strlen(s), used;
	uint32_t c;

	for (; n > 0; s += used, n -= used) {
		if ((used = utf8_decode(s, n, &c)) == 0) {
			used = 1;
			c = 0xfffd;
		}
		put_character(out, c);
	}
}

static void
put_attribute(struct buf *out, const char *name, const char *s)
{
	buf_printf(out, " %s=\"", name);
	put_text(out, s);
	buf_puts(out, "\"");
}

/* ---- Cases ------------------------------------------------------------ */

struct counts {
	unsigned cases, failures, errors, skipped;
};

/* The element in a test case; a case that passed has no element. */
enum outcome { PASSED, FAILURE, ERROR, SKIPPED };
static const char *const outcomes[] = { NULL, "failure", "error", "skipped" };

static enum outcome
outcome_of(enum bench_verdict v, enum bench_unsure unsure)
{
	switch (v) {
	case BENCH_PASS: return PASSED;
	case BENCH_REGRESSION: return FAILURE;
	case BENCH_UNSURE: return unsure == UNSURE_FAIL ? ERROR : SKIPPED;
	default: return SKIPPED;
	}
}

static void
count(struct counts *n, enum outcome outcome)
{
	n->cases++;
	n->failures += outcome == FAILURE;
	n->errors += outcome == ERROR;
	n->skipped += outcome == SKIPPED;
}

static void
put_counts(struct buf *out, const struct counts *n)
{
	buf_printf(out, " tests=\"%u\" failures=\"%u\" errors=\"%u\" "
	    "skipped=\"%u\"", n->cases, n->failures, n->errors, n->skipped);
}

/* message: the verdict's line, or the reason why a verdict is missing. */
static void
put_case(struct buf *out, const char *model, const char *name,
    enum outcome outcome, const char *message, const char *numbers)
{
	buf_puts(out, "    <testcase");
	put_attribute(out, "name", name);
	put_attribute(out, "classname", model);
	if (outcome == PASSED) {
		buf_puts(out, "/>\n");
		return;
	}
	buf_printf(out, ">\n      <%s", outcomes[outcome]);
	put_attribute(out, "message", message);
	buf_puts(out, ">");
	put_text(out, numbers);
	buf_printf(out, "</%s>\n    </testcase>\n", outcomes[outcome]);
}

static void
put_metric(struct buf *out, const struct bench *b, const struct bench_gated *v,
    enum bench_unsure unsure)
{
	const char *unit = v->higher ? "/s" : " ms";
	char name[80], numbers[120] = "";
	struct buf message = { 0 };

	snprintf(name, sizeof(name), b->configs > 1 ? "%s, %u in flight" :
	    "%s", v->metric, v->inflight);
	if (!isnan(v->before) && !isnan(v->after))
		snprintf(numbers, sizeof(numbers), "%.6g%s before, %.6g%s "
		    "after: medians of the runs", v->before, unit, v->after,
		    unit);
	verdict_line(&message, v);
	buf_add(&message, "", 1);
	put_case(out, v->model, name, outcome_of(v->verdict, unsure),
	    message.failed ? "" : message.p, numbers);
	out->failed = out->failed || message.failed;
	buf_free(&message);
}

/* ---- Suites ----------------------------------------------------------- */

/* The result of the whole comparison. */
struct whole {
	enum outcome outcome;
	const char *why;	/* NULL: the metrics explain everything */
	enum bench_unsure unsure;
};

static struct whole
whole_of(const struct bench *b, enum bench_unsure unsure, const char *error)
{
	const struct bench_verdicts *v = &b->verdicts;

	if (error != NULL)
		return (struct whole){ ERROR, error, unsure };
	for (unsigned i = 0; i < b->runs; i++)
		if (b->run[i]->rc == EXIT_VERDICT)
			return (struct whole){ FAILURE, b->run[i]->message,
			    unsure };
	if (v->verdict == BENCH_UNSURE && *v->why != '\0')
		return (struct whole){ outcome_of(v->verdict, unsure), v->why,
		    unsure };
	return (struct whole){ PASSED, NULL, unsure };
}

static struct counts
count_model(const struct bench_verdicts *v, const char *model,
    const struct whole *whole)
{
	struct counts n = { 0 };

	for (unsigned i = 0; i < v->n; i++)
		if (strcmp(v->gated[i].model, model) == 0)
			count(&n, outcome_of(v->gated[i].verdict,
			    whole->unsure));
	if (whole->why != NULL)
		count(&n, whole->outcome);
	return n;
}

static void
put_suite(struct buf *out, const struct bench *b, const char *model,
    const struct whole *whole)
{
	const struct bench_verdicts *v = &b->verdicts;
	struct counts n = count_model(v, model, whole);
	time_t at = (time_t)b->time;
	char stamp[40];
	struct tm tm;

	gmtime_r(&at, &tm);
	strftime(stamp, sizeof(stamp), "%Y-%m-%dT%H:%M:%SZ", &tm);
	buf_puts(out, "  <testsuite");
	put_attribute(out, "name", model);
	put_counts(out, &n);
	buf_printf(out, " timestamp=\"%s\">\n", stamp);
	for (unsigned i = 0; i < v->n; i++)
		if (strcmp(v->gated[i].model, model) == 0)
			put_metric(out, b, &v->gated[i], whole->unsure);
	if (whole->why != NULL)
		put_case(out, model, "comparison", whole->outcome, whole->why,
		    "");
	buf_puts(out, "  </testsuite>\n");
}

/* Returns the model of suite i: from verdict i or, without verdicts, from load
 * i. */
static const char *
model_at(const struct bench *b, unsigned i)
{
	if (b->verdicts.n > 0)
		return b->verdicts.gated[i].model;
	return b->load[i].model;
}

static bool
is_first(const struct bench *b, unsigned i)
{
	for (unsigned k = 0; k < i; k++)
		if (strcmp(model_at(b, k), model_at(b, i)) == 0)
			return false;
	return true;
}

void
bench_junit(struct buf *out, const struct bench *b, enum bench_unsure unsure,
    const char *error)
{
	const struct whole whole = whole_of(b, unsure, error);
	unsigned most = b->verdicts.n > 0 ? b->verdicts.n : b->loads;
	struct buf suites = { 0 };
	struct counts all = { 0 }, n;

	for (unsigned i = 0; i < most; i++) {
		if (!is_first(b, i))
			continue;
		put_suite(&suites, b, model_at(b, i), &whole);
		n = count_model(&b->verdicts, model_at(b, i), &whole);
		all.cases += n.cases;
		all.failures += n.failures;
		all.errors += n.errors;
		all.skipped += n.skipped;
	}
	buf_puts(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
	    "<testsuites name=\"npu-bench\"");
	put_counts(out, &all);
	buf_puts(out, ">\n");
	buf_add(out, suites.p, suites.n);
	buf_puts(out, "</testsuites>\n");
	out->failed = out->failed || suites.failed;
	buf_free(&suites);
}
