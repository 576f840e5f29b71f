// SPDX-License-Identifier: Apache-2.0
/* Converts a model's bytes to its twin's elements and back
 * (lib/emu/tensor_fit.c).  Also tests how the program of a model is read. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "emu/engine.h"
#include "emu/ort.h"
#include "emu/state.h"
#include "emu/tensor_fit.h"
#include "emu/tensors.h"
#include "tap.h"

static noe_status_t status;
static struct npu_err err;

/* desc() returns a tensor of n elements, and twin() a tensor of ndim
 * dimensions, a and b. */
static struct npu_tensor
desc(uint32_t dtype, float scale, int32_t zero, size_t n)
{
	return (struct npu_tensor){ .dtype = dtype, .scale = scale,
	    .zero_point = zero, .size = n * npu_dtype_size(dtype) };
}

static struct ort_tensor
twin(uint32_t dtype, size_t ndim, int64_t a, int64_t b)
{
	return (struct ort_tensor){ .name = "x", .dtype = dtype,
	    .ndim = ndim, .dim = { a, b } };
}

/* Converts one element to the twin's type and back.  want is the expected
 * element of the twin, want_back the expected result. */
static void
there_and_back(const char *what, struct npu_tensor d, uint32_t dtype,
    const void *bytes, const void *want, const void *want_back,
    int conversion)
{
	struct ort_tensor t = twin(dtype, 1, 1, 0);
	struct ort_data data = { .p = NULL };
	uint8_t in[8] = { 0 }, back[8] = { 0 };
	struct tensor_fit f;

	memcpy(in, bytes, d.size);
	ok(tensor_fit_init(&f, &d, &t, true, &status, &err) == 0 &&
	    (int)f.conversion == conversion,
	    "%s: the tensors fit, with the right conversion", what);
	ok(tensor_fit_input(&f, in, &data, &err) == 0 &&
	    memcmp(data.p, want, npu_dtype_size(dtype)) == 0,
	    "%s: the twin receives the right element",
	    what);
	data.count = 1;
	ok(tensor_fit_output(&f, &data, back, &err) == 0 &&
	    memcmp(back, want_back, d.size) == 0,
	    "%s: the model returns the right element", what);
	tensor_fit_free(&f, &data);
}

static void
whole(void)
{
	static const uint64_t large = UINT64_MAX, u64 = 200, zero = 0;
	static const int64_t largest = INT64_MAX, s64 = 200, minus = -5;
	static const int64_t nothing = 0;
	static const uint8_t u8 = 200, none = 0, most = 127;
	static const int8_t s8 = -5;

	there_and_back("u64 beyond s64", desc(NPU_U64, 1, 0, 1), NPU_S64,
	    &large, &largest, &largest, FIT_INTEGER);
	there_and_back("u64 within s64", desc(NPU_U64, 1, 0, 1), NPU_S64,
	    &u64, &s64, &u64, FIT_INTEGER);
	there_and_back("s64 as u64", desc(NPU_S64, 1, 0, 1), NPU_U64, &s64,
	    &u64, &s64, FIT_INTEGER);
	there_and_back("-5 as u64", desc(NPU_S64, 1, 0, 1), NPU_U64, &minus,
	    &zero, &nothing, FIT_INTEGER);
	there_and_back("u8 as s64", desc(NPU_U8, 1, 0, 1), NPU_S64, &u8,
	    &s64, &u8, FIT_INTEGER);
	there_and_back("u8 as s8", desc(NPU_U8, 1, 0, 1), NPU_S8, &u8, &most,
	    &most, FIT_INTEGER);
	there_and_back("s8 as u8", desc(NPU_S8, 1, 0, 1), NPU_U8, &s8, &none,
	    &none, FIT_INTEGER);
	there_and_back("s8 as s64", desc(NPU_S8, 1, 0, 1), NPU_S64, &s8,
	    &minus, &s8, FIT_INTEGER);
}

/* The real number is (q + zero) / scale if the tensor has a zero point or
 * scale; the way back is the inverse. */
