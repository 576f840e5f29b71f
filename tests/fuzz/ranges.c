// SPDX-License-Identifier: Apache-2.0
/* npu-tensor's frames ("2-4") and tensors ("0,2"), a line of each. */
int npu_tensor_main(int argc, char *argv[]);
#define main npu_tensor_main
#include "../../cmd/npu-tensor/npu-tensor.c"
#undef main

#include "dies.h"

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n);

static void
parse(void *arg)
{
	struct npu_tensor_options o = { .last = INT64_MAX, .first = 1 };
	char *tensors = strchr(arg, '\n');
	unsigned set = 0;

	if (tensors != NULL)
		*tensors++ = '\0';
	parse_frames(&o, arg);
	if (o.first < 1 || o.last < o.first)
		abort();
	if (tensors == NULL)
		return;
	parse_tensors(&o, tensors);
	for (unsigned i = 0; i < UINT16_MAX; i++)
		set += o.tensors[i];
	if (set != o.count || o.count == 0 || !o.tensors[o.most])
		abort();
}

int
LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	char *text = dies_text(p, n);

	dies(parse, text);
	free(text);
	return 0;
}
