/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Labels and their vectors.  Each label is put into one or more sentences
 * (templates).  The label's vector is the normalised mean of the sentences'
 * vectors; the cosine between it and a picture's vector is the label's score.
 */
#ifndef CLIP_CLASSIFY_LABELS_H
#define CLIP_CLASSIFY_LABELS_H

#include "clip/clip_run.h"

#define LABELS_TEMPLATE "a photo of a {}"

enum { LABELS_MOST = 1 << 20 };

struct labels {
	char **name;		/* the array and each name are owned */
	size_t n, cap;
	const char **template;	/* {} stands for the label; array owned */
	size_t templates;

	size_t dim;
	double *x;		/* owned: n unit vectors of dim numbers */
};

/* The score of one label for a picture. */
struct score {
	size_t label;
	double cosine;
	double probability;	/* among all labels */
};

void labels_add(struct labels *l, const char *name);
/* Adds the labels in a file, or on stdin ("-"): one in each line.  Empty lines
 * are skipped.  Dies if the file has no labels. */
void labels_read(struct labels *l, const char *path);
/* Adds a template; a template without {} is a usage error. */
void labels_template(struct labels *l, const char *template);

/* Computes the labels' vectors: loads c's model, runs it on all sentences, and
 * unloads it.  Dies on failure. */
void labels_embed(struct labels *l, struct clip *c);

/*
 * Computes the scores of all labels for a picture's unit vector x, and sorts
 * them, the best first; labels with equal cosines keep the order in which they
 * were given.  The probability is the softmax of scale times the cosines.
 * score has room for l->n scores.
 */
void labels_score(const struct labels *l, const float *x, double scale,
    struct score *score);
void labels_free(struct labels *l);

#endif
