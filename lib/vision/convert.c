// SPDX-License-Identifier: Apache-2.0
#include <string.h>

#include "base/err.h"
#include "vision/convert.h"

int
convert_open(struct convert *c, const struct npu_tensor *t,
    struct npu_err *err)
{
	int rc;

	c->size = npu_dtype_size(t->dtype);
	if (c->size != 1 && c->size != 2 && c->size != 4)
		return npu_fail(err, NPU_EUSAGE, "pixels become elements of 8, "
		    "16 or 32 bits, not %s", npu_dtype_name(t->dtype) != NULL ?
		    npu_dtype_name(t->dtype) : "of an unknown type");
	for (int i = 0; i < 3; i++)
		if ((rc = npu_quantise(t, c->x[i], 256, c->table[i], false,
		    NULL, err)) < 0)
			return rc;
	return 0;
}

#define LOOK_UP(type) \
	for (size_t i = 0; i < n; i++, out += step) \
		memcpy(out, table + pixels[4 * i] * sizeof(type), \
		    sizeof(type)); \
	break

static void
look_up(const uint8_t *table, size_t size, const uint8_t *pixels, size_t n,
    uint8_t *out, size_t step)
{
	switch (size) {
	case 1: LOOK_UP(uint8_t);
	case 2: LOOK_UP(uint16_t);
	case 4: LOOK_UP(uint32_t);
	}
}

void
convert_pixels(const struct convert *c, const uint8_t *pixels, size_t n,
    uint8_t *out)
{
	for (int i = 0; i < 3; i++)
		look_up(c->table[i], c->size, pixels + c->channel[i], n,
		    out + i * c->plane, c->step);
}

void
convert_fill(const struct convert *c, const uint8_t pixel[3], size_t n,
    uint8_t *out)
{
	for (int i = 0; i < 3; i++)
		for (size_t j = 0; j < n; j++)
			memcpy(out + i * c->plane + j * c->step, c->table[i] +
			    pixel[c->channel[i]] * c->size, c->size);
}
