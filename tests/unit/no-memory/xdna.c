// SPDX-License-Identifier: Apache-2.0
/* Without memory: opens the emulated AMD NPU, loads a job, runs it and closes
 * the device. */
#include <string.h>

#include "base/err.h"
#include "nomem.h"
#include "tools/txngen/stream.h"
#include "xdna_job.h"

extern const struct xdna_calls xdna_emulated;

static struct xdna_job job;

/* Returns the error of a call without memory, which is its errno; for the
 * emulated array it is the state of the command. */
static int
reported(int rc, struct npu_err *err)
{
	if (rc < 0 && (err->detail == ENOMEM || err->detail == XDNA_ERROR))
		return npu_fail(err, NPU_ESYSTEM, "memory: %d", err->detail);
	return rc;
}

static int
run(struct npu_err *err)
{
	struct xdna *x = NULL;
	int rc;

	if ((rc = xdna_open(&x, &xdna_emulated, "emulated", NULL, err)) < 0)
		return reported(rc, err);
	if ((rc = xdna_load(x, &job, err)) == 0) {
		memset(xdna_memory(x, 0), 'a', job.buffer[0].bytes);
		rc = xdna_run(x, 60000, err);
	}
	if (rc == 0 && memcmp(xdna_memory(x, 1), "aaaa", 4) != 0)
		rc = NOMEM_WRONG;
	xdna_close(x);
	return reported(rc, err);
}

int
main(void)
{
	struct buf stream = { 0 };
	struct stream s;

	setenv("NPU_TWIN", "copy", 1);
	stream_begin(&s, false, &stream);
	stream_whole(&s);
	make_job(&stream, &job);
	nomem("running a job on an AMD NPU", run);
	buf_free(&stream);
	return done();
}
