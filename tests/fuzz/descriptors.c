// SPDX-License-Identifier: Apache-2.0
/*
 * A library's answers about a model's tensors are refused with a message, or
 * give tensors that have a size and a positive, finite scale.  The input is the
 * library's answers, one after the other; the tensors of the model file are
 * fixed.
 */
#include "../../lib/device/open.c"

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n);

static struct bytes answers;

/* Copies as many of the n bytes as are left; the rest of *to is unchanged. */
static void
answer(void *to, size_t n)
{
	n = n < answers.n ? n : answers.n;
	memcpy(to, answers.p, n);
	answers = (struct bytes){ answers.p + n, answers.n - n };
}

/* Takes one byte; most values are success. */
static noe_status_t
status(void)
{
	uint8_t b = 0;

	answer(&b, 1);
	return b < 200 ? NOE_STATUS_SUCCESS : (noe_status_t)(b - 199);
}

static noe_status_t
count(const context_handler_t *ctx, uint64_t graph, tensor_type_t type,
    uint32_t *n)
{
	uint16_t some = 0;

	(void)ctx;
	(void)graph;
	(void)type;
	answer(&some, sizeof(some));
	*n = some < 64 ? some % 8u : some == 64 ? UINT32_MAX : some;
	return status();
}

static noe_status_t
descriptor(const context_handler_t *ctx, uint64_t graph, tensor_type_t type,
    uint32_t i, tensor_desc_t *d)
{
	(void)ctx;
	(void)graph;
	(void)type;
	(void)i;
	answer(d, sizeof(*d));
	return status();
}

static void
check(const struct npu_tensor *t, uint32_t n, uint64_t bytes)
{
	uint64_t sum = 0;
	char text[100];

	for (uint32_t i = 0; i < n; i++) {
		if (t[i].size == 0 || !isfinite(t[i].scale) ||
		    !(t[i].scale > 0) || t[i].ndim > NPU_MAX_DIMS)
			abort();
		npu_tensor_format(&t[i], text, sizeof(text));
		sum += t[i].size;
	}
	if (sum != bytes)
		abort();
}

int
LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	struct npu npu = { .model_fd = -1, .s.noe = {
	    .get_tensor_count = count, .get_tensor_descriptor = descriptor } };
	struct cix_tensor of_file[2] = { 0 };
	struct cix_graph g = { .tensors = of_file, .n_tensors = 2,
	    .n_inputs = 1, .n_outputs = 1 };
	struct npu_err err = { 0 };
	int rc;

	of_file[0].desc = (struct npu_tensor){ .dtype = NPU_S8, .size = 6,
	    .name = "in", .ndim = 2, .dim = { 2, 3 } };
	of_file[1].desc = (struct npu_tensor){ .dtype = NPU_F16, .size = 4 };
	answers = (struct bytes){ p, n };
	rc = describe_model(&npu, &g, &err);
	if (rc < 0 && err.msg[0] == '\0')
		abort();
	if (rc == 0) {
		check(npu.in, npu.n_in, npu.in_size);
		check(npu.out, npu.n_out, npu.out_size);
	}
	free(npu.in);
	free(npu.out);
	return 0;
}
