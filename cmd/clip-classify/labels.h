/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The labels that pictures may have.  Each is put into sentences; its cosine
 * to a picture is that of the mean of the sentences' vectors.
 */
#ifndef CLIP_CLASSIFY_LABELS_H
#define CLIP_CLASSIFY_LABELS_H

#include "clip/clip_run.h"

#define LABELS_TEMPLATE "a photo of a {}"

enum { LABELS_MOST = 1 << 20 };

struct labels {
	char **name;		/* owned, each too */
	size_t n, cap;
	const char **template;	/* with {} where a label goes; owned */
	size_t templates;

	size_t dim;
	double *x;		/* owned: dim each, of length 1 */
};

/* The score of one label for a picture. */
struct score {
	size_t label;
	double cosine;
	double probability;	/* among all labels */
};

void labels_add(struct labels *l, const char *name);
/* Adds those of a file or stdin ("-"), one a line; skips empty lines. */
void labels_read(struct labels *l, const char *path);
/* A usage error if there is no {}. */
void labels_template(struct labels *l, const char *template);

/* All sentences through c's model, which is loaded and unloaded; dies. */
void labels_embed(struct labels *l, struct clip *c);

/*
 * Scores of all labels for a picture's vector of length 1, the best first;
 * equal ones in the order in which the labels were named.  probability is the
 * softmax of scale times the cosines.
 */
void labels_score(const struct labels *l, const float *x, double scale,
    struct score *score);
void labels_free(struct labels *l);

#endif
