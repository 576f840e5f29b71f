/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The models by the names that requests use: "clip", the pair of texts and
 * pictures; each model's own name; aliases.  No other name is answered, as its
 * vectors would be another model's.
 */
#ifndef NPU_SERVE_CATALOGUE_H
#define NPU_SERVE_CATALOGUE_H

#include <time.h>

#include "role.h"

struct model_name {
	char *name;			/* owned */
	struct role *role[ROLES];	/* NULL: it has none of that kind */
	bool alias;
	char fingerprint[72];		/* "sha256:..." */
	/* Of its files: bytes together, and when the newest was written. */
	uint64_t size;
	time_t modified;
};

struct catalogue {
	struct role role[ROLES];
	struct model_name *name;	/* owned; "clip" first */
	size_t n;
};

/* Makes the names of the roles that have a model; the roles were planned. */
void catalogue_open(struct catalogue *c);
/* An argument of --alias, NAME=ROLE; a wrong one is a usage error. */
void catalogue_alias(struct catalogue *c, const char *arg);
/* Adds the names that programs use for the vendor's models, where these are
 * loaded. */
void catalogue_known_aliases(struct catalogue *c);
void catalogue_close(struct catalogue *c);

/* NULL: no model is called that. */
const struct model_name *catalogue_find(const struct catalogue *c,
    const char *name);
/* The same for the first n bytes of name. */
const struct model_name *catalogue_find_part(const struct catalogue *c,
    const char *name, size_t n);
/* Whether it makes vectors. */
bool model_embeds(const struct model_name *m);

#endif
