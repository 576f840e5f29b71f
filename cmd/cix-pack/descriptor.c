// SPDX-License-Identifier: Apache-2.0
#include <float.h>
#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

#include "cmd.h"
#include "descriptor.h"

void
descriptor_refuse(const struct spec_origin *from, const char *fmt, ...)
{
	char line[1024];
	int n = snprintf(line, sizeof(line), "%.400s: ", from->name);
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(line + n, sizeof(line) - (size_t)n, fmt, ap);
	va_end(ap);
	if (from->is_file)
		cmd_die("%s", line);
	cmd_usage("%s", line);
}

void
descriptor_set_name(char dst[NPU_MAX_NAME], const char *name, size_t n,
    const struct spec_origin *from)
{
	if (n >= NPU_MAX_NAME)
		descriptor_refuse(from, "the name '%.*s' is longer than %d "
		    "bytes", (int)n, name, NPU_MAX_NAME - 1);
	memcpy(dst, name, n);
	dst[n] = '\0';
}

void
descriptor_set_type(struct npu_tensor *t, const char *name,
    const struct spec_origin *from)
{
	int code = npu_dtype_by_name(name);

	if (code < 0)
		descriptor_refuse(from, "'%s' is not an element type such as "
		    "s8, u8, s32 or f16", name);
	t->dtype = (uint32_t)code;
}

void
descriptor_add_dim(struct npu_tensor *t, int64_t dim,
    const struct spec_origin *from)
{
	if (dim < 1 || dim > INT32_MAX)
		descriptor_refuse(from, "dimension %" PRId64 " is not from 1 "
		    "to %d", dim, INT32_MAX);
	if (t->ndim == NPU_MAX_DIMS)
		descriptor_refuse(from, "more than %d dimensions",
		    NPU_MAX_DIMS);
	t->dim[t->ndim++] = (uint32_t)dim;
}

/* The loop ends once the size is so large that cix_write() refuses it, before
 * the product overflows. */
void
descriptor_set_size(struct npu_tensor *t, const struct spec_origin *from)
{
	uint64_t size = npu_dtype_size(t->dtype);

	if (size == 0)
		descriptor_refuse(from, "elements of type %s are not whole "
		    "bytes; give \"bytes\" in JSON", npu_dtype_name(t->dtype));
	for (uint32_t i = 0; i < t->ndim && size < NPU_MAX_PAYLOAD; i++)
		size *= t->dim[i];
	t->size = size;
}

void
descriptor_set_scale(struct npu_tensor *t, double scale,
    const struct spec_origin *from)
{
	t->scale = (float)scale;
	if (scale < 0 || scale > FLT_MAX || (scale > 0 && t->scale == 0))
		descriptor_refuse(from, "scale %g is not from 0 to %g", scale,
		    (double)FLT_MAX);
}
