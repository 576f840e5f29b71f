// SPDX-License-Identifier: Apache-2.0
/*
 * A libonnxruntime.so that knows one model: an Identity of f32, as mkonnx makes
 * it.  For tests whose models answer their input, where the real one takes too
 * long to start: a second under qemu (helper.bash, identity_runtime).
 *
 * The functions are those that the emulator calls, with its declarations; what
 * is not such a model is refused where a session is made.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "emu/ort_api.h"

enum { FLOAT = 1, DIMS = 8, SLOTS = 131 };

/* TensorTypeAndShapeInfo, TypeInfo. */
struct info {
	int type;
	size_t ndim;
	int64_t dim[DIMS];
};

struct session {
	struct info port[2];		/* input, output */
	char name[2][64];
};

struct value {
	struct info info;
	float *p;
	float *owned;
};

static void *
fail(const char *text)
{
	char *status = strdup(text);

	if (status == NULL)
		abort();
	return status;
}

static size_t
count(const struct info *t)
{
	size_t n = 1;

	for (size_t i = 0; i < t->ndim; i++)
		n *= (size_t)t->dim[i];
	return n;
}

/* ---- ONNX: protobuf, onnx.proto ------------------------------------------ */

struct message {
	const uint8_t *p, *end;
	bool bad;
};

/* A field: its number, or a message or string in *in. */
struct field {
	unsigned number;
	uint64_t value;
	struct message in;
};

static uint64_t
varint(struct message *m)
{
	uint64_t v = 0;

	for (unsigned shift = 0; shift < 64 && m->p < m->end; shift += 7) {
		uint8_t byte = *m->p++;

		v |= (uint64_t)(byte & 0x7f) << shift;
		if (byte < 0x80)
			return v;
	}
	m->bad = true;
	return 0;
}

/* The next field of m; false at its end, or where it is damaged. */
static bool
next(struct message *m, struct field *f)
{
	uint64_t key;

	*f = (struct field){ 0 };
	if (m->p == m->end)
		return false;
	key = varint(m);
	f->number = (unsigned)(key >> 3);
	f->value = varint(m);
	if ((key & 7) == 2 && f->value <= (uint64_t)(m->end - m->p)) {
		f->in = (struct message){ m->p, m->p + f->value, false };
		m->p += f->value;
	} else if ((key & 7) != 0) {
		m->bad = true;
	}
	return !m->bad;
}

/* The first field of that number in m. */
static bool
find(struct message m, unsigned number, struct field *f)
{
	while (next(&m, f))
		if (f->number == number)
			return true;
	return false;
}

/* ValueInfoProto: name 1, type 2; TypeProto: tensor_type 1; its elem_type 1,
 * shape 2; TensorShapeProto: dim 1; its dim_value 1. */
static bool
read_port(struct message m, struct info *t, char name[64])
{
	struct field f, tensor, dim, value;
	struct message shape;

	if (!find(m, 1, &f) || f.value >= 64)
		return false;
	memcpy(name, f.in.p, f.value);
	name[f.value] = '\0';
	if (!find(m, 2, &f) || !find(f.in, 1, &tensor) ||
	    !find(tensor.in, 1, &f) || f.value != FLOAT)
		return false;
	t->type = FLOAT;
	if (!find(tensor.in, 2, &f))
		return false;
	for (shape = f.in; next(&shape, &dim); t->ndim++) {
		if (t->ndim == DIMS || !find(dim.in, 1, &value))
			return false;
		t->dim[t->ndim] = (int64_t)value.value;
	}
	return !shape.bad;
}

/* NodeProto: op_type 4. */
static bool
is_op(struct message node, const char *name)
{
	struct field op;

	return find(node, 4, &op) && op.value == strlen(name) &&
	    memcmp(op.in.p, name, op.value) == 0;
}

/* GraphProto: node 1, input 11, output 12.  mkonnx has a Cast behind it, to the
 * type of the output. */
