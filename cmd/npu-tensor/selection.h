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
	uint64_t first, last;		/* range of frames, from 1 */
	bool some_frames;		/* a range of frames was given */
	uint8_t *tensors;		/* NULL: all; else one flag for each
					   tensor */
	unsigned most, count;		/* the largest index; the number of
					   tensors */
};

#define SELECTION_ALL { .first = 1, .last = INT64_MAX }

/* Parses frames, "3", "2-4" or "2-", or a list of numbers from 0, "0,2", which
 * may be given again.  Another form is a usage error. */
void selection_frames(struct selection *c, const char *arg);
void selection_tensors(struct selection *c, const char *arg);

/* Returns whether the tensor with label *l is selected; sets the label's
 * position among the selected tensors.  With a list, c->most must be below
 * l->count. */
bool selection_place(const struct selection *c, struct npu_label *l);

void selection_free(struct selection *c);

#endif
