// SPDX-License-Identifier: Apache-2.0
/* A queue without memory, on a device that has memory for one inference. */
#include "../device/fakenpu.h"
#include "base/err.h"
#include "nomem.h"

static int
four_frames(struct npu_err *err)
{
	static struct npu npu;
	const uint32_t in[] = { 0x01020304, 0x05060708, 0x090a0b0c,
	    0x0d0e0f00 };
	enum { FRAMES = sizeof(in) / sizeof(*in) };
	int bad = 0;
	struct npu_queue *q;
	uint32_t out = 0;
	int rc;

	fake_reset();
	npu = fake_npu(1000, false);
	plan.memory = 1;
	if ((rc = npu_queue_open(&q, &npu, FRAMES, err)) < 0)
		return rc;
	for (int i = 0; i < FRAMES && rc == 0; i++)
		rc = npu_queue_put(q, &in[i], err);
	/* The failure of one frame does not affect other frames. */
	for (int i = 0; i < FRAMES && rc == 0; i++) {
		rc = npu_queue_get(q, &out, bad < 0 ? NULL : err);
		if (rc > 0 || (rc == 0 && out != in[i]))
			bad = NOMEM_WRONG;
		else if (rc < 0 && bad == 0)
			bad = rc;
		rc = 0;
	}
	rc = bad != 0 ? bad : rc;
	npu_queue_close(q);
	return rc == 0 && (seen.wrong > 0 || seen.there > 0) ? NOMEM_WRONG :
	    rc;
}

int
main(void)
{
	nomem("running frames through a queue on a device with little memory",
	    four_frames);
	return done();
}
