// SPDX-License-Identifier: Apache-2.0
/*
 * libnoe.so.3.1.0: finds the back end, gives the program opaque contexts, and
 * forwards all calls.
 */
#include <dlfcn.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "emu/message.h"
#include "emu/noe3/noe3.h"

/* The calls that are forwarded unchanged, and their arguments after ctx. */
#define FORWARDED(X) \
	X(noe_get_error_message, (const context_handler_t *ctx, \
	    noe_status_t status, const char **msg), status, msg) \
	X(noe_config_global, (const context_handler_t *ctx, uint64_t types, \
	    void *config), types, config) \
	X(noe_load_graph, (const context_handler_t *ctx, const char *file, \
	    uint64_t *id, graph_config_t *config), file, id, config) \
	X(noe_load_graph_helper, (const context_handler_t *ctx, \
	    const char *graph, uint32_t size, uint64_t *id, \
	    graph_config_t *config), graph, size, id, config) \
	X(noe_unload_graph, (const context_handler_t *ctx, uint64_t graph), \
	    graph) \
	X(noe_create_job, (const context_handler_t *ctx, uint64_t graph, \
	    uint64_t *job, job_config_t *config), graph, job, config) \
	X(noe_clean_job, (const context_handler_t *ctx, uint64_t job), job) \
	X(noe_job_infer_sync, (const context_handler_t *ctx, uint64_t job, \
	    int32_t timeout_ms), job, timeout_ms) \
	X(noe_job_infer_async, (const context_handler_t *ctx, uint64_t job, \
	    job_callback_func_t callback), job, callback) \
	X(noe_get_job_status, (const context_handler_t *ctx, uint64_t job, \
	    job_status_t *status, int32_t timeout_ms), job, status, \
	    timeout_ms) \
	X(noe_load_tensor, (const context_handler_t *ctx, uint64_t job, \
	    uint32_t tensor, const void *data), job, tensor, data) \
	X(noe_get_tensor, (const context_handler_t *ctx, uint64_t job, \
	    tensor_type_t type, uint32_t tensor, void *data), job, type, \
	    tensor, data) \
	X(noe_get_tensor_count, (const context_handler_t *ctx, uint64_t graph, \
	    tensor_type_t type, uint32_t *count), graph, type, count) \
	X(noe_get_tensor_descriptor, (const context_handler_t *ctx, \
	    uint64_t graph, tensor_type_t type, uint32_t tensor, \
	    tensor_desc_t *desc), graph, type, tensor, desc) \
	X(noe_get_partition_count, (const context_handler_t *ctx, \
	    uint32_t *count), count) \
	X(noe_get_cluster_count, (const context_handler_t *ctx, \
	    uint32_t partition, uint32_t *count), partition, count) \
	X(noe_get_core_count, (const context_handler_t *ctx, \
	    uint32_t partition, uint32_t cluster, uint32_t *count), \
	    partition, cluster, count) \
	X(noe_get_target, (const context_handler_t *ctx, char *target), \
	    target) \
	X(noe_config_job, (const context_handler_t *ctx, uint64_t job, \
	    uint64_t types, void *config), job, types, config) \
	X(noe_specify_iobuf, (const context_handler_t *ctx, uint64_t job, \
	    shared_tensor_info_t *info), job, info) \
	X(noe_debugger_bind_job, (const context_handler_t *ctx, uint32_t id, \
	    uint64_t job), id, job) \
	X(noe_debugger_run_job, (const context_handler_t *ctx, uint64_t job), \
	    job) \
	X(noe_create_batch_queue, (const context_handler_t *ctx, \
	    uint64_t graph, uint32_t *queue), graph, queue) \
	X(noe_clean_batch_queue, (const context_handler_t *ctx, \
	    uint64_t graph, uint32_t queue), graph, queue) \
	X(noe_config_batch_dump, (const context_handler_t *ctx, \
	    uint64_t graph, uint32_t queue, uint64_t types, \
	    job_config_dump_t *config), graph, queue, types, config) \
	X(noe_add_batch, (const context_handler_t *ctx, uint64_t graph, \
	    uint32_t queue, char *inputs[], char *outputs[]), graph, queue, \
	    inputs, outputs) \
	X(noe_finish_batch, (const context_handler_t *ctx, uint64_t graph, \
	    uint32_t queue, job_config_t *config), graph, queue, config) \
	X(aipu_debugger_get_core_info, (const context_handler_t *ctx, \
	    uint32_t id, uint64_t *base), id, base) \
	X(aipu_debugger_get_job_info, (const context_handler_t *ctx, \
	    uint64_t job, void *info[3]), job, info) \
	X(aipu_debugger_malloc, (const context_handler_t *ctx, \
	    uint32_t size, void **va), size, va) \
	X(aipu_debugger_free, (const context_handler_t *ctx, void *va), va)

