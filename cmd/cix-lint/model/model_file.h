/* SPDX-License-Identifier: Apache-2.0 */
/* The model's file, and the files beside it that have its weights. */
#ifndef CIX_LINT_MODEL_FILE_H
#define CIX_LINT_MODEL_FILE_H

#include "cix-lint/lint.h"

/* Findings about files: the others are only counted. */
#define MOST_FILES 16

/* Checks that the weights which the model has in other files are there. */
void check_weight_files(struct lint *l);

#endif
