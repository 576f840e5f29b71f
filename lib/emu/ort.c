// SPDX-License-Identifier: Apache-2.0
/* Sessions of ONNX Runtime. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/err.h"
#include "emu/message.h"
#include "emu/ort.h"
#include "emu/ortload.h"
#include "emu/placement.h"
#include "emu/provider.h"
#include "emu/state.h"

#define MAX_TENSORS 256		/* maximum of inputs, and of outputs */
#define ROOM ((size_t)64 << 20)	/* bytes of address space for a run */

struct ort_session {
	bool zhouyi;			/* provider_add() succeeded */
	const struct ort_runtime *r;
	void *session;
	uint32_t n[2];			/* inputs, outputs */
	struct ort_tensor *tensors[2];
	char **names[2];		/* not truncated; the runtime's
					 * memory */
	void *allocator;
};

/* Returns our code of an ONNX element type (onnxruntime_c_api.h). */
static uint32_t
dtype_of(int onnx)
{
	static const uint8_t codes[] = {
		[1] = NPU_F32, [2] = NPU_U8, [3] = NPU_S8, [4] = NPU_U16,
		[5] = NPU_S16, [6] = NPU_S32, [7] = NPU_S64, [9] = NPU_BOOL,
		[10] = NPU_F16, [11] = NPU_F64, [12] = NPU_U32,
		[13] = NPU_U64, [16] = NPU_BF16,
	};

	return (unsigned)onnx < sizeof(codes) ? codes[onnx] : NPU_NONE;
}

/* Sets options that make results reproducible: a number of threads, and
 * optimisation level 1, which gives the same bits as level 0 (measured with
 * 1.27.0); level 99 does not. */
static void *
set_options(const struct ort_api *a, void *options, uint32_t threads)
{
	void *st;

	if ((st = a->SetIntraOpNumThreads(options, (int)threads)) != NULL ||
	    (st = a->SetInterOpNumThreads(options, 1)) != NULL ||
	    (st = a->SetSessionGraphOptimizationLevel(options, 1)) != NULL ||
	    (st = a->AddSessionConfigEntry(options,
	    "session.intra_op.allow_spinning", "0")) != NULL)
		return st;
	return a->AddSessionConfigEntry(options,
	    "session.inter_op.allow_spinning", "0");
}

static void *
create_session(struct ort_session *s, struct bytes onnx, const char *file,
    void *options)
{
	const struct ort_api *a = &s->r->api;

	return file != NULL ? a->CreateSession(s->r->env, file, options,
	    &s->session) : a->CreateSessionFromArray(s->r->env, onnx.p, onnx.n,
	    options, &s->session);
}

/* Fails with the message of the status, unless it is NULL. */
static int
check(const struct ort_session *s, void *status, struct npu_err *err)
{
	return status == NULL ? 0 : ort_fail(s->r, status, err);
}

/* Creates the session on the NPU, or from the cache of an earlier one. */
static int
create_on_npu(struct ort_session *s, struct bytes onnx, const char *file,
    const struct noe_emu_onnx *model, void *options, struct npu_err *err)
{
	char rest[PLACEMENT_TEXT];
	const char *cache = NULL;
	int rc;

	if ((rc = provider_find_cache(model, &cache, err)) < 0 ||
	    (rc = provider_add(s->r, options, model, cache != NULL, err)) < 0)
		return rc;
	s->zhouyi = true;
	if ((rc = check(s, s->r->api.SetSessionLogSeverityLevel(options, 0),
	    err)) < 0)
		return rc;
	placement_begin();
	rc = check(s, create_session(s, onnx, cache != NULL ? cache : file,
	    options), err);
	placement_end(rest);
	if (rc == 0 && model->fallback && rest[0] != '\0')
		emu_message("nodes on the processor: %s", rest);
	if (rc == 0 && model->cache != NULL && cache == NULL)
		rc = provider_keep_cache(model, err);
	return rc;
}

static int
create(struct ort_session *s, struct bytes onnx, const char *file,
    const struct noe_emu_onnx *model, struct npu_err *err)
{
	const struct ort_api *a = &s->r->api;
	uint32_t threads = model != NULL && model->threads > 0 ?
	    model->threads : 1;
	void *options;
	int rc;

	if ((rc = check(s, a->CreateSessionOptions(&options), err)) < 0)
		return rc;
	rc = check(s, set_options(a, options, threads), err);
	if (rc == 0 && model != NULL && model->zhouyi)
		rc = create_on_npu(s, onnx, file, model, options, err);
	else if (rc == 0)
		rc = check(s, create_session(s, onnx, file, options), err);
	a->ReleaseSessionOptions(options);
	if (rc == 0)
		rc = check(s, a->GetAllocatorWithDefaultOptions(
		    &s->allocator), err);
	return rc;
}

