// SPDX-License-Identifier: Apache-2.0
/* Tensors of a job: noe-abi 4.8. */
#include <string.h>

#include "abi.h"

static void index_2(struct world *w) { w->index = 2; }
static void index_max(struct world *w) { w->index = 0xffffffff; }

#define TYPE(n) static void type_##n(struct world *w) \
	{ w->type = (tensor_type_t)n; }
TYPE(1) TYPE(2) TYPE(3) TYPE(4) TYPE(5) TYPE(6) TYPE(7) TYPE(8)

static void
output_2(struct world *w)
{
	w->type = NOE_TENSOR_TYPE_OUTPUT;
	w->index = 2;
}

static void
output_nowhere(struct world *w)
{
	w->type = NOE_TENSOR_TYPE_OUTPUT;
	w->data = NULL;
}

/* Exactly 64 bytes are written, all 'a', which world_build() loaded. */
static int
input_back(struct world *w)
{
	char *p = w->data;
	int st;

	memset(p, '.', 80);
	st = call_get_tensor(w);
	must(w, p[0] == 'a' && p[63] == 'a', "what was loaded");
	must(w, p[64] == '.', "not one byte more");
	return st;
}

/* The program in the model sound fills output k with i + k. */
static int
output_of(struct world *w, uint32_t index, int size)
{
	char *p = w->data;
	int st;

	memset(p, '.', 80);
	w->type = NOE_TENSOR_TYPE_OUTPUT;
	w->index = index;
	st = call_get_tensor(w);
	must(w, p[0] == (char)index && p[size - 1] == size - 1 + (int)index,
	    "the result");
	must(w, p[size] == '.', "not one byte more");
	return st;
}

static int output_0(struct world *w) { return output_of(w, 0, 64); }
static int output_1(struct world *w) { return output_of(w, 1, 32); }

static int
copied(struct world *w)
{
	static char in[64], out[64];

	for (int i = 0; i < 64; i++)
		in[i] = (char)(i * 3);
	must(w, noe.load_tensor(w->ctx, w->job, 0, in) == 0, "load_tensor");
	must(w, call_job_infer_sync(w) == 0, "job_infer_sync");
	w->type = NOE_TENSOR_TYPE_OUTPUT;
	w->data = out;
	call_get_tensor(w);
	must(w, memcmp(in, out, sizeof(in)) == 0, "output 0 is input 0");
	return 0;
}

/* Loads and runs the same job again. */
static int
copied_twice(struct world *w)
{
	static char in[64], out[64];

	must(w, copied(w) == 0, "the first run");
	memset(in, 7, sizeof(in));
	must(w, noe.load_tensor(w->ctx, w->job, 0, in) == 0, "load_tensor");
	must(w, call_job_infer_sync(w) == 0, "job_infer_sync");
	w->type = NOE_TENSOR_TYPE_OUTPUT;
	w->data = out;
	call_get_tensor(w);
	must(w, memcmp(in, out, sizeof(in)) == 0, "the second result");
	return 0;
}

static int
after_exception(struct world *w)
{
	return call_load_tensor(w);
}

static int
old_result(struct world *w)
{
	must(w, call_load_tensor(w) == 0, "load_tensor after the run");
	return output_0(w);
}

#define FLIGHT "FAKEAIPU_DELAY_MS=2000 NPU_EMU_INFER_MS=2000"
#define EXCEPTION "FAKEAIPU_STATE=2 NPU_EMU_FAULT=infer:*:exception"

