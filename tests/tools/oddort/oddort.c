// SPDX-License-Identifier: Apache-2.0
/*
 * A libonnxruntime.so in front of the real library, for cases that the real
 * library never causes:
 *
 *	ODDORT_REAL=FILE	the real library
 *	ODDORT_FAIL=SLOT	the function in this slot of the table fails
 *	ODDORT_NO=base|api	the base is NULL, or the table
 *	ODDORT_NO=tensor	inputs and outputs are not tensors
 *	ODDORT_TYPE=N		the element type of all tensors
 *	ODDORT_PORTS=N		the number of inputs, and of outputs
 *	ODDORT_OUTPUTS=N	the number of outputs
 *	ODDORT_BEGIN_MS=N	how long a run takes to begin
 *
 * Slots of OrtApi: onnxruntime_c_api.h, version 11 (MIT); they never move.
 */
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
	CREATE_STATUS = 0, INPUT_COUNT = 30, OUTPUT_COUNT = 31,
	CREATE_RUN_OPTIONS = 39, CAST_TYPE = 55, ELEMENT_TYPE = 60,
	SLOTS = 131,
};

typedef void (*slot)(void);

struct api_base {
	const slot *(*get_api)(uint32_t);
	const char *(*version)(void);
};

const struct api_base *OrtGetApiBase(void);

static const struct api_base *real;
static slot api[SLOTS];
static void *(*begin_run)(void **options);

static long
knob(const char *name)
{
	const char *s = getenv(name);

	return s != NULL ? strtol(s, NULL, 0) : -1;
}

static int
lacks(const char *what)
{
	const char *s = getenv("ODDORT_NO");

	return s != NULL && strcmp(s, what) == 0;
}

/* Called with the arguments of any slot. */
static void *
fail(void)
{
	void *(*create)(int, const char *);

	memcpy(&create, &api[CREATE_STATUS], sizeof(create));
	return create(1, "odd:\tone line\r\nand another \n");
}

static void *
no_tensor(const void *info, const void **tensor)
{
	(void)info;
	*tensor = NULL;
	return NULL;
}

static void *
element_type(const void *info, int *type)
{
	(void)info;
	*type = (int)knob("ODDORT_TYPE");
	return NULL;
}

static void *
count(const void *session, size_t *n)
{
	(void)session;
	*n = (size_t)knob("ODDORT_PORTS");
	return NULL;
}

static void *
count_outputs(const void *session, size_t *n)
{
	(void)session;
	*n = (size_t)knob("ODDORT_OUTPUTS");
	return NULL;
}

static void *
begin_late(void **options)
{
	usleep((useconds_t)knob("ODDORT_BEGIN_MS") * 1000);
	return begin_run(options);
}

static const slot *
get_api(uint32_t version)
{
	long n = knob("ODDORT_FAIL");

	if (lacks("api"))
		return NULL;
	memcpy(api, real->get_api(version), sizeof(api));
	memcpy(&begin_run, &api[CREATE_RUN_OPTIONS], sizeof(begin_run));
	if (lacks("tensor"))
		api[CAST_TYPE] = (slot)no_tensor;
	if (knob("ODDORT_TYPE") >= 0)
		api[ELEMENT_TYPE] = (slot)element_type;
	if (knob("ODDORT_PORTS") >= 0)
		api[INPUT_COUNT] = api[OUTPUT_COUNT] = (slot)count;
	if (knob("ODDORT_OUTPUTS") >= 0)
		api[OUTPUT_COUNT] = (slot)count_outputs;
	if (knob("ODDORT_BEGIN_MS") >= 0)
		api[CREATE_RUN_OPTIONS] = (slot)begin_late;
	if (n > 0 && n < SLOTS)
		api[n] = (slot)fail;
	return api;
}

static const char *
version(void)
{
	return "0.0-odd";
}

const struct api_base *
OrtGetApiBase(void)
{
	static const struct api_base base = { get_api, version };
	const struct api_base *(*get)(void);
	const char *path = getenv("ODDORT_REAL");
	void *so = path != NULL ? dlopen(path, RTLD_NOW | RTLD_LOCAL) : NULL;

	if (lacks("base") || so == NULL)
		return NULL;
	*(void **)&get = dlsym(so, "OrtGetApiBase");
	real = get();
	return &base;
}
