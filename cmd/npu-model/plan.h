/* SPDX-License-Identifier: Apache-2.0 */
/* Turns the operands of get into a list of files with URLs, sizes and sums. */
#ifndef NPU_MODEL_PLAN_H
#define NPU_MODEL_PLAN_H

#include "catalogue.h"
#include "fetch.h"
#include "source.h"
#include "transfer.h"

struct plan {
	const struct model_catalogue *catalogue;
	const char *folder;	/* where the files go */
	const char *mirror;	/* https://..., http://..., file:///... or the
				   path of a folder; NULL: the hubs */
	struct sum sum;		/* --sha256, or "" */
	const struct transfer_options *transfer;

	struct fetch *file;	/* owned */
	size_t n;
};

/*
 * Returns the listing that the source needs, as a URL without credentials, or
 * NULL if it needs none: its sum is known, or the mirror is a folder.  The
 * caller owns it.
 */
char *plan_listing(const struct plan *p, const struct model_source *s);

/* Adds the files of a source.  Asks the hub for the listing that plan_listing()
 * names. */
int plan_add(struct plan *p, const struct model_source *s, struct npu_err *err);
/* Adds what is known of a source without asking anybody; a folder is one entry
 * whose file ends with '/'. */
void plan_add_unasked(struct plan *p, const struct model_source *s);
/* Returns the name of a file that two operands bring, or NULL. */
const char *plan_twice(const struct plan *p);
void plan_free(struct plan *p);

#endif
