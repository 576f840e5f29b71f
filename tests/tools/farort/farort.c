// SPDX-License-Identifier: Apache-2.0
/*
 * A libonnxruntime.so that has another process do the work:
 *
 *	FARORT_SERVER=FILE	that program (server.c)
 *	FARORT_REAL=FILE	the ONNX Runtime that it loads
 *
 * For programs under qemu, where the real one takes a second to start: the
 * server is a program of this machine.  Each session has its own.  Functions
 * and their declarations are those of the emulator.
 */
#include <pthread.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "emu/ort_api.h"
#include "message.h"

enum { SLOTS = 131 };

extern char **environ;

struct session {
	int fd;
	pthread_mutex_t running;	/* one run at a time */
	size_t n[2];			/* inputs, outputs */
	struct tensor port[2][PORTS];
	char *name[2][PORTS];
};

struct value {
	struct tensor t;
	void *p;			/* the caller's, or owned */
	size_t bytes;
	void *owned;
};

struct run_options {
	pthread_mutex_t lock;
	bool stopped;
	int fd;				/* of the session that runs, or -1 */
};

static char *
copy_text(const char *text)
{
	char *copy = strdup(text);

	if (copy == NULL)
		abort();
	return copy;
}

/* A status is its message. */
static void *
fail(const char *text)
{
	return copy_text(text);
}

static void *
make(size_t size)
{
	void *p = calloc(1, size);

	if (p == NULL)
		abort();
	return p;
}

static const char *
setting(const char *name)
{
	const char *s = getenv(name);

	return s != NULL ? s : "";
}

/* ---- Sessions ------------------------------------------------------------ */

/* Starts a server; the socket to it, or -1. */
static int
start_server(void)
{
	char *args[] = { (char *)setting("FARORT_SERVER"),
	    (char *)setting("FARORT_REAL"), NULL };
	posix_spawn_file_actions_t actions;
	int fd[2], status;
	pid_t pid;

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fd) < 0)
		return -1;
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_adddup2(&actions, fd[1], SERVER_FD);
	if (posix_spawn(&pid, args[0], &actions, NULL, args, environ) != 0 ||
	    waitpid(pid, &status, 0) != pid || status != 0) {
		close(fd[0]);
		fd[0] = -1;
	}
	posix_spawn_file_actions_destroy(&actions);
	close(fd[1]);
	return fd[0];
}

/* A status from the server: NULL for success. */
static void *
receive_status(int fd)
{
	struct bytes why;

	if (!receive_bytes(fd, &why))
		return fail("farort: the server has ended");
	if (why.n > 0)
		return why.p;
	free(why.p);
	return NULL;
}

static bool
receive_ports(struct session *s)
{
	struct bytes name;

	if (!receive_all(s->fd, s->n, sizeof(s->n)) || s->n[0] > PORTS ||
	    s->n[1] > PORTS)
		return false;
	for (int out = 0; out < 2; out++)
		for (size_t i = 0; i < s->n[out]; i++) {
			if (!receive_all(s->fd, &s->port[out][i],
			    sizeof(s->port[out][i])) ||
			    !receive_bytes(s->fd, &name))
				return false;
			s->name[out][i] = name.p;
		}
	return true;
}

static void
ReleaseSession(void *session)
{
	struct session *s = session;

	for (int out = 0; out < 2; out++)
		for (size_t i = 0; i < PORTS; i++)
			free(s->name[out][i]);
	close(s->fd);
	free(s);
}

static void *
load(int32_t file, const void *p, size_t n, void **session)
{
	int32_t question = LOAD;
	struct session *s;
	int fd = start_server();
	void *st;

	if (fd < 0)
		return fail("farort: no server: FARORT_SERVER, FARORT_REAL");
	s = make(sizeof(*s));
	pthread_mutex_init(&s->running, NULL);
	s->fd = fd;
	if (!send_all(fd, &question, sizeof(question)) ||
	    !send_all(fd, &file, sizeof(file)) || !send_bytes(fd, p, n))
		st = fail("farort: the server does not read");
	else if ((st = receive_status(fd)) == NULL && !receive_ports(s))
		st = fail("farort: the server has ended");
	if (st == NULL)
		*session = s;
	else
		ReleaseSession(s);
	return st;
}

static void *
CreateSession(const void *env, const char *file, const void *options,
    void **session)
{
	(void)env, (void)options;
	return load(1, file, strlen(file), session);
}

static void *
CreateSessionFromArray(const void *env, const void *model, size_t n,
    const void *options, void **session)
{
	(void)env, (void)options;
	return load(0, model, n, session);
}

static void *
SessionGetInputCount(const void *session, size_t *n)
{
	*n = ((const struct session *)session)->n[0];
	return NULL;
}

static void *
SessionGetOutputCount(const void *session, size_t *n)
{
	*n = ((const struct session *)session)->n[1];
	return NULL;
}

static void *
SessionGetInputName(const void *session, size_t i, void *allocator, char **name)
{
	(void)allocator;
	*name = copy_text(((const struct session *)session)->name[0][i]);
	return NULL;
}

static void *
SessionGetOutputName(const void *session, size_t i, void *allocator,
    char **name)
{
	(void)allocator;
	*name = copy_text(((const struct session *)session)->name[1][i]);
	return NULL;
}

/* ---- Types: a struct tensor ---------------------------------------------- */

