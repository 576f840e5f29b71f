// SPDX-License-Identifier: Apache-2.0
#include <inttypes.h>

#include "base/err.h"
#include "input.h"
#include "tensors/fill.h"
#include "tensors/frame_reader.h"

/* Refuses a file with more than one frame: it was made for another model or
 * type. */
static int
read_input(const struct npu *npu, const char *path, void *in,
    struct npu_err *err)
{
	char *files[] = { (char *)path };	/* never written to */
	struct frame_reader *f;
	int rc;

	frame_reader_one_file();
	f = frame_reader_open(npu, files, 1);
	rc = frame_reader_read(f, in, err);

	if (rc == 0)
		rc = npu_fail(err, NPU_EFORMAT, "has no frame");
	else if (rc > 0 && (rc = frame_reader_read(f, in, err)) > 0)
		rc = npu_fail(err, NPU_EFORMAT, "has more than one frame of %"
		    PRIu64 " bytes", npu_input_size(npu));
	if (rc < 0)
		npu_prefix(err, rc, "%s", frame_reader_name(f));
	frame_reader_close(f);
	return rc;
}

int
input_make(const struct npu *npu, const struct bench_plan *plan, void *in,
    struct npu_err *err)
{
	struct fill fill = { .with = FILL_RANDOM, .state = plan->seed };
	uint8_t *p = in;

	if (plan->input != NULL && npu_inputs(npu) > 0)
		return read_input(npu, plan->input, in, err);
	for (uint32_t i = 0; i < npu_inputs(npu); i++) {
		fill_tensor(npu_input(npu, i), &fill, p);
		p += npu_input(npu, i)->size;
	}
	return 0;
}
