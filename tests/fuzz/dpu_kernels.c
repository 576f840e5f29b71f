// SPDX-License-Identifier: Apache-2.0
/* The XML of a container's kernels, and numbers in its attributes. */
#include <stdlib.h>

#include "model/dpu_kernels.h"

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n);

/* Each text is part of the document: all are together no longer. */
static void
take(size_t *left, const char *s)
{
	uint64_t number;
	bool junk;

	if (s == NULL)
		return;
	if (strlen(s) > *left)
		abort();
	*left -= strlen(s);
	if (dpu_number(s, &number, &junk) != dpu_number(s, &number, NULL))
		abort();
}

static void
take_argument(size_t *left, const struct dpu_argument *a)
{
	take(left, a->name);
	take(left, a->id);
	take(left, a->offset);
	take(left, a->size);
	take(left, a->host_size);
	take(left, a->qualifier);
	take(left, a->type);
}

int
LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	struct dpu_kernels k;
	struct npu_err err = { .msg = "" };
	/* Another encoding's byte may become two of UTF-8. */
	size_t left = 2 * n;
	int rc = dpu_kernels_read(&k, (struct bytes){ p, n }, &err);

	if ((rc != 0 && rc != NPU_EFORMAT) || (rc == 0) != (*err.msg == '\0') ||
	    (k.n > 0 && !k.core))
		abort();
	for (size_t i = 0; i < k.n; i++) {
		take(&left, k.kernel[i].name);
		take(&left, k.kernel[i].type);
		take(&left, k.kernel[i].id);
		take(&left, k.kernel[i].functional);
		for (size_t m = 0; m < k.kernel[i].instances; m++)
			take(&left, k.kernel[i].instance[m]);
		for (size_t m = 0; m < k.kernel[i].arguments; m++)
			take_argument(&left, &k.kernel[i].argument[m]);
	}
	dpu_kernels_free(&k);
	return 0;
}
