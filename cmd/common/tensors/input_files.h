/* SPDX-License-Identifier: Apache-2.0 */
/* --input=[NAME=]FILE: which file each input of a model has. */
#ifndef CMD_TENSORS_INPUT_FILES_H
#define CMD_TENSORS_INPUT_FILES_H

#include <stdint.h>

#include "npu.h"

/* The arguments of the option, in order.  Begins as zeros. */
struct input_files {
	const char **arg;
	uint32_t n;
};

void input_files_add(struct input_files *f, const char *arg);

/*
 * Sets file[i] to the file of input i; an input without one stays as it is,
 * NULL.  An argument without a name is for the next input without a file.  Ends
 * the program with a usage error if an argument fits no input.
 */
void input_files_assign(const struct input_files *f, const struct npu *npu,
    const char **file);

#endif
