/* SPDX-License-Identifier: Apache-2.0 */
/* --input=[NAME=]FILE: assigns files to the inputs of a model. */
#ifndef CMD_TENSORS_INPUT_FILES_H
#define CMD_TENSORS_INPUT_FILES_H

#include <stdint.h>

#include "npu.h"

/* The arguments of the option, in order.  Zero it before the first. */
struct input_files {
	const char **arg;
	uint32_t n;
};

void input_files_add(struct input_files *f, const char *arg);

/*
 * Sets file[i] to the file of input i; for an input without a file, file[i]
 * stays NULL.  An argument without a name is for the next input without a file.
 * An argument that does not fit any input is a usage error.
 */
void input_files_assign(const struct input_files *f, const struct npu *npu,
    const char **file);

#endif
