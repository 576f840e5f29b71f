/* SPDX-License-Identifier: Apache-2.0 */
/* The functions that an ONNX file defines, which nodes use as operators. */
#ifndef CIX_LINT_FILE_FUNCTIONS_H
#define CIX_LINT_FILE_FUNCTIONS_H

#include "base/buf.h"
#include "cix-lint/lint.h"

struct file_functions {
	struct buf list;	/* of struct file_function */
};

/* Reads the functions of the model.  Free with file_functions_free(). */
void file_functions_read(struct file_functions *f, const struct lint *l);
void file_functions_free(struct file_functions *f);

/* Returns whether the file defines this operator. */
bool file_functions_find(const struct file_functions *f, struct bytes domain,
    struct bytes type);

#endif
