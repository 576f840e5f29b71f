/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the sums that a file must have: in a record, in FILE.sha256, in a
 * pointer beside the file, in the table of models. */
#ifndef NPU_MODEL_KNOWN_SUMS_H
#define NPU_MODEL_KNOWN_SUMS_H

#include "catalogue.h"
#include "sum.h"

struct known_sum {
	struct sum sum;
	uint64_t size;		/* 0: unknown */
	char *where;		/* owned; "FOLDER/.npu-model.json" */
};

enum { KNOWN_SUMS_MOST = 4 };

struct known_sums {
	struct known_sum sum[KNOWN_SUMS_MOST];
	size_t n;
};

/* Finds the sums of the file at path.  A source that cannot be read is
 * reported.  Free with known_sums_free(). */
void known_sums_find(struct known_sums *k, const struct model_catalogue *all,
    const char *path);
void known_sums_free(struct known_sums *k);

#endif
