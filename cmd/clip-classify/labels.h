/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What pictures may be of: labels, each put into sentences, and as near to a
 * picture as the mean of these sentences' vectors is.
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

/* One label's nearness to a picture. */
struct score {
	size_t label;
	double cosine;
	double probability;	/* among all labels */
};

void labels_add(struct labels *l, const char *name);
/* Those of a file or stdin ("-"), one a line; empty lines are none. */
void labels_read(struct labels *l, const char *path);
/* A usage error where there is no {}. */
void labels_template(struct labels *l, const char *template);

/* All sentences through c's model, which is loaded and unloaded; dies. */
void labels_embed(struct labels *l, struct clip *c);

/*
 * Scores of all labels for a picture's vector of length 1, the best first, and
 * of equally near ones the one that was named first.  probability is the
 * softmax of scale times the cosines.
 */
void labels_score(const struct labels *l, const float *x, double scale,
    struct score *score);
void labels_free(struct labels *l);

#endif