/* Reads type and shape from info.  The dtype of a non-tensor stays NPU_NONE. */
static void *
describe(const struct ort_api *a, const void *info, struct ort_tensor *t)
{
	const void *tensor = NULL;
	void *st;

	if ((st = a->CastTypeInfoToTensorInfo(info, &tensor)) != NULL ||
	    tensor == NULL)
		return st;
	if ((st = a->GetTensorElementType(tensor, &t->onnx_type)) != NULL ||
	    (st = a->GetDimensionsCount(tensor, &t->ndim)) != NULL)
		return st;
	t->dtype = dtype_of(t->onnx_type);
	if (t->ndim > sizeof(t->dim) / sizeof(*t->dim)) {
		t->dtype = NPU_NONE;
		return NULL;
	}
	return a->GetDimensions(tensor, t->dim, t->ndim);
}

static void *
read_tensor(struct ort_session *s, int out, uint32_t i)
{
	const struct ort_api *a = &s->r->api;
	struct ort_tensor *t = &s->tensors[out][i];
	void *info = NULL, *st;

	st = (out ? a->SessionGetOutputName : a->SessionGetInputName)(
	    s->session, i, s->allocator, &s->names[out][i]);
	if (st != NULL)
		return st;
	snprintf(t->name, sizeof(t->name), "%s", s->names[out][i]);
	st = (out ? a->SessionGetOutputTypeInfo : a->SessionGetInputTypeInfo)(
	    s->session, i, &info);
	if (st != NULL)
		return st;
	st = describe(a, info, t);
	a->ReleaseTypeInfo(info);
	return st;
}

static int
read_tensors(struct ort_session *s, int out, struct npu_err *err)
{
	const struct ort_api *a = &s->r->api;
	size_t n = 0;
	void *st;

	st = (out ? a->SessionGetOutputCount : a->SessionGetInputCount)(
	    s->session, &n);
	if (st != NULL)
		return ort_fail(s->r, st, err);
	if (n > MAX_TENSORS)
		return npu_fail(err, NPU_EFORMAT, "%zu %s, and %d is the "
		    "most", n, out ? "outputs" : "inputs", MAX_TENSORS);
	s->tensors[out] = calloc(n + 1, sizeof(*s->tensors[out]));
	s->names[out] = calloc(n + 1, sizeof(*s->names[out]));
	if (s->tensors[out] == NULL || s->names[out] == NULL)
		return npu_fail(err, NPU_ESYSTEM, "out of memory");
	s->n[out] = (uint32_t)n;
	for (uint32_t i = 0; i < n; i++)
		if ((st = read_tensor(s, out, i)) != NULL)
			return ort_fail(s->r, st, err);
	return 0;
}

int
ort_open(struct ort_session **session, struct bytes onnx, const char *file,
    const struct noe_emu_onnx *model, struct npu_err *err)
{
	struct ort_session *s;
	int rc;

	if ((s = calloc(1, sizeof(*s))) == NULL)
		return npu_fail(err, NPU_ESYSTEM, "out of memory");
	if ((rc = ort_runtime(&s->r, err)) < 0) {
		free(s);
		return rc;
	}
	if ((rc = create(s, onnx, file, model, err)) < 0 ||
	    (rc = read_tensors(s, 0, err)) < 0 ||
	    (rc = read_tensors(s, 1, err)) < 0)
		goto fail;
	*session = s;
	return 0;
fail:
	ort_close(s);
	return rc;
}

void
ort_close(struct ort_session *s)
{
	const struct ort_api *a;
	void *st;

	if (s == NULL)
		return;
	a = &s->r->api;
	for (int out = 0; out < 2; out++) {
		for (uint32_t i = 0; i < s->n[out]; i++) {
			if (s->names[out][i] == NULL)
				continue;
			st = a->AllocatorFree(s->allocator,
			    s->names[out][i]);
			if (st != NULL)
				a->ReleaseStatus(st);
		}
		free(s->names[out]);
		free(s->tensors[out]);
	}
	if (s->session != NULL)
		a->ReleaseSession(s->session);
	if (s->zhouyi)
		provider_remove();
	free(s);
}

uint32_t
ort_inputs(const struct ort_session *s)
{
	return s->n[0];
}

uint32_t
ort_outputs(const struct ort_session *s)
{
	return s->n[1];
}

const struct ort_tensor *
ort_input(const struct ort_session *s, uint32_t i)
{
	return &s->tensors[0][i];
}

