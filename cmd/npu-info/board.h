/* SPDX-License-Identifier: Apache-2.0 */
/* Whether a model is for the NPU that is here. */
#ifndef NPU_INFO_BOARD_H
#define NPU_INFO_BOARD_H

#include "model/cix.h"
#include "npu.h"

struct info_here {
	bool known;		/* there is a device that tells */
	bool emulator;
	bool has_isa;
	uint32_t isa;		/* of its instructions; 5: X2 */
	struct npu_err why;	/* it is not known */
};

/* The device that is asked for; of an NPU, its driver is asked. */
void info_find_here(struct info_here *here, const char *root);

/* 0, or NPU_EUSAGE and why the model does not run on a device that is known. */
int info_runs_here(const struct cix_model *m, const struct info_here *here,
    struct npu_err *err);

#endif
