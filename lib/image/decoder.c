// SPDX-License-Identifier: Apache-2.0
#include <inttypes.h>

#include "image/decoder.h"

int
decoder_set_size(struct picture *p, uint64_t width, uint64_t height,
    uint64_t max_pixels, struct npu_err *err)
{
	if (width == 0 || height == 0)
		return npu_fail(err, NPU_EFORMAT, "%" PRIu64 " x %" PRIu64
		    " pixels: nothing to see", width, height);
	if (width > PICTURE_MAX_SIDE || height > PICTURE_MAX_SIDE)
		return npu_fail(err, NPU_EFORMAT, "%" PRIu64 " x %" PRIu64
		    " pixels: a side is longer than %d", width, height,
		    PICTURE_MAX_SIDE);
	if (width * height > max_pixels)
		return npu_fail(err, NPU_EFORMAT, "%" PRIu64 " x %" PRIu64
		    " pixels are more than the limit of %" PRIu64
		    "; --max-pixels=%" PRIu64 " reads it", width, height,
		    max_pixels, width * height);
	p->info.width = (uint32_t)width;
	p->info.height = (uint32_t)height;
	return 0;
}
