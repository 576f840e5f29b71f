// SPDX-License-Identifier: Apache-2.0
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "labels.h"
#include "lines.h"

enum { LONGEST = 1 << 16 };	/* bytes of a label */

/* ---- Labels and templates ---------------------------------------------- */

static void
add(struct labels *l, const char *name, size_t n)
{
	if (l->n == l->cap) {
		l->cap = l->cap == 0 ? 64 : l->cap * 2;
		l->name = cmd_realloc(l->name, l->cap * sizeof(*l->name));
	}
	if ((l->name[l->n++] = strndup(name, n)) == NULL)
		cmd_die("out of memory");
}

void
labels_add(struct labels *l, const char *name)
{
	if (l->n == LABELS_MOST)
		cmd_die("--label: more than %d labels", LABELS_MOST);
	add(l, name, strlen(name));
}

void
labels_read(struct labels *l, const char *path)
{
	size_t n, before = l->n;
	struct lines lines;
	char *p;

	lines_open(&lines, cmd_open_input(path), cmd_input_name(path), '\n',
	    LONGEST);
	while (lines_next_text(&lines, &p, &n)) {
		if (memchr(p, '\0', n) != NULL)
			cmd_die("%s: line %" PRIu64 ": a NUL in a label",
			    lines.name, lines.number);
		if (n > 0 && l->n == LABELS_MOST)
			cmd_die("%s: line %" PRIu64 ": more than %d labels",
			    lines.name, lines.number, LABELS_MOST);
		if (n > 0)
			add(l, p, n);
	}
	if (l->n == before && lines.err.code == 0)
		cmd_die("%s: empty: it has no labels", lines.name);
	lines_close(&lines);
}

void
labels_template(struct labels *l, const char *template)
{
	if (strstr(template, "{}") == NULL)
		cmd_usage("--template: '%s' has no {} for the label", template);
	l->template = cmd_realloc(l->template,
	    (l->templates + 1) * sizeof(*l->template));
	l->template[l->templates++] = template;
}

/* Sets *b to the template with each {} replaced by the label. */
static void
fill_in(struct buf *b, const char *template, const char *label)
{
	const char *at;

	buf_clear(b);
	for (; (at = strstr(template, "{}")) != NULL; template = at + 2) {
		buf_add(b, template, (size_t)(at - template));
		buf_puts(b, label);
	}
	buf_puts(b, template);
	if (b->failed)
		cmd_die("out of memory");
}

/* ---- Vectors ----------------------------------------------------------- */

/* Returns the label for a message; a long label is cut.  The result may be
 * overwritten by the next call. */
static const char *
shorten(const char *label)
{
	enum { MOST = 60 };
	static char text[MOST + 4];
	size_t n = MOST;

	if (strlen(label) <= MOST)
		return label;
	/* Do not cut within a UTF-8 character. */
	while (n > 0 && ((unsigned char)label[n] & 0xc0) == 0x80)
		n--;
	snprintf(text, sizeof(text), "%.*s...", (int)n, label);
	return text;
}

/* Adds a sentence's vector to the sum of its label.  The vector is normalised
 * first, so each sentence has the same weight. */
static void
add_to_sum(void *arg, const struct clip_result *r)
{
	struct labels *l = arg;
	size_t label = (size_t)(r->number - 1) / l->templates;
	double *x = l->x + label * l->dim;
	struct npu_err err;

	if (r->error != NULL)
		cmd_die("label '%s': %s", shorten(l->name[label]),
		    r->error);
	if (npu_l2_normalise(r->x, l->dim, &err) < 0)
		cmd_die("label '%s': %s", shorten(l->name[label]),
		    err.msg);
	for (size_t i = 0; i < l->dim; i++)
		x[i] += (double)r->x[i];
}

/* Normalises the sum of a label's vectors.  The sum has the direction of the
 * mean, so it need not be divided. */
static void
normalise(const struct labels *l, size_t label)
{
	double *x = l->x + label * l->dim, sum = 0;

	for (size_t i = 0; i < l->dim; i++)
		sum += x[i] * x[i];
	/* A non-zero sum of float unit vectors cannot be this short. */
	if (sum < 1e-12)
		cmd_die("label '%s': the vectors of its sentences cancel each "
		    "other", shorten(l->name[label]));
	for (size_t i = 0; i < l->dim; i++)
		x[i] /= sqrt(sum);
}

void
labels_embed(struct labels *l, struct clip *c)
{
	struct clip_run run = { .done = add_to_sum, .arg = l };
	struct buf text = { 0 };
	struct text_record r = { .name = "labels", .unit = "sentence" };

	l->dim = c->dim;
	l->x = cmd_alloc(l->n * l->dim * sizeof(*l->x));
	clip_run_begin(&run, c);
	for (size_t i = 0; i < l->n * l->templates; i++) {
		fill_in(&text, l->template[i % l->templates],
		    l->name[i / l->templates]);
		r.number = i + 1;
		r.p = text.p;
		r.n = text.n;
		clip_run_text(&run, &r);
	}
	clip_run_end(&run);
	buf_free(&text);
	for (size_t i = 0; i < l->n; i++)
		normalise(l, i);
}

/* ---- Scores ------------------------------------------------------------ */

/* Sorts by cosine, the largest first; labels with equal cosines keep the order
 * in which they were given. */
static int
compare_scores(const void *a, const void *b)
{
	const struct score *s = a, *t = b;

	if (s->cosine != t->cosine)
		return s->cosine > t->cosine ? -1 : 1;
	return (s->label > t->label) - (s->label < t->label);
}

void
labels_score(const struct labels *l, const float *x, double scale,
    struct score *score)
{
	double sum = 0;

	for (size_t i = 0; i < l->n; i++) {
		const double *v = l->x + i * l->dim;
		double dot = 0;

		for (size_t k = 0; k < l->dim; k++)
			dot += v[k] * (double)x[k];
		score[i] = (struct score){ .label = i, .cosine = dot };
	}
	qsort(score, l->n, sizeof(*score), compare_scores);
	/* Subtract the largest cosine to keep exp() from overflowing. */
	for (size_t i = 0; i < l->n; i++) {
		score[i].probability = exp(scale * (score[i].cosine -
		    score[0].cosine));
		sum += score[i].probability;
	}
	for (size_t i = 0; i < l->n; i++)
		score[i].probability /= sum;
}

void
labels_free(struct labels *l)
{
	for (size_t i = 0; i < l->n; i++)
		free(l->name[i]);
	free(l->name);
	free(l->template);
	free(l->x);
	*l = (struct labels){ 0 };
}
