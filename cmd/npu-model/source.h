/* SPDX-License-Identifier: Apache-2.0 */
/* What get is to bring: a model of the table, a file or folder of a hub, or a
 * URL. */
#ifndef NPU_MODEL_SOURCE_H
#define NPU_MODEL_SOURCE_H

#include <stdbool.h>

#include "catalogue.h"
#include "listing.h"

struct model_source {
	const char *word;	/* the operand, for messages; not owned */
	bool is_url;
	enum hub hub;		/* unless is_url */
	char *repository;	/* "OWNER/NAME" */
	char *revision;
	char *path;		/* in the hub, or the last part of the URL,
				   decoded; without '/' at its end */
	bool is_folder;
	char *url;		/* if is_url */
	const struct model *model;	/* NULL: not in the table */
};

/*
 * Reads one operand: a NAME of the table, HUB:PATH, or a URL.  HUB is
 * "modelscope:OWNER/NAME[@REVISION]", "huggingface:OWNER/NAME[@REVISION]" or a
 * short name.  Fails with NPU_EUSAGE.  Free with source_free(), also after a
 * failure.
 */
int source_parse(struct model_source *s, const char *word,
    const struct model_catalogue *c, struct npu_err *err);
void source_free(struct model_source *s);

/* Returns the path of a file:// URL, decoded, which the caller owns; NULL for
 * another URL. */
char *source_local_path(const char *url);

/*
 * Return URLs of the hub at base; base NULL is the hub's own address.  The
 * caller owns the result.  source_listing() lists the folder that the source
 * is, or is in.
 */
char *source_listing(const struct model_source *s, const char *base);
char *source_file(const struct model_source *s, const char *path,
    const char *base);

#endif
