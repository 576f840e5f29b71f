// SPDX-License-Identifier: Apache-2.0
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "emu/xdna/twin.h"
#include "ref/kernel.h"

/* Copies the input to the output, repeatedly if the output is longer. */
static int
copy(const uint8_t *in, size_t in_n, uint8_t *out, size_t out_n,
    struct npu_err *err)
{
	if (in_n == 0)
		return npu_fail(err, NPU_EUSAGE, "twin 'copy': the "
		    "instructions read nothing");
	for (size_t at = 0; at < out_n; at += in_n)
		memcpy(out + at, in, out_n - at < in_n ? out_n - at : in_n);
	return 0;
}

static int
compute(const struct ref_kernel *k, const uint8_t *in, size_t in_n,
    uint8_t *out, size_t out_n, struct npu_err *err)
{
	size_t frames = in_n / k->in.size;

	if (frames == 0 || in_n % k->in.size != 0 ||
	    out_n != frames * k->out.size)
		return npu_fail(err, NPU_EUSAGE, "twin '%s' takes %zu bytes "
		    "and gives %zu, but the instructions move %zu and %zu",
		    k->name, (size_t)k->in.size, (size_t)k->out.size, in_n,
		    out_n);
	for (size_t i = 0; i < frames; i++)
		k->compute(k, in + i * k->in.size, out + i * k->out.size);
	return 0;
}

int
xemu_twin(const void *in, size_t in_n, void *out, size_t out_n,
    struct npu_err *err)
{
	const char *name = getenv("NPU_TWIN");
	const struct ref_kernel *k;

	if (name == NULL || *name == '\0')
		return npu_fail(err, NPU_EUSAGE, "NPU_TWIN names what the "
		    "kernel computes: copy, or a kernel of npu-ref(1)");
	if (strcmp(name, "copy") == 0)
		return copy(in, in_n, out, out_n, err);
	if ((k = ref_kernel_find(name)) == NULL)
		return npu_fail(err, NPU_EUSAGE, "NPU_TWIN=%s: not copy, and "
		    "not a kernel of npu-ref(1)", name);
	return compute(k, in, in_n, out, out_n, err);
}
