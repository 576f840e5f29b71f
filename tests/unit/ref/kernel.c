// SPDX-License-Identifier: Apache-2.0
#include <string.h>

#include "ref/attention.h"
#include "ref/exact.h"
#include "ref/kernel.h"
#include "ref/layernorm.h"
#include "tap.h"

static void
table(void)
{
	static const struct { const char *name; uint64_t in, out; } rows[] = {
		{ "layernorm", 1024, 1024 },
		{ "layernorm-exact", 1024, 2048 },
		{ "attention", 12288, 4096 },
		{ "attention-guide", 12288, 4096 },
		{ "attention-lut8", 12288, 4096 },
		{ "attention-shift4", 12288, 4096 },
		{ "attention-int8", 12288, 4096 },
		{ "attention-exact", 12288, 16384 },
	};
	size_t n = 0;

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		const struct ref_kernel *k = ref_kernel_find(rows[i].name);

		ok(k != NULL && k->in.size == rows[i].in &&
		    k->out.size == rows[i].out &&
		    npu_tensor_count(&k->in) * npu_dtype_size(k->in.dtype) ==
		    k->in.size, "the kernel %s takes %d bytes and returns %d "
		    "bytes", rows[i].name,
		    (int)rows[i].in, (int)rows[i].out);
	}
	while (ref_kernels[n].name != NULL)
		n++;
	ok(n == sizeof(rows) / sizeof(*rows), "the table has no other kernels");
	ok(ref_kernel_find("attention-") == NULL,
	    "a part of a name does not find a kernel");
}

/* Tests that a kernel computes what the function with its name computes. */
static void
functions(void)
{
	static int8_t qkv[3 * REF_MATRIX], out[REF_MATRIX], want[REF_MATRIX];
	static const struct {
		const char *name;
		void (*compute)(const int8_t *qkv, int8_t *out);
	} rows[] = {
		{ "attention", ref_attention },
		{ "attention-guide", ref_attention_guide },
		{ "attention-lut8", ref_attention_lut8 },
		{ "attention-shift4", ref_attention_shift4 },
		{ "attention-int8", ref_attention_int8 },
	};

	for (int i = 0; i < 3 * REF_MATRIX; i++)
		qkv[i] = (int8_t)(i * 37 % 101 - 50);
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		const struct ref_kernel *k = ref_kernel_find(rows[i].name);

		k->compute(k, qkv, out);
		rows[i].compute(qkv, want);
		ok(memcmp(out, want, sizeof(out)) == 0,
		    "the kernel %s gives the result of its function",
		    rows[i].name);
	}
}

static void
other_rows(void)
{
	static const uint16_t x[] = { 0x3f80, 0xbf80, 0x4000 };
	struct ref_kernel k;
	uint16_t out[3], want[3];
	float exact[3], exact_want[3];

	ref_kernel_row(ref_kernel_find("layernorm"), 3, &k);
	k.compute(&k, x, out);
	ref_layernorm(x, 3, want);
	ok(k.in.size == 6 && k.out.size == 6 && k.out.dim[0] == 3 &&
	    memcmp(out, want, sizeof(out)) == 0,
	    "layernorm works with rows of 3 elements");
	ref_kernel_row(ref_kernel_find("layernorm-exact"), 3, &k);
	k.compute(&k, x, exact);
	ref_layernorm_exact(x, 3, exact_want);
	ok(k.in.size == 6 && k.out.size == 12 &&
	    memcmp(exact, exact_want, sizeof(exact)) == 0,
	    "layernorm-exact works with rows of 3 elements");
	ref_kernel_row(ref_kernel_find("layernorm-exact"),
	    REF_LAYERNORM_LONGEST, &k);
	ok(k.in.size == 1 << 25 && k.out.size == 1 << 26,
	    "the longest rows have 32 MiB of input and 64 MiB of output");
}

int
main(void)
{
	table();
	functions();
	other_rows();
	return done();
}