static struct back_end {
	void *dl;
	__typeof__(aipudrv_emu_init) *init;
	__typeof__(aipudrv_emu_status) *status;
	__typeof__(noe_deinit_context) *deinit_context;
	__typeof__(noe_ioctl) *ioctl;
	__typeof__(noe_set_freq) *set_freq;
	__typeof__(aipu_printf) *printf;
#define X(name, ...) __typeof__(name) *name;
	FORWARDED(X)
#undef X
} back_end;

/* The names of the back end's functions, and their offsets in struct
 * back_end. */
static const struct {
	const char *name;
	size_t offset;
} functions[] = {
	{ "aipudrv_emu_init", offsetof(struct back_end, init) },
	{ "aipudrv_emu_status", offsetof(struct back_end, status) },
	{ "noe_deinit_context", offsetof(struct back_end, deinit_context) },
	{ "noe_ioctl", offsetof(struct back_end, ioctl) },
	{ "noe_set_freq", offsetof(struct back_end, set_freq) },
	{ "aipu_printf", offsetof(struct back_end, printf) },
#define X(name, ...) { #name, offsetof(struct back_end, name) },
	FORWARDED(X)
#undef X
};

/* The context that a program gets instead of the back end's context. */
struct handle {
	struct handle *next;
	context_handler_t *ctx;
};

static struct handle *handles;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;	/* guards
								 * both */

/* ---- Back end --------------------------------------------------------- */

/* Opens the back end that AIPU_LIB_PATH names: a file (noe-abi 6). */
static void *
open_named(const char *path)
{
	void *dl = dlopen(path, RTLD_NOW | RTLD_LOCAL);

	if (dl == NULL)
		emu_message("AIPU_LIB_PATH=%s: %s", path, dlerror());
	return dl;
}

/* Opens the back end on the loader's path, which may lack this library's
 * folder. */
static void *
open_by_name(void)
{
	void *dl = dlopen("libaipudrv.so", RTLD_NOW | RTLD_LOCAL);

	if (dl == NULL)
		emu_message("the back end of libnoe.so.3.1.0 cannot be loaded: "
		    "%s; it is looked for in LD_LIBRARY_PATH, or named by "
		    "AIPU_LIB_PATH", dlerror());
	return dl;
}

/* Resolves all functions.  Returns false if the back end lacks one. */
static bool
resolve_all(void *dl)
{
	for (size_t i = 0; i < sizeof(functions) / sizeof(*functions); i++) {
		void *f = dlsym(dl, functions[i].name);

		if (f == NULL) {
			emu_message("the back end has no %s: it is not the "
			    "emulator's", functions[i].name);
			return false;
		}
		memcpy((char *)&back_end + functions[i].offset, &f, sizeof(f));
	}
	return true;
}

/* Opens the back end.  It stays open; if it is not found, each call searches
 * again. */
static bool
open_back_end(void)
{
	const char *named = getenv("AIPU_LIB_PATH");
	void *dl = NULL;

	pthread_mutex_lock(&lock);
	if (back_end.dl == NULL) {
		dl = named != NULL && *named != '\0' ? open_named(named) :
		    open_by_name();
		if (dl != NULL && resolve_all(dl))
			back_end.dl = dl;
		else if (dl != NULL)
			dlclose(dl);
	}
	dl = back_end.dl;
	pthread_mutex_unlock(&lock);
	return dl != NULL;
}

/* ---- Contexts --------------------------------------------------------- */

/* Returns the link to the program's context ctx, or NULL if ctx is unknown.
 * Requires the lock. */
static struct handle **
find_link(const context_handler_t *ctx)
{
	for (struct handle **h = &handles; *h != NULL; h = &(*h)->next)
		if ((const void *)*h == (const void *)ctx)
			return h;
	return NULL;
}

/* Finds the back end's context.  An unknown context is replaced by one that the
 * back end does not know either, as the back end may have to report another
 * error first. */
