/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the NPU of this machine, and checks whether a model is for it. */
#ifndef NPU_INFO_BOARD_H
#define NPU_INFO_BOARD_H

#include "model/cix.h"
#include "npu.h"

struct info_board {
	bool known;		/* a device has answered */
	bool emulator;
	bool has_isa;
	uint32_t isa;		/* version of its instruction set; 5: X2 */
	struct npu_err why;	/* why the NPU is not known */
};

/* Finds the device of the options; for an NPU, asks the driver. */
void info_find_board(struct info_board *board, const char *root);

/* Returns 0, or NPU_EUSAGE and why the model does not run on a known device. */
int info_runs_on_board(const struct cix_model *m,
    const struct info_board *board, struct npu_err *err);

#endif
