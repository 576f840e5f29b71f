/* SPDX-License-Identifier: Apache-2.0 */
/* Describes a job's outputs: --shape=TYPE:SHAPE[:SCALE[:ZERO]]. */
#ifndef XDNA_RUN_SHAPES_H
#define XDNA_RUN_SHAPES_H

#include "device/xdna/xdna.h"

struct shapes {
	struct npu_tensor tensor[XDNA_BUFFERS];
	unsigned n;
};

/* Parses the option and adds it, or ends the program with a usage error. */
void shapes_add(struct shapes *s, const char *arg);

/* Returns the number of outputs of a job, and sets out[] to the description of
 * each: its --shape, or plain bytes.  A shape whose size differs from the
 * buffer is a usage error. */
unsigned shapes_outputs(const struct shapes *s, const struct xdna_job *job,
    struct npu_tensor out[XDNA_BUFFERS]);

/* Returns a tensor of n bytes without a shape. */
struct npu_tensor shapes_bytes(uint64_t n);

#endif
