// SPDX-License-Identifier: Apache-2.0
/* bench_words.c - --explain, warnings, and -H. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "text.h"

/* ---- Explained -------------------------------------------------------- */

static const struct stage_text once[] = {
	{ "init", "opening the device, once a process; its library is found "
	    "and linked before that" },
	{ "load", "loading the model, once a process" },
	{ "first", "the first inference of a process, which is cold: all of "
	    "it; none of the samples" },
};

static const struct stage_text statistics[] = {
	{ "mean", "the sum of the samples over their number n" },
	{ "sd", "the standard deviation, over n - 1" },
	{ "min, max", "the shortest and the longest" },
	{ "pN", "the sample at place ceil(N / 100 * n) in their order, which "
	    "was observed; not shown of fewer than the needed n" },
	{ "needs n", "the least number of samples of which pN has an upper "
	    "bound" },
	{ "ucb", "the upper bound of pN: with a confidence of 99 % it is not "
	    "more, whatever the distribution (as LoadGen stops early)" },
	{ "95%", "order statistics between which pN lies with a confidence of "
	    "95 %" },
	{ "throughput", "samples over the length of the window, from the "
	    "first begin to the last end" },
	{ "1 / mean", "what the mean of e2e would make of one at a time" },
	{ "together", "what all processes completed, over the time in which "
	    "all of them measured" },
	{ "cores", "processor time of the process over the window" },
	{ "system", "how busy all processors were, whoever it was" },
	{ "spread", "how far the runs lie apart; a row of a table has the "
	    "medians over the runs" },
	{ "energy", "the mean power of the sensors over the throughput" },
	{ "<0.002", "less than 50 times the cost of reading the clock, which "
	    "is not shown as a duration" },
};

/* Words of says, in lines that begin below one another. */
static void
explain(struct buf *out, const char *name, const char *says)
{
	enum { INDENT = 12, WIDEST = 79 };
	size_t column = INDENT, len;

	buf_printf(out, "%-*s", INDENT, name);
	for (bool first = true; *says != '\0'; first = false) {
		len = strcspn(says, " ");
		if (!first && column + 1 + len > WIDEST) {
			buf_printf(out, "\n%*s", INDENT, "");
			column = INDENT;
		} else if (!first) {
			buf_puts(out, " ");
			column++;
		}
		buf_add(out, says, len);
		column += len;
		says += len + (says[len] == ' ');
	}
	buf_puts(out, "\n");
}

void
bench_explain(struct buf *out)
{
	buf_puts(out, "\n");
	for (size_t i = 0; i < sizeof(once) / sizeof(*once); i++)
		explain(out, once[i].name, once[i].says);
	for (int i = 0; i < STAGES; i++)
		explain(out, stage_texts[i].name, stage_texts[i].says);
	buf_puts(out, "Each stage has its own distribution: percentiles are "
	    "never added up.\n\n");
	for (size_t i = 0; i < sizeof(statistics) / sizeof(*statistics); i++)
		explain(out, statistics[i].name, statistics[i].says);
	buf_puts(out, "\n");
	for (int i = 0; i < WARNINGS; i++)
		explain(out, warning_texts[i].code, warning_texts[i].says);
}

/* ---- Warnings --------------------------------------------------------- */

unsigned
bench_warnings(const struct bench *b, const struct bench_stats *s)
{
	unsigned all = 0;

	for (unsigned i = 0; i < b->runs; i++)
		all |= s[i].warnings;
	return all;
}

void
bench_warn(const struct bench *b, const struct bench_stats *s)
{
	for (int k = 0; k < WARNINGS; k++) {
		unsigned n = 0;

		for (unsigned i = 0; i < b->runs; i++)
			n += (s[i].warnings & 1u << k) != 0;
		if (n > 0 && b->runs > 1)
			cmd_note("%s: %s (%u of %u)", warning_texts[k].code,
			    warning_texts[k].says, n, b->runs);
		else if (n > 0)
			cmd_note("%s: %s", warning_texts[k].code,
			    warning_texts[k].says);
	}
}

/* ---- Histograms ------------------------------------------------------- */

/* The samples of all processes of g, each of which has some; NULL: there is no
 * process.  Owned by the caller. */
static double *
pooled(const struct bench *b, const struct run_group *g,
    enum bench_stage stage, size_t *n)
{
	double *all = NULL, *x;
	size_t more;

	*n = 0;
	for (unsigned i = 0; i < g->n; i++) {
		x = bench_durations(b->run[g->at[i]], stage, &more);
		all = cmd_realloc(all, (*n + more) * sizeof(*all));
		memcpy(all + *n, x, more * sizeof(*all));
		*n += more;
		free(x);
	}
	return all;
}

static void
outside_line(struct buf *out, const char *what, size_t n)
{
	if (n > 0)
		buf_printf(out, "%10s %9zu\n", what, n);
}

static void
bars(struct buf *out, const struct histogram *h)
{
	enum { WIDEST = 60 };
	size_t most = 1;
	const int decimals = h->power < -6 ? 6 : h->power < 0 ? -h->power : 0;

	for (size_t i = 0; i < h->bins; i++)
		most = h->count[i] > most ? h->count[i] : most;
	outside_line(out, "less", h->below);
	for (size_t i = 0; i < h->bins; i++) {
		size_t n = (h->count[i] * WIDEST + most - 1) / most;

		buf_printf(out, "%10.*f %9zu%s", decimals,
		    histogram_edge(h, i), h->count[i], n > 0 ? " " : "");
		for (size_t k = 0; k < n; k++)
			buf_puts(out, "#");
		buf_puts(out, "\n");
	}
	outside_line(out, "more", h->above);
}

static void
histogram(struct buf *out, const struct bench *b, const struct run_group *g,
    enum bench_stage stage)
{
	struct histogram h;
	struct summary s;
	double *x, *sorted;
	char name[200];
	size_t n;

	if ((x = pooled(b, g, stage, &n)) == NULL)
		return;
	sorted = cmd_alloc(n * sizeof(*sorted));
	summary_of(x, n, sorted, &s);
	histogram_of(sorted, &s, STAGE_BINS, &h);
	text_model_name(name, b, g->head->model, 40);
	buf_printf(out, "\n%s%s%s, %u in flight: %s, from ms, samples\n",
	    g->head->side != 0 ? (char[]){ g->head->side, '\0' } : "",
	    g->head->side != 0 ? ": " : "", name, g->head->inflight,
	    stage_texts[stage].name);
	bars(out, &h);
	free(sorted);
	free(x);
}

void
bench_histogram(struct buf *out, const struct bench *b)
{
	struct bench_stats *s = bench_stats_all(b);
	struct run_groups g;

	run_groups_of(b, s, &g);
	for (unsigned i = 0; i < g.n; i++) {
		const bool query = g.group[i].n > 0 &&
		    g.group[i].median.stage[STAGE_QUERY].summary.n > 0;

		histogram(out, b, &g.group[i], STAGE_INFER);
		histogram(out, b, &g.group[i],
		    query ? STAGE_QUERY : STAGE_E2E);
	}
	run_groups_free(&g);
	free(s);
}