static void
scaled(void)
{
	static const uint8_t u8 = 7, as_u8 = 5;
	static const float five = 5, seven = 7;

	there_and_back("u8 of scale 2, zero 3", desc(NPU_U8, 2, 3, 1),
	    NPU_F32, &u8, &five, &u8, FIT_REAL);
	there_and_back("u8 of zero -2", desc(NPU_U8, 1, -2, 1), NPU_F32, &u8,
	    &five, &u8, FIT_REAL);
	there_and_back("u8 of scale 0", desc(NPU_U8, 0, 0, 1), NPU_F32, &u8,
	    &seven, &u8, FIT_REAL);
	there_and_back("u8 of scale 2 as u8", desc(NPU_U8, 2, 3, 1), NPU_U8,
	    &u8, &as_u8, &u8, FIT_REAL);
	there_and_back("f32", desc(NPU_F32, 1, 0, 1), NPU_F32, &five, &five,
	    &five, FIT_SAME);
}

static void
shapes(void)
{
	static const struct {
		const char *what;
		size_t n, ndim;
		int64_t a, b;
		bool closed;
		int rc;
		int64_t dim;	/* the first dimension, if rc is 0 */
	} rows[] = {
		{ "a fixed shape with the right number of elements",
		    6, 2, 2, 3, true, 0, 2 },
		{ "a fixed shape with another number of elements is refused",
		    7, 2, 2, 3, true, NPU_EUSAGE, 0 },
		{ "an open first dimension is computed",
		    6, 2, -1, 3, true, 0, 2 },
		{ "an incomplete last row is refused",
		    7, 2, -1, 3, true, NPU_EUSAGE, 0 },
		{ "rows of 0 elements are refused",
		    6, 2, -1, 0, true, NPU_EUSAGE, 0 },
		{ "two open dimensions of an input are refused",
		    6, 2, -1, -1, true, NPU_EUSAGE, 0 },
		{ "two open dimensions of an output are accepted",
		    6, 2, -1, -1, false, 0, -1 },
		{ "2^32 elements are refused",
		    6, 2, 65536, 65536, true, NPU_EUSAGE, 0 },
		{ "2^33 elements are refused",
		    6, 2, (int64_t)1 << 33, 1, true, NPU_EUSAGE, 0 },
		{ "a tensor without dimensions has one element",
		    1, 0, 0, 0, true, 0, 0 },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct npu_tensor d = desc(NPU_F32, 1, 0, rows[i].n);
		struct ort_tensor t = twin(NPU_F32, rows[i].ndim, rows[i].a,
		    rows[i].b);
		struct tensor_fit f;
		int rc = tensor_fit_init(&f, &d, &t, rows[i].closed, &status,
		    &err);

		ok(rc == rows[i].rc && (rc == 0 ? f.dim[0] == rows[i].dim :
		    status == NOE_STATUS_ERROR_INVALID_SIZE), "%s",
		    rows[i].what);
	}
}

/* The scale of a damaged file, which library 2.0.2 accepts. */
static void
no_scale(void)
{
	struct npu_tensor d = desc(NPU_U8, NAN, 0, 1);
	struct ort_tensor t = twin(NPU_F16, 1, 1, 0);
	struct ort_data data = { .count = 2 };
	uint8_t byte = 1;
	struct tensor_fit f;

	t.dtype = NPU_BOOL;
	d.scale = 1;
	ok(tensor_fit_init(&f, &d, &t, true, &status, &err) == 0 &&
	    f.conversion == FIT_REAL,
	    "a boolean is converted as a real number, not as an integer");
	t.dtype = NPU_F16;
	d.scale = NAN;
	ok(tensor_fit_init(&f, &d, &t, true, &status, &err) == 0,
	    "a tensor with a scale of NaN fits");
	ok(tensor_fit_input(&f, &byte, &data, &err) < 0,
	    "an input with a scale of NaN fails");
	ok(tensor_fit_output(&f, &data, &byte, &err) == NPU_EUSAGE,
	    "two elements of the twin for one of the model are refused");
	tensor_fit_free(&f, &data);
}

