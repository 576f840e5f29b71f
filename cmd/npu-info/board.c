// SPDX-License-Identifier: Apache-2.0
/* info_here.c - whether a model is for the NPU that is here. */
#include <inttypes.h>

#include "base/err.h"
#include "board.h"
#include "device.h"
#include "device/info.h"
#include "diagnose/kmd.h"

void
info_find_here(struct info_here *here, const char *root)
{
	const char *node = cmd_device.node != NULL ? cmd_device.node :
	    NPU_DEFAULT_NODE;
	struct kmd_cap cap;
	struct kmd k;

	*here = (struct info_here){ .known = true };
	if (cmd_device.device == NPU_DEVICE_EMU) {
		here->emulator = true;
		return;
	}
	here->known = false;
	if (kmd_open(&k, root, node, &here->why) < 0)
		return;
	if (kmd_query(&k, &cap, &here->why) == 0) {
		here->known = here->has_isa = true;
		here->isa = cap.isa;
	}
	kmd_close(&k);
}

int
info_runs_here(const struct cix_model *m, const struct info_here *here,
    struct npu_err *err)
{
	const struct cix_graph *g = &m->graphs[0];
	int rc;

	if ((rc = device_check_target(g, here->emulator, err)) < 0)
		return rc;
	if (here->has_isa && here->isa != g->isa)
		return npu_fail(err, NPU_EUSAGE, "it is for instructions %"
		    PRIu32 ", but the NPU has %" PRIu32, g->isa, here->isa);
	return 0;
}
