// SPDX-License-Identifier: Apache-2.0
/* Finding and loading ONNX Runtime. */
#include <dlfcn.h>
#include <libgen.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/err.h"
#include "emu/ortload.h"
#include "emu/placement.h"

typedef void (*slot_function)(void);

struct ort_api_base {
	const slot_function *(*GetApi)(uint32_t version);
	const char *(*GetVersionString)(void);
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct ort_runtime runtime;
static bool loaded;

/* Opens the library.  On failure, appends the reason to tried. */
static void *
try_load(const char *name, struct buf *tried)
{
	void *so = dlopen(name, RTLD_NOW | RTLD_LOCAL);

	if (so != NULL && dlsym(so, "OrtGetApiBase") != NULL)
		return so;
	buf_printf(tried, "%s%s", tried->n > 0 ? ", " : "",
	    so == NULL ? dlerror() : name);
	if (so != NULL) {
		buf_puts(tried, ": not ONNX Runtime");
		dlclose(so);
	}
	return NULL;
}

/* Looks next to this library, where build trees and installed trees have the
 * runtime.  For noe/libnoe.so it is one folder up. */
static void *
load_beside(struct buf *tried)
{
	static const char *const places[] = { "", "/.." };
	char self[PATH_MAX], path[PATH_MAX + 30], *folder;
	Dl_info info = { .dli_fname = "" };
	void *so;

	/* dladdr() of one of our objects gives the path of this library. */
	dladdr(&runtime, &info);
	snprintf(self, sizeof(self), "%s", info.dli_fname);
	folder = dirname(self);
	for (size_t i = 0; i < sizeof(places) / sizeof(*places); i++) {
		snprintf(path, sizeof(path), "%s%s/libonnxruntime.so.1",
		    folder, places[i]);
		if (access(path, F_OK) == 0 &&
		    (so = try_load(path, tried)) != NULL)
			return so;
	}
	return NULL;
}

/* Tries upstream's names, then the names that distributions use, which include
 * the version. */
static void *
load_system(struct buf *tried)
{
	char name[40];
	void *so;

	if ((so = try_load("libonnxruntime.so.1", tried)) != NULL ||
	    (so = try_load("libonnxruntime.so", tried)) != NULL)
		return so;
	for (int minor = 30; minor >= 17; minor--) {
		struct buf unused = { 0 };

		snprintf(name, sizeof(name), "libonnxruntime.so.1.%d", minor);
		so = try_load(name, &unused);
		buf_free(&unused);
		if (so != NULL)
			return so;
	}
	return NULL;
}

/* Returns $NPU_ORT, or NULL if it is unset or empty. */
static const char *
env_path(void)
{
	const char *path = getenv("NPU_ORT");

	return path != NULL && *path != '\0' ? path : NULL;
}

static int
not_found(struct buf *tried, struct npu_err *err)
{
	buf_add(tried, "", 1);
	if (env_path() != NULL)
		return npu_fail(err, NPU_ENODEV, "ONNX Runtime cannot be "
		    "loaded from NPU_ORT (%s); set NPU_ORT to a "
		    "libonnxruntime.so of 1.17 to 1.30, or unset it",
		    tried->failed ? "" : tried->p);
	return npu_fail(err, NPU_ENODEV, "ONNX Runtime was not found (%s); "
	    "set NPU_ORT to a libonnxruntime.so of 1.17 to 1.30, or put "
	    "one beside this library", tried->failed ? "" : tried->p);
}

static int
fill_api(void *so, struct npu_err *err)
{
	const struct ort_api_base *(*get_base)(void);
	const struct ort_api_base *base;
	const slot_function *slots = NULL;

	*(void **)&get_base = dlsym(so, "OrtGetApiBase");
	if ((base = get_base()) != NULL)
		slots = base->GetApi(ORT_API_VERSION);
	if (slots == NULL)
		return npu_fail(err, NPU_ENODEV, "ONNX Runtime %s has no API "
		    "version %d; use 1.17 to 1.30",
		    base != NULL ? base->GetVersionString() : "",
		    ORT_API_VERSION);
	/* The parameter list already has its own parentheses. */
	/* NOLINTBEGIN(bugprone-macro-parentheses) */
#define X(slot, name, result, arguments) \
	runtime.api.name = (result (*) arguments)slots[slot];
	ORT_FUNCTIONS(X)
#undef X
	/* NOLINTEND(bugprone-macro-parentheses) */
	return 0;
}

/* Creates the environment with log level 4: fatal errors only.  Each error is
 * also returned as a status. */
static int
make_environment(struct npu_err *err)
{
	void *st = runtime.api.CreateEnvWithCustomLogger(placement_log, NULL,
	    4, "npu-utils", &runtime.env);

	if (st == NULL)
		st = runtime.api.CreateCpuMemoryInfo(1, 0, &runtime.memory);
	return st == NULL ? 0 : ort_fail(&runtime, st, err);
}

static int
load(struct npu_err *err)
{
	const char *path = env_path();
	struct buf tried = { 0 };
	void *so;
	int rc;

	/* Official builds after 1.27 send telemetry unless this variable is set
	 * before they are loaded (seen with 1.29.0 and 1.30.0). */
	setenv("ORT_DISABLE_TELEMETRY", "1", 1);
	if (path != NULL)
		so = try_load(path, &tried);
	else if ((so = load_beside(&tried)) == NULL)
		so = load_system(&tried);
	rc = so == NULL ? not_found(&tried, err) : fill_api(so, err);
	buf_free(&tried);
	runtime.so = so;
	/* Never closed: the runtime's threads and tables would not survive
	 * dlclose(). */
	return rc < 0 ? rc : make_environment(err);
}

int
ort_runtime(const struct ort_runtime **r, struct npu_err *err)
{
	int rc = 0;

	pthread_mutex_lock(&lock);
	if (!loaded)
		rc = load(err);
	loaded = rc == 0;
	pthread_mutex_unlock(&lock);
	*r = &runtime;
	return rc;
}

int
ort_fail(const struct ort_runtime *r, void *status, struct npu_err *err)
{
	char text[sizeof(err->msg)], *end = text;

	snprintf(text, sizeof(text), "%s", r->api.GetErrorMessage(status));
	r->api.ReleaseStatus(status);
	/* Make it one line: a message may have several, or end with a
	 * newline. */
	for (char *s = text; *s != '\0'; s++) {
		if (*s == '\n' || *s == '\r' || *s == '\t')
			*s = ' ';
		if (*s != ' ')
			end = s + 1;
	}
	*end = '\0';
	return npu_fail(err, NPU_EFORMAT, "ONNX Runtime: %s", text);
}
