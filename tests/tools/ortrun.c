// SPDX-License-Identifier: Apache-2.0
/*
 * ortrun RUNTIME MODEL.onnx SCALE - runs a model in ONNX Runtime directly,
 * without code of ours.  The model has one f32 input: u8 values from stdin
 * divided by SCALE.  Its one f32 output, rounded to f16, goes to stdout.
 * npu-run on the emulator must write the same bytes.
 *
 * Slots of OrtApi and element types: onnxruntime_c_api.h, version 11 (MIT), as
 * listed in the project's notes on the engine; they never move.
 */
#include <dlfcn.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
	GET_ERROR_MESSAGE = 2, CREATE_ENV = 3, CREATE_SESSION = 7, RUN = 9,
	CREATE_OPTIONS = 10, SET_LEVEL = 23, SET_INTRA_THREADS = 24,
	INPUT_TYPE = 33, INPUT_NAME = 36, OUTPUT_NAME = 37,
	CREATE_TENSOR = 49, TENSOR_DATA = 51, CAST_TYPE = 55,
	DIM_COUNT = 61, DIMS = 62, ELEMENT_COUNT = 64, TYPE_AND_SHAPE = 65,
	CPU_MEMORY = 69, ALLOCATOR = 78,
};

enum { ORT_FLOAT = 1, API_VERSION = 11, WARNING = 2 };

typedef void (*slot)(void);	/* cast to the function's type */

struct api_base {
	const void *(*get_api)(uint32_t);
	const char *(*version)(void);
};

static slot api[131];

#define CALL(n, type, ...) \
	must(((void *(*)type)api[n])(__VA_ARGS__), #n)

static void
must(void *status, const char *what)
{
	const char *(*message)(void *);

	if (status == NULL)
		return;
	memcpy(&message, &api[GET_ERROR_MESSAGE], sizeof(message));
	fprintf(stderr, "ortrun: %s: %s\n", what, message(status));
	exit(1);
}

static void
open_runtime(const char *path)
{
	const struct api_base *(*get)(void);
	void *dl, *f;

	setenv("ORT_DISABLE_TELEMETRY", "1", 1);
	if ((dl = dlopen(path, RTLD_NOW)) == NULL ||
	    (f = dlsym(dl, "OrtGetApiBase")) == NULL) {
		fprintf(stderr, "ortrun: %s\n", dlerror());
		exit(1);
	}
	memcpy(&get, &f, sizeof(get));
	memcpy(api, get()->get_api(API_VERSION), sizeof(api));
}

static void *
load(const char *model, void **allocator)
{
	void *env, *options, *session;

	CALL(CREATE_ENV, (int, const char *, void **), WARNING, "ortrun", &env);
	CALL(CREATE_OPTIONS, (void **), &options);
	/* Like the emulator: one thread, basic optimisation. */
	CALL(SET_LEVEL, (void *, int), options, 1);
	CALL(SET_INTRA_THREADS, (void *, int), options, 1);
	CALL(CREATE_SESSION, (void *, const char *, void *, void **), env,
	    model, options, &session);
	CALL(ALLOCATOR, (void **), allocator);
	return session;
}

/* Reads the input's dimensions; returns its number of elements. */
static size_t
shape(void *session, int64_t dims[8], size_t *ndim)
{
	const void *tensor;
	void *type;
	size_t n;

	CALL(INPUT_TYPE, (void *, size_t, void **), session, 0, &type);
	CALL(CAST_TYPE, (void *, const void **), type, &tensor);
	CALL(DIM_COUNT, (const void *, size_t *), tensor, ndim);
	if (*ndim > 8)
		exit(1);
	CALL(DIMS, (const void *, int64_t *, size_t), tensor, dims, *ndim);
	CALL(ELEMENT_COUNT, (const void *, size_t *), tensor, &n);
	return n;
}

/* Converts to binary16 by its definition (IEEE 754): rounds to the nearest
 * multiple, ties to even, of the unit in the last place for this exponent. */
static uint16_t
half(float y)
{
	uint16_t sign = signbit(y) ? 0x8000 : 0;
	double a = fabs((double)y), unit;
	int e;

	if (isnan(y))
		return sign | 0x7e00;
	frexp(a, &e);
	e = e - 1 < -14 ? -14 : e - 1;		/* a = m * 2^e, 1 <= m < 2 */
	unit = ldexp(1, e - 10);
	a = rint(a / unit);			/* 1024 .. 2048, or subnormal */
	if (a >= 2048) {
		a /= 2;
		e++;
	}
	if (e > 15)
		return sign | 0x7c00;
	if (a < 1024)
		return (uint16_t)(sign | (uint16_t)a);
	return (uint16_t)(sign | (e + 15) << 10 | ((int)a - 1024));
}

static void
run(void *session, void *allocator, float scale)
{
	int64_t dims[8];
	size_t ndim, n = shape(session, dims, &ndim), out_n;
	uint8_t *q = malloc(n);
	float *x = malloc(n * sizeof(*x)), *y;
	void *memory, *in, *out = NULL, *info;
	char *names[2];
	uint16_t h;

	if (q == NULL || x == NULL || fread(q, 1, n, stdin) != n) {
		fprintf(stderr, "ortrun: %zu bytes wanted\n", n);
		exit(1);
	}
	for (size_t i = 0; i < n; i++)
		x[i] = (float)q[i] / scale;
	CALL(CPU_MEMORY, (int, int, void **), 1, 0, &memory);
	CALL(CREATE_TENSOR, (void *, void *, size_t, const int64_t *, size_t,
	    int, void **), memory, x, n * sizeof(*x), dims, ndim, ORT_FLOAT,
	    &in);
	CALL(INPUT_NAME, (void *, size_t, void *, char **), session, 0,
	    allocator, &names[0]);
	CALL(OUTPUT_NAME, (void *, size_t, void *, char **), session, 0,
	    allocator, &names[1]);
	CALL(RUN, (void *, void *, char *const *, void *const *, size_t,
	    char *const *, size_t, void **), session, NULL, &names[0], &in, 1,
	    &names[1], 1, &out);
	CALL(TENSOR_DATA, (void *, void **), out, (void **)&y);
	CALL(TYPE_AND_SHAPE, (void *, void **), out, &info);
	CALL(ELEMENT_COUNT, (const void *, size_t *), info, &out_n);
	for (size_t i = 0; i < out_n; i++) {
		h = half(y[i]);
		fwrite(&h, sizeof(h), 1, stdout);
	}
	free(q);
	free(x);
}

int
main(int argc, char *argv[])
{
	void *allocator, *session;

	if (argc != 4) {
		fprintf(stderr, "usage: ortrun RUNTIME MODEL.onnx SCALE\n");
		return 2;
	}
	open_runtime(argv[1]);
	session = load(argv[2], &allocator);
	run(session, allocator, strtof(argv[3], NULL));
	/* The kernel frees the objects of the runtime. */
	_exit(fflush(stdout) != 0);
}
