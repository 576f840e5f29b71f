/* SPDX-License-Identifier: Apache-2.0 */
/* npu-run --ref: compares the results of a run with the expected ones. */
#ifndef NPU_RUN_COMPARISON_H
#define NPU_RUN_COMPARISON_H

#include "tensors/diff.h"

struct comparison {
	const char *path;	/* NULL: nothing is compared */
	struct tolerance tolerance;
	struct stream expected;
	uint64_t frames, beyond;	/* compared; not within tolerance */
};

/* Opens the file path; dies. */
void comparison_open(struct comparison *c, const char *path);

/*
 * Compares the outputs at out with the next frame of the file; NULL: there are
 * none, and that frame is passed over.  Warns of each output beyond the
 * tolerance, as of frame number frame.  Negative where the file has no such
 * frame.
 */
int comparison_frame(struct comparison *c, const struct npu *npu,
    const uint8_t *out, uint64_t frame, struct npu_err *err);

/* Says how many differ; dies of a file that goes on. */
void comparison_close(struct comparison *c);

#endif