static bool
read_graph(struct message graph, struct session *s)
{
	unsigned ports[2] = { 0 };
	struct field f;

	while (next(&graph, &f)) {
		if (f.number == 1) {
			if (!is_op(f.in, "Identity") && !is_op(f.in, "Cast"))
				return false;
		} else if (f.number == 11 || f.number == 12) {
			unsigned out = f.number - 11;

			if (ports[out]++ > 0 || !read_port(f.in,
			    &s->port[out], s->name[out]))
				return false;
		}
	}
	return !graph.bad && ports[0] == 1 && ports[1] == 1 &&
	    s->port[0].ndim == s->port[1].ndim && memcmp(s->port[0].dim,
	    s->port[1].dim, sizeof(s->port[0].dim)) == 0;
}

/* ModelProto: graph 7. */
static void *
CreateSessionFromArray(const void *env, const void *model, size_t n,
    const void *options, void **session)
{
	struct session *s = calloc(1, sizeof(*s));
	struct message m = { model, (const uint8_t *)model + n, false };
	struct field f;

	(void)env, (void)options;
	if (s != NULL && find(m, 7, &f) && read_graph(f.in, s)) {
		*session = s;
		return NULL;
	}
	free(s);
	return fail("no Identity of f32 alone: the test needs real_runtime");
}

static void *
CreateSession(const void *env, const char *file, const void *options,
    void **session)
{
	(void)env, (void)file, (void)options, (void)session;
	return fail("a model with weights: the test needs real_runtime");
}

static void
ReleaseSession(void *session)
{
	free(session);
}

static void *
one(const void *session, size_t *n)
{
	(void)session;
	*n = 1;
	return NULL;
}
#define SessionGetInputCount one
#define SessionGetOutputCount one

static void *
SessionGetInputName(const void *session, size_t i, void *allocator, char **name)
{
	const struct session *s = session;

	(void)i, (void)allocator;
	*name = strdup(s->name[0]);
	return *name == NULL ? fail("out of memory") : NULL;
}

static void *
SessionGetOutputName(const void *session, size_t i, void *allocator,
    char **name)
{
	const struct session *s = session;

	(void)i, (void)allocator;
	*name = strdup(s->name[1]);
	return *name == NULL ? fail("out of memory") : NULL;
}

/* ---- Types --------------------------------------------------------------- */

static void *
copy_info(const struct info *t, void **info)
{
	if ((*info = malloc(sizeof(*t))) == NULL)
		return fail("out of memory");
	memcpy(*info, t, sizeof(*t));
	return NULL;
}

static void *
SessionGetInputTypeInfo(const void *session, size_t i, void **info)
{
	(void)i;
	return copy_info(&((const struct session *)session)->port[0], info);
}

static void *
SessionGetOutputTypeInfo(const void *session, size_t i, void **info)
{
	(void)i;
	return copy_info(&((const struct session *)session)->port[1], info);
}

static void *
CastTypeInfoToTensorInfo(const void *info, const void **tensor)
{
	*tensor = info;
	return NULL;
}

static void *
GetTensorElementType(const void *info, int *type)
{
	*type = ((const struct info *)info)->type;
	return NULL;
}

static void *
GetDimensionsCount(const void *info, size_t *n)
{
	*n = ((const struct info *)info)->ndim;
	return NULL;
}

static void *
GetDimensions(const void *info, int64_t *dim, size_t n)
{
	memcpy(dim, ((const struct info *)info)->dim, n * sizeof(*dim));
	return NULL;
}

static void *
GetTensorShapeElementCount(const void *info, size_t *n)
{
	*n = count(info);
	return NULL;
}

static void *
GetTensorTypeAndShape(const void *value, void **info)
{
	return copy_info(&((const struct value *)value)->info, info);
}

/* ---- Values and runs ----------------------------------------------------- */

