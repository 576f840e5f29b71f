// SPDX-License-Identifier: Apache-2.0
/*
 * Reads the XML of a container's kernels, the numbers in its attributes, and
 * the arguments that result.
 */
#include <stdlib.h>

#include "model/dpu_arguments.h"

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n);

/* Each text is part of the document, so all texts together cannot be longer. */
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

/* Ids ascend, and each occurs once; arguments without an id follow. */
static void
merge(const struct dpu_kernel *k)
{
	struct dpu_arguments a;

	if (dpu_arguments_merge(&a, k) < 0)
		abort();
	if (a.n > k->arguments || a.numbered > a.n)
		abort();
	for (size_t i = 0; i < a.n; i++)
		if ((a.item[i].id == DPU_NO_ID) != (i >= a.numbered) ||
		    (i > 0 && i < a.numbered &&
		    a.item[i].id <= a.item[i - 1].id) ||
		    dpu_merged_end(&a.item[i]) < a.item[i].offset ||
		    (dpu_argument_is_pointer(a.item[i].first) &&
		    a.item[i].first->qualifier == NULL))
			abort();
	dpu_arguments_free(&a);
}

int
LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	struct dpu_kernels k;
	struct npu_err err = { .msg = "" };
	/* A byte in another encoding may become two bytes in UTF-8. */
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
		merge(&k.kernel[i]);
	}
	dpu_kernels_free(&k);
	return 0;
}
