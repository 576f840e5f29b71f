// SPDX-License-Identifier: Apache-2.0
/*
 * farort-server FILE - one session of the ONNX Runtime FILE for farort.so, on
 * the socket SERVER_FD.  It ends with the program at the other end.
 */
#include <dlfcn.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "emu/ort_api.h"
#include "message.h"

static struct ort_api api;
static void *env, *memory, *session, *allocator;
static size_t n_ports[2];		/* inputs, outputs */
static char *names[2][PORTS];
static struct tensor ports[2][PORTS];

/* ---- The runtime --------------------------------------------------------- */

static void *
open_runtime(const char *file)
{
	typedef void (*slot)(void);
	struct api_base {
		const slot *(*get_api)(uint32_t);
		const char *(*version)(void);
	};
	const struct api_base *(*get_base)(void);
	void *so = dlopen(file, RTLD_NOW | RTLD_LOCAL);
	const slot *slots;
	void *st;

	if (so == NULL) {
		fprintf(stderr, "farort-server: %s\n", dlerror());
		exit(1);
	}
	*(void **)&get_base = dlsym(so, "OrtGetApiBase");
	slots = get_base()->get_api(ORT_API_VERSION);
	/* A list of parameters already has its parentheses. */
	/* NOLINTBEGIN(bugprone-macro-parentheses) */
#define X(slot, name, result, arguments) \
	api.name = (result (*) arguments)slots[slot];
	ORT_FUNCTIONS(X)
#undef X
	/* NOLINTEND(bugprone-macro-parentheses) */
	if ((st = api.CreateEnv(4, "farort", &env)) == NULL)
		st = api.CreateCpuMemoryInfo(1, 0, &memory);
	return st;
}

/* As the emulator does (lib/emu/ort.c): the answers must be the same. */
static void *
create_session(bool file, struct bytes model)
{
	void *options, *st;

	if ((st = api.CreateSessionOptions(&options)) != NULL ||
	    (st = api.SetIntraOpNumThreads(options, 1)) != NULL ||
	    (st = api.SetInterOpNumThreads(options, 1)) != NULL ||
	    (st = api.SetSessionGraphOptimizationLevel(options, 1)) != NULL)
		return st;
	return file ? api.CreateSession(env, model.p, options, &session) :
	    api.CreateSessionFromArray(env, model.p, model.n, options,
	    &session);
}

static void *
read_tensor(const void *info, struct tensor *t)
{
	int type;
	size_t ndim;
	void *st;

	if ((st = api.GetTensorElementType(info, &type)) != NULL ||
	    (st = api.GetDimensionsCount(info, &ndim)) != NULL)
		return st;
	t->type = type;
	t->ndim = ndim;
	return ndim > DIMS ? NULL : api.GetDimensions(info, t->dim, ndim);
}

static void *
read_port(int out, size_t i)
{
	const void *tensor = NULL;
	void *info = NULL, *st;

	if ((st = (out ? api.SessionGetOutputName : api.SessionGetInputName)(
	    session, i, allocator, &names[out][i])) != NULL ||
	    (st = (out ? api.SessionGetOutputTypeInfo :
	    api.SessionGetInputTypeInfo)(session, i, &info)) != NULL ||
	    (st = api.CastTypeInfoToTensorInfo(info, &tensor)) != NULL)
		return st;
	return tensor == NULL ? NULL : read_tensor(tensor, &ports[out][i]);
}

static void *
read_ports(void)
{
	void *st;

	if ((st = api.GetAllocatorWithDefaultOptions(&allocator)) != NULL ||
	    (st = api.SessionGetInputCount(session, &n_ports[0])) != NULL ||
	    (st = api.SessionGetOutputCount(session, &n_ports[1])) != NULL)
		return st;
	for (int out = 0; out < 2; out++)
		for (size_t i = 0; i < n_ports[out] && i < PORTS; i++)
			if ((st = read_port(out, i)) != NULL)
				return st;
	return NULL;
}

/* ---- Answers ------------------------------------------------------------- */

/* Sends why it failed, or that it did not. */
static bool
send_status(void *st)
{
	const char *why = st != NULL ? api.GetErrorMessage(st) : "";

	return send_bytes(SERVER_FD, why, strlen(why));
}

static bool
load(const char *runtime)
{
	struct bytes model;
	int32_t file;
	void *st;

	if (!receive_all(SERVER_FD, &file, sizeof(file)) ||
	    !receive_bytes(SERVER_FD, &model))
		return false;
	if ((st = open_runtime(runtime)) == NULL &&
	    (st = create_session(file, model)) == NULL)
		st = read_ports();
	free(model.p);
	if (!send_status(st) || st != NULL || n_ports[0] > PORTS ||
	    n_ports[1] > PORTS ||
	    !send_all(SERVER_FD, n_ports, sizeof(n_ports)))
		return false;
	for (int out = 0; out < 2; out++)
		for (size_t i = 0; i < n_ports[out]; i++)
			if (!send_all(SERVER_FD, &ports[out][i],
			    sizeof(ports[out][i])) || !send_bytes(SERVER_FD,
			    names[out][i], strlen(names[out][i])))
				return false;
	return true;
}

