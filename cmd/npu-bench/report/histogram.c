// SPDX-License-Identifier: Apache-2.0
#include <stdlib.h>
#include <string.h>

#include "model_name.h"
#include "report.h"
#include "run_groups.h"

/* The durations of all workers of g, each of which has some; NULL: there is no
 * worker.  Owned by the caller. */
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
	model_name(name, b, g->head->model.path, 40);
	buf_printf(out, "\n%s%s%s, %u in flight: %s, from ms, samples\n",
	    g->head->side != 0 ? (char[]){ g->head->side, '\0' } : "",
	    g->head->side != 0 ? ": " : "", name, g->head->load.inflight,
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
