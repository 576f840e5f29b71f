// SPDX-License-Identifier: Apache-2.0
#include <string.h>

#include "ref/attention.h"
#include "ref/exact.h"
#include "ref/kernel.h"
#include "ref/layernorm.h"

/* ---- The kernels as functions of one type ------------------------------ */

static void
layernorm(const struct ref_kernel *k, const void *in, void *out)
{
	ref_layernorm(in, k->in.dim[0], out);
}

static void
layernorm_exact(const struct ref_kernel *k, const void *in, void *out)
{
	ref_layernorm_exact(in, k->in.dim[0], out);
}

#define FIXED(name) \
static void \
name(const struct ref_kernel *k, const void *in, void *out) \
{ \
	(void)k; \
	ref_ ## name(in, out); \
}
FIXED(attention)
FIXED(attention_guide)
FIXED(attention_lut8)
FIXED(attention_shift4)
FIXED(attention_int8)
FIXED(attention_exact)

/* ---- The table --------------------------------------------------------- */

/* The row length of guide 003's kernel. */
enum { ROW = 512 };

#define ROW_OF(type, bytes) \
	{ .dtype = (type), .ndim = 1, .dim = { ROW }, .scale = 1, \
	    .size = ROW * (bytes) }
/* Q, K and V. */
#define QKV \
	{ .dtype = NPU_S8, .ndim = 3, .dim = { 3, REF_SIDE, REF_SIDE }, \
	    .scale = 1, .size = 3 * REF_MATRIX }
#define MATRIX_OF(type, bytes) \
	{ .dtype = (type), .ndim = 2, .dim = { REF_SIDE, REF_SIDE }, \
	    .scale = 1, .size = REF_MATRIX * (bytes) }

const struct ref_kernel ref_kernels[] = {
	{ "layernorm", ROW_OF(NPU_BF16, 2), ROW_OF(NPU_BF16, 2), true,
	    layernorm },
	{ "layernorm-exact", ROW_OF(NPU_BF16, 2), ROW_OF(NPU_F32, 4), true,
	    layernorm_exact },
	{ "attention", QKV, MATRIX_OF(NPU_S8, 1), false, attention },
	{ "attention-guide", QKV, MATRIX_OF(NPU_S8, 1), false,
	    attention_guide },
	{ "attention-lut8", QKV, MATRIX_OF(NPU_S8, 1), false,
	    attention_lut8 },
	{ "attention-shift4", QKV, MATRIX_OF(NPU_S8, 1), false,
	    attention_shift4 },
	{ "attention-int8", QKV, MATRIX_OF(NPU_S8, 1), false,
	    attention_int8 },
	{ "attention-exact", QKV, MATRIX_OF(NPU_F32, 4), false,
	    attention_exact },
	{ .name = NULL },
};

const struct ref_kernel *
ref_kernel_find(const char *name)
{
	for (const struct ref_kernel *k = ref_kernels; k->name != NULL; k++)
		if (strcmp(k->name, name) == 0)
			return k;
	return NULL;
}

void
ref_kernel_row(const struct ref_kernel *k, uint32_t n, struct ref_kernel *row)
{
	*row = *k;
	row->in.size = k->in.size / k->in.dim[0] * n;
	row->out.size = k->out.size / k->out.dim[0] * n;
	row->in.dim[0] = row->out.dim[0] = n;
}