const struct ort_tensor *
ort_output(const struct ort_session *s, uint32_t i)
{
	return &s->tensors[1][i];
}

/* ---- Running ---------------------------------------------------------- */

/* Creates the run's options and stores them where ort_stop() finds them. */
static void *
begin_run(struct ort_session *s, struct stop_token *token, void **options)
{
	void *st;

	*options = NULL;
	if ((st = s->r->api.CreateRunOptions(options)) != NULL)
		return st;
	pthread_mutex_lock(&emu_lock);
	token->options = *options;
	if (token->stopped)
		ort_stop(token);
	pthread_mutex_unlock(&emu_lock);
	return NULL;
}

static void
end_run(struct ort_session *s, struct stop_token *token, void *options)
{
	pthread_mutex_lock(&emu_lock);
	token->options = NULL;
	pthread_mutex_unlock(&emu_lock);
	if (options != NULL)
		s->r->api.ReleaseRunOptions(options);
}

static void *
wrap(struct ort_session *s, uint32_t i, struct ort_data *d)
{
	const struct ort_tensor *t = &s->tensors[0][i];

	return s->r->api.CreateTensorWithDataAsOrtValue(s->r->memory, d->p,
	    d->count * npu_dtype_size(t->dtype), d->dim, t->ndim,
	    t->onnx_type, &d->value);
}

/* Reads the address of an output and its number of elements. */
static void *
unwrap(struct ort_session *s, struct ort_data *d)
{
	const struct ort_api *a = &s->r->api;
	void *info, *st;

	if ((st = a->GetTensorTypeAndShape(d->value, &info)) != NULL)
		return st;
	st = a->GetTensorShapeElementCount(info, &d->count);
	a->ReleaseTensorTypeAndShapeInfo(info);
	if (st != NULL)
		return st;
	return a->GetTensorMutableData(d->value, &d->p);
}

static void *
call_run(struct ort_session *s, void *options, struct ort_data *in,
    struct ort_data *out)
{
	const void *in_values[MAX_TENSORS];
	void *out_values[MAX_TENSORS] = { NULL }, *st;

	for (uint32_t i = 0; i < s->n[0]; i++)
		in_values[i] = in[i].value;
	st = s->r->api.Run(s->session, options,
	    (const char *const *)s->names[0], in_values, s->n[0],
	    (const char *const *)s->names[1], s->n[1], out_values);
	for (uint32_t i = 0; i < s->n[1]; i++)
		out[i].value = out_values[i];
	for (uint32_t i = 0; i < s->n[1] && st == NULL; i++)
		st = unwrap(s, &out[i]);
	return st;
}

/* Fails unless there is room for a run.  If memory runs out during a run, ONNX
 * Runtime, or the dynamic loader when it allocates the runtime's thread-local
 * data, may abort() the process.  This was seen with the demonstration detector
 * under ulimit -v 95000, 98304 and 102750 KiB; its runs fail from 80 to 100
 * MiB, not at 104. */
static int
has_room(struct npu_err *err)
{
	void *p = mmap(NULL, ROOM, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS |
	    MAP_NORESERVE, -1, 0);

	if (p == MAP_FAILED)
		return npu_fail(err, NPU_ESYSTEM, "ONNX Runtime: out of "
		    "memory: less than %zu MiB are left (ulimit -v)",
		    ROOM >> 20);
	munmap(p, ROOM);
	return 0;
}

int
ort_run(struct ort_session *s, struct ort_data *in, struct ort_data *out,
    struct stop_token *token, struct npu_err *err)
{
	void *options, *st;
	int rc = has_room(err);

	if (rc < 0)
		return rc;
	st = begin_run(s, token, &options);
	for (uint32_t i = 0; i < s->n[0] && st == NULL; i++)
		st = wrap(s, i, &in[i]);
	if (st == NULL)
		st = call_run(s, options, in, out);
	end_run(s, token, options);
	for (uint32_t i = 0; i < s->n[0]; i++)
		ort_free(&in[i]);
	return st == NULL ? 0 : ort_fail(s->r, st, err);
}

void
ort_free(struct ort_data *d)
{
	const struct ort_runtime *r;

	if (d->value == NULL)
		return;
	ort_runtime(&r, NULL);		/* cannot fail: it made the value */
	r->api.ReleaseValue(d->value);
	d->value = NULL;
}

void
ort_stop(struct stop_token *token)
{
	const struct ort_runtime *r;
	void *st;

	token->stopped = true;
	if (token->options == NULL)
		return;
	ort_runtime(&r, NULL);		/* cannot fail: it made options */
	if ((st = r->api.RunOptionsSetTerminate(token->options)) != NULL)
		r->api.ReleaseStatus(st);
}
