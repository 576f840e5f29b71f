/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which frames of a stream are wanted, and which tensors of each:
 *
 *	struct selection c = SELECTION_ALL;
 *
 *	selection_frames(&c, "2-4");
 *	selection_tensors(&c, "0,2");
 *	selection_free(&c);
 */
#ifndef NPU_TENSOR_SELECTION_H
#define NPU_TENSOR_SELECTION_H

#include <stdbool.h>
#include <stdint.h>

#include "npu.h"

struct selection {
	uint64_t first, last;		/* frames, from 1 */
	bool some_frames;		/* frames were named */
	uint8_t *tensors;		/* NULL: all; else one flag each */
	unsigned most, count;		/* the largest index; the number */
};

#define SELECTION_ALL { .first = 1, .last = INT64_MAX }

/* "3", "2-4" or "2-"; a list of numbers from 0, "0,2", which may be given
 * again.  A usage error if arg is neither. */
void selection_frames(struct selection *c, const char *arg);
void selection_tensors(struct selection *c, const char *arg);

/* Whether the tensor is wanted whose label *l is; the label gets its place
 * among those that are.  With a list, c->most must be below l->count. */
bool selection_place(const struct selection *c, struct npu_label *l);

void selection_free(struct selection *c);

#endif