static noe_status_t
inner_context(const context_handler_t *ctx, context_handler_t **inner)
{
	static context_handler_t unknown;
	struct handle **h;
	bool open;

	if (ctx == NULL)
		return NOE_STATUS_ERROR_NULL_PTR;
	pthread_mutex_lock(&lock);
	h = find_link(ctx);
	*inner = h != NULL ? (*h)->ctx : &unknown;
	open = back_end.dl != NULL;
	pthread_mutex_unlock(&lock);
	return open ? NOE_STATUS_SUCCESS : NOE_STATUS_ERROR_INVALID_CTX;
}

EMU_API noe_status_t
noe3_init_context(context_handler_t **ctx, uint32_t device)
{
	struct handle *h;
	noe_status_t st;

	if (ctx == NULL)
		return NOE_STATUS_ERROR_NULL_PTR;
	*ctx = NULL;
	if (!open_back_end())
		return NOE_STATUS_ERROR_OPEN_DEV_FAIL;
	if ((h = calloc(1, sizeof(*h))) == NULL)
		return NOE_STATUS_ERROR_BUF_ALLOC_FAIL;
	if ((st = back_end.init(&h->ctx, device)) != NOE_STATUS_SUCCESS) {
		free(h);
		return st;
	}
	pthread_mutex_lock(&lock);
	h->next = handles;
	handles = h;
	pthread_mutex_unlock(&lock);
	*ctx = (context_handler_t *)(void *)h;
	return NOE_STATUS_SUCCESS;
}

EMU_API noe_status_t
noe_deinit_context(const context_handler_t *ctx)
{
	struct handle **at, *h;
	noe_status_t st;

	if (ctx == NULL)
		return NOE_STATUS_ERROR_NULL_PTR;
	pthread_mutex_lock(&lock);
	if ((at = find_link(ctx)) == NULL) {
		pthread_mutex_unlock(&lock);
		return NOE_STATUS_ERROR_INVALID_CTX;
	}
	h = *at;
	*at = h->next;
	pthread_mutex_unlock(&lock);
	st = back_end.deinit_context(h->ctx);
	free(h);
	return st;
}

/* ---- Forwarded calls -------------------------------------------------- */

#define X(name, parameters, ...) \
EMU_API noe_status_t \
name parameters \
{ \
	context_handler_t *inner; \
	noe_status_t st = inner_context(ctx, &inner); \
	return st != NOE_STATUS_SUCCESS ? st : \
	    back_end.name(inner, __VA_ARGS__); \
}
FORWARDED(X)
#undef X

EMU_API noe_status_t
noe_get_device_status(const context_handler_t *ctx,
    noe_device_status_t *status)
{
	context_handler_t *inner;
	noe_status_t st = inner_context(ctx, &inner);

	return st != NOE_STATUS_SUCCESS ? st : back_end.status(inner, status);
}

/* Reports the versions of 3.x.  The back end is asked only for its status: its
 * own versions are those of 2.x. */
static noe_status_t
get_versions(context_handler_t *inner, noe_driver_version_t *v)
{
	noe_driver_version_t of_back_end;
	noe_status_t st = back_end.ioctl(inner, NOE_DEVICE_NPU,
	    NOE_IOCTL_GET_VERSION, v != NULL ? &of_back_end : NULL);

	if (st == NOE_STATUS_SUCCESS)
		emu_put_versions(v, NOE3_UMD_VERSION, NOE3_KMD_VERSION);
	return st;
}

EMU_API noe_status_t
noe_ioctl(context_handler_t *ctx, device_type_t device, ioctl_cmd_t cmd,
    void *arg)
{
	context_handler_t *inner;
	noe_status_t st = inner_context(ctx, &inner);

	if (st != NOE_STATUS_SUCCESS)
		return st;
	return cmd == NOE_IOCTL_GET_VERSION ? get_versions(inner, arg) :
	    back_end.ioctl(inner, device, cmd, arg);
}

EMU_API noe_status_t
noe_set_freq(int index)
{
	return open_back_end() ? back_end.set_freq(index) :
	    NOE_STATUS_ERROR_OPEN_DEV_FAIL;
}

EMU_API noe_status_t
aipu_printf(char *buffer, char *file)
{
	/* The parentheses are for clang, whose FORTIFY makes printf a macro. */
	return open_back_end() ? (back_end.printf)(buffer, file) :
	    NOE_STATUS_ERROR_OPEN_DEV_FAIL;
}

EMU_API const char *
noe_emu_version(void)
{
	return NPU_VERSION;
}
