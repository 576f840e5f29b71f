// SPDX-License-Identifier: Apache-2.0
/* npu-tensor's frames ("2-4") and tensors ("0,2"), a line of each. */
int npu_tensor_main(int argc, char *argv[]);
#define main npu_tensor_main
#include "../../cmd/npu-tensor.c"
#undef main

#include "dies.h"

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n);

static void
take(void *arg)
{
	struct choice c = { .last = INT64_MAX, .first = 1 };
	char *tensors = strchr(arg, '\n');
	unsigned set = 0;

	if (tensors != NULL)
		*tensors++ = '\0';
	take_frames(&c, arg);
	if (c.first < 1 || c.last < c.first)
		abort();
	if (tensors == NULL)
		return;
	take_tensors(&c, tensors);
	for (unsigned i = 0; i < UINT16_MAX; i++)
		set += c.tensors[i];
	if (set != c.count || c.count == 0 || !c.tensors[c.most])
		abort();
}

int
LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	char *text = dies_text(p, n);

	dies(take, text);
	free(text);
	return 0;
}