/* ---- A run, in a thread, so that STOP is read meanwhile ----------------- */

struct run {
	void *options;
	const void *in[PORTS];
	void *out[PORTS];
	void *status;
	int done[2];			/* a pipe: readable when it has ended */
};

static void *
run_thread(void *arg)
{
	struct run *r = arg;

	r->status = api.Run(session, r->options,
	    (const char *const *)names[0], r->in, n_ports[0],
	    (const char *const *)names[1], n_ports[1], r->out);
	close(r->done[1]);
	return NULL;
}

static void *
receive_input(void **value, struct bytes *data)
{
	struct tensor t;

	if (!receive_all(SERVER_FD, &t, sizeof(t)) ||
	    !receive_bytes(SERVER_FD, data))
		exit(0);
	return api.CreateTensorWithDataAsOrtValue(memory, data->p, data->n,
	    t.dim, t.ndim, (int)t.type, value);
}

static size_t
element_size(int64_t type)
{
	static const uint8_t sizes[] = {
		[1] = 4, [2] = 1, [3] = 1, [4] = 2, [5] = 2, [6] = 4, [7] = 8,
		[9] = 1, [10] = 2, [11] = 8, [12] = 4, [13] = 8, [16] = 2,
	};

	return (uint64_t)type < sizeof(sizes) ? sizes[type] : 0;
}

static bool
send_output(void *value)
{
	struct tensor t = { 0 };
	void *info, *p;
	size_t n;

	if (api.GetTensorTypeAndShape(value, &info) != NULL ||
	    read_tensor(info, &t) != NULL ||
	    api.GetTensorShapeElementCount(info, &n) != NULL ||
	    api.GetTensorMutableData(value, &p) != NULL)
		return false;
	api.ReleaseTensorTypeAndShapeInfo(info);
	return send_all(SERVER_FD, &t, sizeof(t)) &&
	    send_bytes(SERVER_FD, p, n * element_size(t.type));
}

/* Waits for its end; stops it if asked to.  The program at the other
 * end may be gone: then nobody needs the answer. */
static void
wait_for(struct run *r)
{
	struct pollfd fds[2] = {
		{ .fd = r->done[0] }, { .fd = SERVER_FD, .events = POLLIN },
	};
	int32_t question;

	while (poll(fds, 2, -1) < 0 || fds[0].revents == 0) {
		if (fds[1].revents == 0)
			continue;
		if (!receive_all(SERVER_FD, &question, sizeof(question)))
			_exit(0);
		api.RunOptionsSetTerminate(r->options);
	}
}

static bool
run(void)
{
	struct bytes data[PORTS] = { 0 };
	struct run r = { 0 };
	pthread_t thread;
	void *st = api.CreateRunOptions(&r.options);
	bool sent;

	for (size_t i = 0; i < n_ports[0]; i++) {
		void *failed = receive_input((void **)&r.in[i], &data[i]);

		st = st != NULL ? st : failed;
	}
	if (st == NULL) {
		if (pipe(r.done) < 0 ||
		    pthread_create(&thread, NULL, run_thread, &r) != 0)
			return false;
		wait_for(&r);
		pthread_join(thread, NULL);
		close(r.done[0]);
		st = r.status;
	}
	sent = send_status(st);
	for (size_t i = 0; i < n_ports[1] && st == NULL; i++) {
		sent = sent && send_output(r.out[i]);
		api.ReleaseValue(r.out[i]);
	}
	for (size_t i = 0; i < n_ports[0]; i++) {
		api.ReleaseValue((void *)r.in[i]);
		free(data[i].p);
	}
	api.ReleaseRunOptions(r.options);
	return sent;
}

/* A child that its parent does not have to wait for, out of reach of signals
 * to the program's group, and not a holder of what the program writes to. */
static void
stand_alone(void)
{
	int null = open("/dev/null", O_RDWR);

	if (fork() > 0)
		_exit(0);
	setsid();
	dup2(null, 0);
	dup2(null, 1);
	close(null);
}

int
main(int argc, char **argv)
{
	int32_t question;

	if (argc != 2) {
		fprintf(stderr, "usage: farort-server FILE\n");
		return 2;
	}
	stand_alone();
	while (receive_all(SERVER_FD, &question, sizeof(question)))
		if ((question == LOAD && !load(argv[1])) ||
		    (question == RUN && !run()))
			return 0;
	return 0;
}
