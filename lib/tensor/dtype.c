// SPDX-License-Identifier: Apache-2.0
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/num.h"
#include "npu.h"

/* Codes: noe-abi 2.1.  The sizes of types with 4 and 12 bits follow from their
 * names. */
static const struct {
	uint32_t code;
	const char *name;
	uint8_t bytes;		/* in one element; 0: not a whole number */
	bool is_float;
} dtypes[] = {
	{ NPU_BOOL, "bool", 1, false },
	{ NPU_U8, "u8", 1, false },
	{ NPU_S8, "s8", 1, false },
	{ NPU_U16, "u16", 2, false },
	{ NPU_S16, "s16", 2, false },
	{ NPU_U32, "u32", 4, false },
	{ NPU_S32, "s32", 4, false },
	{ NPU_U64, "u64", 8, false },
	{ NPU_S64, "s64", 8, false },
	{ NPU_F16, "f16", 2, true },
	{ NPU_F32, "f32", 4, true },
	{ NPU_F64, "f64", 8, true },
	{ NPU_BF16, "bf16", 2, true },
	{ NPU_U4, "u4", 1, false },
	{ NPU_S4, "s4", 1, false },
	{ NPU_U12, "u12", 2, false },
	{ NPU_S12, "s12", 2, false },
	{ NPU_U4C, "u4c", 0, false },
	{ NPU_S4C, "s4c", 0, false },
	{ NPU_U12C, "u12c", 0, false },
	{ NPU_S12C, "s12c", 0, false },
};

#define NDTYPES (sizeof(dtypes) / sizeof(*dtypes))

const char *
npu_dtype_name(uint32_t dtype)
{
	for (size_t i = 0; i < NDTYPES; i++)
		if (dtypes[i].code == dtype)
			return dtypes[i].name;
	return NULL;
}

int
npu_dtype_by_name(const char *name)
{
	for (size_t i = 0; name != NULL && i < NDTYPES; i++)
		if (strcmp(dtypes[i].name, name) == 0)
			return (int)dtypes[i].code;
	return -1;
}

size_t
npu_dtype_size(uint32_t dtype)
{
	for (size_t i = 0; i < NDTYPES; i++)
		if (dtypes[i].code == dtype)
			return dtypes[i].bytes;
	return 0;
}

bool
npu_dtype_is_float(uint32_t dtype)
{
	for (size_t i = 0; i < NDTYPES; i++)
		if (dtypes[i].code == dtype)
			return dtypes[i].is_float;
	return false;
}

uint64_t
npu_tensor_count(const struct npu_tensor *t)
{
	size_t size = npu_dtype_size(t->dtype);

	return size == 0 ? 0 : t->size / size;
}

static int
format_shape(const struct npu_tensor *t, char *buf, size_t n)
{
	int len = 0;

	if (t->ndim == 0 && npu_dtype_size(t->dtype) == 0)
		return snprintf(buf, n, "[?]");
	if (t->ndim == 0)
		return snprintf(buf, n, "[%" PRIu64 "]", npu_tensor_count(t));
	for (uint32_t i = 0; i < t->ndim && (size_t)len < n; i++)
		len += snprintf(buf + len, n - (size_t)len, "%c%" PRIu32,
		    i == 0 ? '[' : ',', t->dim[i]);
	if ((size_t)len < n)
		len += snprintf(buf + len, n - (size_t)len, "]");
	return len;
}

void
npu_tensor_format(const struct npu_tensor *t, char *buf, size_t n)
{
	const char *name = npu_dtype_name(t->dtype);
	char shape[NPU_MAX_DIMS * 11 + 3], type[16], scale[40];

	snprintf(type, sizeof(type), "0x%" PRIx32, t->dtype);
	format_shape(t, shape, sizeof(shape));
	num_format_float(t->scale, scale, sizeof(scale));
	if (npu_dtype_is_float(t->dtype))
		snprintf(buf, n, "%s %s", name, shape);
	else
		snprintf(buf, n, "%s %s scale=%s zero_point=%" PRId32,
		    name != NULL ? name : type, shape, scale, t->zero_point);
}
