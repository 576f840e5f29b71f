/* SPDX-License-Identifier: Apache-2.0 */
/* npu-run --dry-run. */
#ifndef NPU_RUN_PLAN_H
#define NPU_RUN_PLAN_H

#include <stdbool.h>

#include "npu.h"

/* Makes a job, writes the model's inputs and outputs to output, as text or
 * JSON, and ends the program if a job cannot be made. */
void plan_write(struct npu *npu, bool is_json, const char *output);

#endif