static void *
CreateTensorWithDataAsOrtValue(const void *memory, void *p, size_t bytes,
    const int64_t *dim, size_t ndim, int type, void **value)
{
	struct value *v = calloc(1, sizeof(*v));

	(void)memory;
	if (v == NULL)
		return fail("out of memory");
	v->info = (struct info){ .type = type, .ndim = ndim };
	memcpy(v->info.dim, dim, ndim * sizeof(*dim));
	v->p = p;
	*value = v;
	return bytes == count(&v->info) * sizeof(float) ? NULL :
	    fail("a tensor of another size");
}

static void *
GetTensorMutableData(void *value, void **p)
{
	*p = ((struct value *)value)->p;
	return NULL;
}

static void
ReleaseValue(void *value)
{
	struct value *v = value;

	free(v != NULL ? v->owned : NULL);
	free(v);
}

static void *
Run(void *session, const void *options, const char *const *in_names,
    const void *const *in, size_t n_in, const char *const *out_names,
    size_t n_out, void **out)
{
	const struct value *x = in[0];
	size_t bytes = count(&x->info) * sizeof(float);
	struct value *v;

	(void)session, (void)in_names, (void)n_in, (void)out_names, (void)n_out;
	if (*(const bool *)options)
		return fail("terminated");
	if ((v = calloc(1, sizeof(*v))) == NULL ||
	    (v->p = v->owned = malloc(bytes)) == NULL)
		abort();
	v->info = x->info;
	memcpy(v->p, x->p, bytes);
	*out = v;
	return NULL;
}

/* Whether they are terminated. */
static void *
CreateRunOptions(void **options)
{
	return (*options = calloc(1, sizeof(bool))) == NULL ?
	    fail("out of memory") : NULL;
}

static void *
RunOptionsSetTerminate(void *options)
{
	*(bool *)options = true;
	return NULL;
}

/* ---- What has nothing in it ---------------------------------------------- */

static void *
make_nothing(void **object)
{
	static char nothing;

	*object = &nothing;
	return NULL;
}
#define CreateSessionOptions make_nothing
#define GetAllocatorWithDefaultOptions make_nothing

static void *
CreateEnv(int level, const char *id, void **env)
{
	(void)level, (void)id;
	return make_nothing(env);
}

static void *
CreateCpuMemoryInfo(int allocator, int type, void **memory)
{
	(void)allocator, (void)type;
	return make_nothing(memory);
}

static void *
set_number(void *options, int n)
{
	(void)options, (void)n;
	return NULL;
}
#define SetSessionGraphOptimizationLevel set_number
#define SetIntraOpNumThreads set_number
#define SetInterOpNumThreads set_number

static void *
AddSessionConfigEntry(void *options, const char *key, const char *value)
{
	(void)options, (void)key, (void)value;
	return NULL;
}

static void
release_nothing(void *object)
{
	(void)object;
}
#define ReleaseSessionOptions release_nothing

static const char *
GetErrorMessage(const void *status)
{
	return status;
}

static void *
AllocatorFree(void *allocator, void *p)
{
	(void)allocator;
	free(p);
	return NULL;
}
#define ReleaseStatus free
#define ReleaseRunOptions free
#define ReleaseTypeInfo free
#define ReleaseTensorTypeAndShapeInfo free

/* ---- The table ----------------------------------------------------------- */

typedef void (*slot)(void);

struct api_base {
	const slot *(*get_api)(uint32_t);
	const char *(*version)(void);
};

const struct api_base *OrtGetApiBase(void);

static const slot *
get_api(uint32_t version)
{
	/* A list of parameters already has its parentheses. */
	/* NOLINTBEGIN(bugprone-macro-parentheses) */
	static const slot api[SLOTS] = {
#define X(number, name, result, arguments) [number] = (slot)name,
		ORT_FUNCTIONS(X)
#undef X
	};
	/* NOLINTEND(bugprone-macro-parentheses) */

	(void)version;
	return api;
}

static const char *
version(void)
{
	return "0.0-identity";
}

const struct api_base *
OrtGetApiBase(void)
{
	static const struct api_base base = { get_api, version };

	return &base;
}
