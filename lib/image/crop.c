// SPDX-License-Identifier: Apache-2.0
/* crop.c - copies a part of a picture. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "image/crop.h"

int
image_crop(const struct image *image, struct rect r, struct image *part,
    struct npu_err *err)
{
	struct rect c = rect_common(r, rect_of(image));
	size_t from = (size_t)image->width * 3, to;
	uint8_t *rgb;

	if (rect_empty(c))
		return npu_fail(err, NPU_EUSAGE, "from %" PRId64 ",%" PRId64
		    " to %" PRId64 ",%" PRId64 " there is nothing of a "
		    "picture of %ux%u pixels", r.x1, r.y1, r.x2, r.y2,
		    image->width, image->height);
	to = (size_t)(c.x2 - c.x1) * 3;
	if ((rgb = malloc(to * (size_t)(c.y2 - c.y1))) == NULL)
		return npu_fail(err, NPU_ESYSTEM, "out of memory");
	for (int64_t y = c.y1; y < c.y2; y++)
		memcpy(rgb + (size_t)(y - c.y1) * to, image->rgb +
		    (size_t)y * from + (size_t)c.x1 * 3, to);
	*part = (struct image){ (uint32_t)(c.x2 - c.x1),
	    (uint32_t)(c.y2 - c.y1), rgb };
	return 0;
}
