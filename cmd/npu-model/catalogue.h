/* SPDX-License-Identifier: Apache-2.0 */
/* The models that npu-model knows: the table share/npu-utils/models.tsv. */
#ifndef NPU_MODEL_CATALOGUE_H
#define NPU_MODEL_CATALOGUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/bytes.h"
#include "npu.h"

enum {
	CATALOGUE_LARGEST = 4 << 20,	/* bytes in the table */
	CATALOGUE_LONGEST = 4096,	/* bytes in one of its lines */
	CATALOGUE_MOST = 10000,		/* models */
};

/* One model.  A text is NULL if it is unknown; name, hub and path are not. */
struct model {
	const char *name;	/* letters, digits and . _ + - */
	const char *task;
	const char *hub;	/* "modelscope:OWNER/NAME@REVISION" */
	const char *path;	/* in the hub; a folder's ends with '/' */
	uint64_t size;		/* bytes; 0: unknown */
	const char *sha256;	/* 64 digits, lower case */
	const char *release;
	const char *types;
	const char *roles;	/* separated by ',' */
	const char *companions;	/* names, separated by ',' */
	const char *licence;
	const char *remarks;
	const char *file;	/* the last part of path; a folder's ends
				   with '/' */
	bool is_folder;
};

struct model_catalogue {
	struct model *model;	/* owned, in the order of the table */
	size_t n;
	char *text;		/* owned: what the models point to */
};

/*
 * Reads the table.  Fails with NPU_EFORMAT at the first line that breaks its
 * form; the message names the line, the field, the value and what it may be.
 * Free with catalogue_free(), which is safe after a failure.
 */
int catalogue_parse(struct model_catalogue *c, struct bytes table,
    struct npu_err *err);
void catalogue_free(struct model_catalogue *c);

/* Reads the table that is installed with the program.  Dies with a message that
 * names the file. */
void catalogue_open(struct model_catalogue *c);
/* Does the same, but fails with the reason in *err. */
int catalogue_try_open(struct model_catalogue *c, struct npu_err *err);

/* Returns the model with this name or this file; NULL: none has it. */
const struct model *catalogue_find(const struct model_catalogue *c,
    const char *name);
/* Returns the model whose path in its hub is the end of this path, as in a
 * clone of the hub. */
const struct model *catalogue_find_path(const struct model_catalogue *c,
    const char *path);

#endif
