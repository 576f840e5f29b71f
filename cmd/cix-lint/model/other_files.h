/* SPDX-License-Identifier: Apache-2.0 */
/* The files beside an ONNX model that have data of its weights. */
#ifndef CIX_LINT_OTHER_FILES_H
#define CIX_LINT_OTHER_FILES_H

#include "model/onnx_numbers.h"

struct other_file {
	char *name;		/* owned */
	void *map;
	size_t n;
	struct other_file *next;
};

struct other_files {
	const char *model;	/* the path of the model */
	struct other_file *first;
};

/* Returns whether the name leaves the model's folder, which readers of ONNX
 * refuse. */
bool other_files_leaves(const char *name);

/* Stores the bytes of the elements of an external tensor, for which
 * onnx_numbers_begin() has succeeded.  They are valid until
 * other_files_close().  Fails for a name that leaves the folder, for a file
 * that is not regular, and for a file that is too short. */
int other_files_data(struct other_files *f, const struct onnx_numbers *r,
    struct bytes *data, struct npu_err *err);
void other_files_close(struct other_files *f);

#endif
