// SPDX-License-Identifier: Apache-2.0
#include <inttypes.h>

#include "base/err.h"
#include "comparison.h"
#include "device.h"
#include "tensors/expected.h"

void
comparison_open(struct comparison *c, const char *path)
{
	c->path = path;
	stream_open(&c->expected, path);
	stream_refuse_index(&c->expected);
}

/* True if output i is within the tolerance. */
static bool
is_near(const struct comparison *c, const struct diff_sums *sums,
    uint64_t frame, uint32_t i)
{
	char text[DIFF_TEXT];

	if (tolerance_met(&c->tolerance, sums))
		return true;
	diff_text(sums, text);
	cmd_warn("%s: frame %" PRIu64 ", output %" PRIu32 ": %s, beyond "
	    "tolerance", cmd_model_in_use(), frame, i, text);
	return false;
}

int
comparison_frame(struct comparison *c, const struct npu *npu,
    const uint8_t *out, uint64_t frame, struct npu_err *err)
{
	bool near = true;
	int rc;

	for (uint32_t i = 0; i < npu_outputs(npu); i++) {
		struct diff_sums sums = { 0 };

		rc = expected_add(&c->expected, npu, i, out, &sums, err);
		if (rc < 0)
			return npu_prefix(err, rc, "%s: frame %" PRIu64,
			    c->path, frame);
		if (out == NULL)
			continue;
		near = is_near(c, &sums, frame, i) && near;
		out += npu_output(npu, i)->size;
	}
	c->frames += out != NULL;
	c->beyond += !near;
	return 0;
}

void
comparison_close(struct comparison *c)
{
	struct npu_err err;
	int rc = c->expected.kind == STREAM_EMPTY ? 0 :
	    stream_next(&c->expected, &err);

	if (rc < 0)
		cmd_die_err(c->path, &err);
	if (rc > 0)
		cmd_die("%s: has more frames than ran, which are %" PRIu64,
		    c->path, c->expected.frame - 1);
	stream_close(&c->expected);
	if (c->beyond > 0)
		cmd_warn("%" PRIu64 " of %" PRIu64 " frame%s differ%s from %s",
		    c->beyond, c->frames, c->frames == 1 ? "" : "s",
		    c->beyond == 1 ? "s" : "", c->path);
}
