// SPDX-License-Identifier: Apache-2.0
/*
 * A header that npu-zmq accepts has a known kind; a header that it refuses
 * gives a reason.  A frame becomes an input of the model's size, or is refused.
 * The first byte chooses the model's layout and the meaning of numbers; the
 * header ends at the end of the line.
 */
#include <stdlib.h>
#include <string.h>

#include "cmd.h"
#include "npu-zmq/frame.h"

enum { WIDTH = 4, HEIGHT = 2, NUMBERS = 3 * WIDTH * HEIGHT };

const struct program program = { .name = "npu-zmq" };

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n);

static void
open_format(struct frame_format *f, uint8_t how)
{
	struct prep_recipe r = { .width = WIDTH, .height = HEIGHT,
	    .fit = FIT_STRETCH, .divisor = 255, .deviation = { 1, 1, 1 },
	    .bgr = (how & 1) != 0,
	    .layout = (how & 2) != 0 ? LAYOUT_HWC : LAYOUT_CHW,
	    .tensor = { .dtype = (how & 4) != 0 ? NPU_F16 : NPU_U8,
	    .scale = 255 } };
	struct prep *prep;

	*f = (struct frame_format){ .bgr = (how & 8) != 0,
	    .floats = (how & 16) != 0 ? FLOAT_DENORM : FLOAT_UNIT };
	if (prep_open(&prep, &r, NULL) < 0 || frame_open(f, prep, NULL) < 0)
		abort();
	prep_close(prep);
}

static void
check(int rc, const struct npu_err *err)
{
	if (rc < 0 && (err->code != NPU_EFORMAT || err->msg[0] == '\0'))
		abort();
}

static void
convert(const struct header *h, struct bytes frame, uint8_t how)
{
	uint8_t in[NUMBERS * 2];
	struct npu_err err = { 0 };
	struct frame_format f;

	open_format(&f, how);
	memset(in, 0xa5, sizeof(in));
	check(frame_convert(&f, h, frame, in, &err), &err);
	frame_close(&f);
}

int
LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	const uint8_t *end = n > 0 ? memchr(p, '\n', n) : NULL;
	struct npu_err err = { 0 };
	struct bytes text, frame = { 0 };
	struct header h;
	int rc;

	if (n == 0)
		return 0;
	text = (struct bytes){ p + 1, end == NULL || end == p ? n - 1 :
	    (size_t)(end - p) - 1 };
	if (end != NULL && end != p)
		frame = (struct bytes){ end + 1, n - (size_t)(end - p) - 1 };
	rc = header_read(&h, text, &err);
	check(rc, &err);
	if (rc == 0 && h.kind == MESSAGE_BAD)
		abort();
	if (rc == 0 && h.kind == MESSAGE_FRAME)
		convert(&h, frame, p[0]);
	return 0;
}
