/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the NPU of this machine, and checks whether a model is for it. */
#ifndef CMD_BOARD_H
#define CMD_BOARD_H

#include "model/cix.h"
#include "npu.h"

struct board {
	bool known;		/* a device has answered */
	bool emulator;
	bool has_isa;
	uint32_t isa;		/* version of its instruction set; 5: X2 */
	struct npu_err why;	/* why the NPU is not known */
};

/* Finds the device of the options; for an NPU, asks the driver. */
void board_find(struct board *board, const char *root);

/* Returns 0, or NPU_EUSAGE and why the model does not run on a known device. */
int board_runs_model(const struct cix_model *m,
    const struct board *board, struct npu_err *err);

#endif
