/* SPDX-License-Identifier: Apache-2.0 */
/* npu-run --ref: compares the results of a run with the expected ones. */
#ifndef NPU_RUN_COMPARISON_H
#define NPU_RUN_COMPARISON_H

#include "tensors/diff.h"

struct comparison {
	const char *path;	/* NULL: do not compare */
	struct tolerance tolerance;
	struct stream expected;
	uint64_t frames, beyond;	/* number of frames compared, and not
					   within tolerance */
};

/* Opens the file path; dies if it cannot. */
void comparison_open(struct comparison *c, const char *path);

/*
 * Compares the outputs at out with the next frame of the file.  With out NULL,
 * skips that frame.  Warns about each output beyond the tolerance, naming frame
 * number frame.  Returns negative if the file does not have such a frame.
 */
int comparison_frame(struct comparison *c, const struct npu *npu,
    const uint8_t *out, uint64_t frame, struct npu_err *err);

/* Prints how many frames differ; dies if the file has more frames. */
void comparison_close(struct comparison *c);

#endif
