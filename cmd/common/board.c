// SPDX-License-Identifier: Apache-2.0
/* board.c - checks whether a model is for the NPU of this machine. */
#include <inttypes.h>

#include "base/err.h"
#include "board.h"
#include "device.h"
#include "device/info.h"
#include "diagnose/kmd.h"

void
board_find(struct board *board, const char *root)
{
	const char *node = cmd_device.node != NULL ? cmd_device.node :
	    NPU_DEFAULT_NODE;
	struct kmd_cap cap;
	struct kmd k;

	*board = (struct board){ .known = true };
	if (cmd_device.device == NPU_DEVICE_EMU) {
		board->emulator = true;
		return;
	}
	board->known = false;
	if (kmd_open(&k, root, node, &board->why) < 0)
		return;
	if (kmd_query(&k, &cap, &board->why) == 0) {
		board->known = board->has_isa = true;
		board->isa = cap.isa;
	}
	kmd_close(&k);
}

int
board_runs_model(const struct cix_model *m, const struct board *board,
    struct npu_err *err)
{
	const struct cix_graph *g = &m->graphs[0];
	int rc;

	if ((rc = device_check_target(g, &cmd_device, board->emulator,
	    err)) < 0)
		return rc;
	if (board->has_isa && board->isa != g->isa)
		return npu_fail(err, NPU_EUSAGE, "it is for instructions %"
		    PRIu32 ", but the NPU has %" PRIu32, g->isa, board->isa);
	return 0;
}
