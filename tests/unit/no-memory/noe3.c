// SPDX-License-Identifier: Apache-2.0
/* The front end of library 3.x without memory: opening a context fails, and no
 * context is kept. */
#include <limits.h>
#include <stdio.h>

#include "base/err.h"
#include "emu/noe3/noe3.h"
#include "nomem.h"

static int
context(struct npu_err *err)
{
	context_handler_t *ctx = NULL;
	noe_status_t st = noe3_init_context(&ctx, NOE_DEVICE_NPU);
	uint32_t n = 0;

	if (st == NOE_STATUS_ERROR_BUF_ALLOC_FAIL)
		return ctx == NULL ? npu_fail(err, NPU_ESYSTEM, "memory") :
		    NOMEM_WRONG;
	if (st != NOE_STATUS_SUCCESS ||
	    noe_get_partition_count(ctx, &n) != NOE_STATUS_SUCCESS || n != 1 ||
	    noe_deinit_context(ctx) != NOE_STATUS_SUCCESS)
		return npu_fail(err, NPU_EUSAGE, "%#x", (unsigned)st);
	return 0;
}

int
main(void)
{
	const char *b = getenv("B");
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/lib/npu-utils/noe3/libaipudrv.so",
	    b != NULL ? b : "build");
	setenv("AIPU_LIB_PATH", path, 1);
	nomem("opening a context of library 3.x", context);
	return done();
}