static void *
copy_tensor(const struct tensor *t, void **info)
{
	*info = make(sizeof(*t));
	memcpy(*info, t, sizeof(*t));
	return NULL;
}

static void *
SessionGetInputTypeInfo(const void *session, size_t i, void **info)
{
	return copy_tensor(&((const struct session *)session)->port[0][i],
	    info);
}

static void *
SessionGetOutputTypeInfo(const void *session, size_t i, void **info)
{
	return copy_tensor(&((const struct session *)session)->port[1][i],
	    info);
}

static void *
CastTypeInfoToTensorInfo(const void *info, const void **tensor)
{
	*tensor = ((const struct tensor *)info)->type != 0 ? info : NULL;
	return NULL;
}

static void *
GetTensorElementType(const void *info, int *type)
{
	*type = (int)((const struct tensor *)info)->type;
	return NULL;
}

static void *
GetDimensionsCount(const void *info, size_t *n)
{
	*n = ((const struct tensor *)info)->ndim;
	return NULL;
}

static void *
GetDimensions(const void *info, int64_t *dim, size_t n)
{
	memcpy(dim, ((const struct tensor *)info)->dim, n * sizeof(*dim));
	return NULL;
}

static void *
GetTensorShapeElementCount(const void *info, size_t *n)
{
	const struct tensor *t = info;

	*n = 1;
	for (size_t i = 0; i < t->ndim; i++)
		*n *= (size_t)t->dim[i];
	return NULL;
}

static void *
GetTensorTypeAndShape(const void *value, void **info)
{
	return copy_tensor(&((const struct value *)value)->t, info);
}

/* ---- Values and runs ----------------------------------------------------- */

static void *
CreateTensorWithDataAsOrtValue(const void *memory, void *p, size_t bytes,
    const int64_t *dim, size_t ndim, int type, void **value)
{
	struct value *v = make(sizeof(*v));

	(void)memory;
	v->t = (struct tensor){ .type = type, .ndim = ndim };
	memcpy(v->t.dim, dim, ndim * sizeof(*dim));
	v->p = p;
	v->bytes = bytes;
	*value = v;
	return NULL;
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
CreateRunOptions(void **options)
{
	struct run_options *o = make(sizeof(*o));

	pthread_mutex_init(&o->lock, NULL);
	o->fd = -1;
	*options = o;
	return NULL;
}

static void *
RunOptionsSetTerminate(void *options)
{
	struct run_options *o = options;
	int32_t question = STOP;

	pthread_mutex_lock(&o->lock);
	o->stopped = true;
	if (o->fd >= 0)
		send_all(o->fd, &question, sizeof(question));
	pthread_mutex_unlock(&o->lock);
	return NULL;
}

/* Sends the inputs; from then on it can be stopped. */
static void *
begin(struct session *s, struct run_options *o, const void *const *in)
{
	int32_t question = RUN;
	bool sent;

	pthread_mutex_lock(&o->lock);
	if (o->stopped) {
		pthread_mutex_unlock(&o->lock);
		return fail("Exiting due to terminate flag being set to true.");
	}
	sent = send_all(s->fd, &question, sizeof(question));
	for (size_t i = 0; i < s->n[0] && sent; i++) {
		const struct value *v = in[i];

		sent = send_all(s->fd, &v->t, sizeof(v->t)) &&
		    send_bytes(s->fd, v->p, v->bytes);
	}
	o->fd = s->fd;
	pthread_mutex_unlock(&o->lock);
	return sent ? NULL : fail("farort: the server does not read");
}

static void *
receive_outputs(struct session *s, void **out)
{
	for (size_t i = 0; i < s->n[1]; i++) {
		struct value *v = make(sizeof(*v));
		struct bytes b;

		out[i] = v;
		if (!receive_all(s->fd, &v->t, sizeof(v->t)) ||
		    !receive_bytes(s->fd, &b))
			return fail("farort: the server has ended");
		v->p = v->owned = b.p;
		v->bytes = b.n;
	}
	return NULL;
}

static void *
Run(void *session, const void *options, const char *const *in_names,
    const void *const *in, size_t n_in, const char *const *out_names,
    size_t n_out, void **out)
{
	struct run_options *o = (struct run_options *)options;
	struct session *s = session;
	void *st;

	(void)in_names, (void)n_in, (void)out_names, (void)n_out;
	pthread_mutex_lock(&s->running);
	if ((st = begin(s, o, in)) == NULL &&
	    (st = receive_status(s->fd)) == NULL)
		st = receive_outputs(s, out);
	pthread_mutex_lock(&o->lock);
	o->fd = -1;
	pthread_mutex_unlock(&o->lock);
	pthread_mutex_unlock(&s->running);
	return st;
}

/* ---- Functions that do nothing ------------------------------------------- */

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

static void *
CreateStatus(int code, const char *text)
{
	(void)code;
	return fail(text);
}

static const slot *
get_api(uint32_t version)
{
	/* A list of parameters already has its parentheses. */
	/* NOLINTBEGIN(bugprone-macro-parentheses) */
	static const slot api[SLOTS] = {
		[0] = (slot)CreateStatus,	/* oddort.c calls it */
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
	return "0.0-farort";
}

const struct api_base *
OrtGetApiBase(void)
{
	static const struct api_base base = { get_api, version };

	return &base;
}
