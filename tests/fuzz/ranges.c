// SPDX-License-Identifier: Apache-2.0
/* npu-tensor's frames ("2-4") and tensors ("0,2"), on one line each. */
#include "dies.h"
#include "npu-tensor/selection.h"

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n);

const struct program program = { .name = "npu-tensor" };

static void
parse(void *arg)
{
	struct selection c = SELECTION_ALL;
	char *tensors = strchr(arg, '\n');
	unsigned set = 0;

	if (tensors != NULL)
		*tensors++ = '\0';
	selection_frames(&c, arg);
	if (c.first < 1 || c.last < c.first)
		abort();
	if (tensors == NULL)
		return;
	selection_tensors(&c, tensors);
	for (unsigned i = 0; i < UINT16_MAX; i++)
		set += c.tensors[i];
	if (set != c.count || c.count == 0 || !c.tensors[c.most])
		abort();
	selection_free(&c);
}

int
LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	char *text = dies_text(p, n);

	dies(parse, text);
	free(text);
	return 0;
}