static const struct row rows[] = {
	{ "load_tensor: before the first run", JOB, NULL, call_load_tensor, 0,
	    NULL, NULL },
	{ "load_tensor: after a run", DONE, NULL, call_load_tensor, 0, NULL,
	    NULL },
	{ "load_tensor: data NULL", JOB, no_data, call_load_tensor, 1, NULL,
	    NULL },
	{ "load_tensor: index too large", JOB, index_2, call_load_tensor,
	    0x1a, NULL, NULL },
	{ "load_tensor: largest index", JOB, index_max, call_load_tensor,
	    0x1a, NULL, NULL },
	{ "load_tensor: job 0", JOB, no_job, call_load_tensor, 0x10, NULL,
	    NULL },
	{ "load_tensor: job 0xffffffff", JOB, small_job, call_load_tensor,
	    0x10, NULL, NULL },
	{ "load_tensor: unknown job", JOB, unknown_job, call_load_tensor,
	    0x10, NULL, NULL },
	{ "load_tensor: cleaned job", JOB, cleaned, call_load_tensor, 0x10,
	    NULL, NULL },
	{ "load_tensor: graph unloaded", JOB, unloaded, call_load_tensor,
	    0x10, NULL, NULL },
	{ "load_tensor: in flight", FLYING, NULL, call_load_tensor, 0x14,
	    NULL, FLIGHT },
	{ "load_tensor: after an exception", TRIED, NULL, after_exception,
	    0x14, NULL, EXCEPTION },
	{ "load_tensor: ctx NULL", JOB, no_ctx, call_load_tensor, 1, NULL,
	    NULL },
	{ "load_tensor: unknown handle", JOB, stale_ctx, call_load_tensor, 2,
	    NULL, NULL },

	{ "get_tensor: output 0", DONE, NULL, output_0, 0, NULL, NULL },
	{ "get_tensor: output 1", DONE, NULL, output_1, 0, NULL, NULL },
	{ "get_tensor: an input", DONE, NULL, input_back, 0, NULL, NULL },
	{ "get_tensor: an input comes out through copy", JOB, NULL, copied, 0,
	    "copy", NULL },
	{ "get_tensor: a reused job gives the new result", JOB, NULL,
	    copied_twice, 0, "copy", NULL },
	{ "get_tensor: before the first run", READY, type_1, call_get_tensor,
	    0x14, NULL, NULL },
	{ "get_tensor: an input before the first run", READY, NULL,
	    call_get_tensor, 0x14, NULL, NULL },
	{ "get_tensor: inputs reloaded after a run", DONE, NULL, old_result,
	    0, NULL, NULL },
	{ "get_tensor: in flight", FLYING, type_1, call_get_tensor, 0x14,
	    NULL, FLIGHT },
	{ "get_tensor: after an exception", TRIED, type_1, call_get_tensor,
	    0x14, NULL, EXCEPTION },
	{ "get_tensor: input index too large", DONE, index_2,
	    call_get_tensor, 0x1a, NULL, NULL },
	{ "get_tensor: output index too large", DONE, output_2,
	    call_get_tensor, 0x1a, NULL, NULL },
	{ "get_tensor: largest index", DONE, index_max, call_get_tensor,
	    0x1a, NULL, NULL },
	{ "get_tensor: data NULL", DONE, output_nowhere, call_get_tensor, 1,
	    NULL, NULL },
	{ "get_tensor: dumps", DONE, type_2, call_get_tensor, 0x1a, NULL,
	    NULL },
	{ "get_tensor: printf", DONE, type_3, call_get_tensor, CRASHES, NULL,
	    NULL },
	{ "get_tensor: profiler", DONE, type_4, call_get_tensor, 0x1a, NULL,
	    NULL },
	{ "get_tensor: layer counters", DONE, type_5, call_get_tensor, 0x1a,
	    NULL, NULL },
	{ "get_tensor: error codes", DONE, type_6, call_get_tensor, 0x1a,
	    NULL, NULL },
	{ "get_tensor: output shapes", DONE, type_7, call_get_tensor, 0x1a,
	    NULL, NULL },
	{ "get_tensor: unknown type", DONE, type_8, call_get_tensor, 0x14,
	    NULL, NULL },
	{ "get_tensor: job 0", DONE, no_job, call_get_tensor, 0x10, NULL,
	    NULL },
	{ "get_tensor: job 0xffffffff", DONE, small_job, call_get_tensor,
	    0x10, NULL, NULL },
	{ "get_tensor: unknown job", DONE, unknown_job, call_get_tensor, 0x10,
	    NULL, NULL },
	{ "get_tensor: cleaned job", DONE, cleaned, call_get_tensor, 0x10,
	    NULL, NULL },
	{ "get_tensor: graph unloaded", DONE, unloaded, call_get_tensor,
	    0x10, NULL, NULL },
	{ "get_tensor: ctx NULL", DONE, no_ctx, call_get_tensor, 1, NULL,
	    NULL },
	{ "get_tensor: unknown handle", DONE, stale_ctx, call_get_tensor, 2,
	    NULL, NULL },
};

TABLE(tensor_rows, rows);
