/* SPDX-License-Identifier: Apache-2.0 */
/* --shape=TYPE:SHAPE[:SCALE[:ZERO]]: what a job's outputs are. */
#ifndef XDNA_RUN_SHAPES_H
#define XDNA_RUN_SHAPES_H

#include "device/xdna/xdna.h"

struct shapes {
	struct npu_tensor tensor[XDNA_BUFFERS];
	unsigned n;
};

/* Parses the option and adds it, or ends the program with a usage error. */
void shapes_add(struct shapes *s, const char *arg);

/* The number of outputs of a job; out[0..]: each as its --shape says, else as
 * bytes.  A shape of another size is a usage error. */
unsigned shapes_outputs(const struct shapes *s, const struct xdna_job *job,
    struct npu_tensor out[XDNA_BUFFERS]);

/* Bytes without a shape. */
struct npu_tensor shapes_bytes(uint64_t n);

#endif