/* Runs a job whose input has a scale of NaN. */
static void
no_input(void)
{
	struct npu_tensor d = desc(NPU_U8, NAN, 0, 1);
	struct ort_tensor t = twin(NPU_F16, 1, 1, 0);
	struct cix_tensor in = { .kind = CIX_INPUT, .desc = d };
	struct cix_graph m = { .tensors = &in, .n_tensors = 1,
	    .n_inputs = 1 };
	size_t offset[1] = { 0 };
	struct tensor_fit f;
	uint32_t at[1] = { 0 };
	struct engine e = { .compute = EMU_TWIN, .n_in = 1, .in = &f,
	    .in_at = at };
	struct graph g = { .model = { .graphs = &m, .n_graphs = 1 },
	    .engine = &e, .offset = offset };
	uint8_t memory[1] = { 9 };
	struct emu_job j = { .graph = &g, .memory = memory };
	struct stop_token token = { .options = NULL };

	tensor_fit_init(&f, &d, &t, true, &status, &err);
	ok(engine_run(&j, &token, &err) < 0 &&
	    strncmp(err.msg, "input 0: ", 9) == 0, "the message for a wrong "
	    "input gives its number: %s", err.msg);
}

/* ---- Programs --------------------------------------------------------- */

static void
programs(void)
{
	static const struct {
		const char *what;
		const void *words;
		size_t n;
		bool program;
		enum emu_compute compute;
	} rows[] = {
		{ "operation 0 is fill", "FNP1\0\0\0\0", 8, true, EMU_FILL },
		{ "operation 2 is xor", "FNP1\2\0\0\0", 8, true, EMU_XOR },
		{ "an unknown operation is refused", "FNP1\3\0\0\0", 8, false,
		    EMU_TWIN },
		{ "a truncated operation is refused",
		    "FNP1\0\0\0", 7, false, EMU_TWIN },
		{ "a wrong first word is refused",
		    "FNP2\0\0\0\0", 8, false, EMU_TWIN },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct cix_graph m = { .params = { rows[i].words,
		    rows[i].n } };
		struct engine *e = NULL;
		int rc = engine_open(&e, &m, NULL, &status, &err);

		ok((rc == 0) == rows[i].program && (rc < 0 ?
		    status == NOE_STATUS_ERROR_OPEN_FILE_FAIL :
		    e->compute == rows[i].compute), "a program: %s",
		    rows[i].what);
		engine_close(e);
	}
}

/* A copy without inputs numbers the output bytes instead. */
static void
no_inputs(void)
{
	struct cix_tensor out = { .kind = CIX_OUTPUT, .desc = { .size = 3 } };
	struct cix_graph m = { .tensors = &out, .n_tensors = 1,
	    .n_outputs = 1 };
	size_t offset[1] = { 0 };
	struct engine e = { .compute = EMU_COPY };
	struct graph g = { .model = { .graphs = &m, .n_graphs = 1 },
	    .engine = &e, .offset = offset };
	uint8_t memory[3] = { 9, 9, 9 };
	struct emu_job j = { .graph = &g, .memory = memory };
	struct stop_token token = { .options = NULL };

	ok(engine_run(&j, &token, &err) == 0 && memory[0] == 0 &&
	    memory[1] == 1 && memory[2] == 2,
	    "a copy without an input gives the bytes 0, 1, 2");
}

/* The memory of a freed job is used for the next job.  If a model has no
 * outputs, all its memory is input. */
static void
spare(void)
{
	struct cix_graph m = { .n_inputs = 0 };
	struct graph g = { .model = { .graphs = &m, .n_graphs = 1 },
	    .memory = 4, .spare = malloc(5) };
	struct emu_job j = { .graph = &g };

	if (g.spare == NULL)
		return;
	memset(g.spare, 7, 5);
	ok(job_alloc_memory(&j) && j.memory[0] == 0 && j.memory[3] == 0 &&
	    g.spare == NULL, "memory that is used again is cleared");
	free(j.memory);
}

int
main(void)
{
	whole();
	scaled();
	shapes();
	no_scale();
	no_input();
	unsetenv("NPU_TWIN");
	programs();
	no_inputs();
	spare();
	return done();
}
