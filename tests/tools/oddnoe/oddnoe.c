// SPDX-License-Identifier: Apache-2.0
/*
 * A libnoe.so that does what neither the vendor's library nor the emulator ever
 * does.  It does not read models: each variable below replaces one answer.
 *
 *	ODD_<call>=STATUS	INIT, LOAD, CREATE, STATUS, ... answer this
 *	ODD_INPUTS, ODD_OUTPUTS	number of inputs and outputs (1)
 *	ODD_SIZE, ODD_TYPE, ODD_SCALE, ODD_ZERO	of every tensor (4, s8, 20, 60)
 *	ODD_STATE		of every job (1, done)
 *	ODD_PARTITIONS, ODD_CLUSTERS	numbers (1, 2) in oddmore.so, which
 *				has the functions that oddnoe.so lacks
 *	ODD_LOG=FILE		gets a line for each call that matters
 *	ODD_INPUT=FILE		gets the first input of the last job
 *	ODD_OTHER=N		from job N on, the output's first bit differs
 *	ODD_OUT_SIZE, ODD_OUT_TYPE	of outputs, if different from inputs
 *	ODD_ANSWERS=FILE	the outputs of all jobs, one job after the other
 *	ODD_TALKS=N		the first job prints a line of N bytes
 *
 * A run copies the first input to every output.  Like the vendor's library, it
 * aborts if the process exits while a graph is loaded (noe-abi 1.8), or closes
 * a context after a load that answered 0x8 (1.2).
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "noe_abi.h"

static context_handler_t context;
static bool loaded, poisoned;
static uint64_t jobs;
static char data[64][4096];	/* inputs of the last jobs */

static long
knob(const char *name, long otherwise)
{
	const char *s = getenv(name);

	return s != NULL ? strtol(s, NULL, 0) : otherwise;
}

static void
note(const char *fmt, ...)
{
	const char *path = getenv("ODD_LOG");
	FILE *f = path != NULL ? fopen(path, "a") : NULL;
	va_list ap;

	if (f == NULL)
		return;
	va_start(ap, fmt);
	vfprintf(f, fmt, ap);
	va_end(ap);
	fclose(f);
}

static size_t
size(void)
{
	long n = knob("ODD_SIZE", 4);

	return n > 0 && (size_t)n < sizeof(*data) ? (size_t)n : sizeof(*data);
}

static void
save(const void *p)
{
	const char *path = getenv("ODD_INPUT");
	FILE *f = path != NULL ? fopen(path, "w") : NULL;

	if (f == NULL)
		return;
	fwrite(p, 1, size(), f);
	fclose(f);
}

/* Copies the part of the file that belongs to the job. */
static void
answer(void *p, uint64_t job)
{
	size_t n = (size_t)knob("ODD_OUT_SIZE", (long)size());
	FILE *f = fopen(getenv("ODD_ANSWERS"), "r");

	if (f == NULL || fseek(f, (long)(((uint32_t)job - 1) * n),
	    SEEK_SET) != 0 || fread(p, 1, n, f) != n)
		abort();
	fclose(f);
}

static char *
buffer(uint64_t job)
{
	return data[(uint32_t)job % (sizeof(data) / sizeof(*data))];
}

__attribute__((constructor)) static void
begin(void)
{
	for (long n = knob("ODD_CHATTER", 0); n > 0; n--)
		puts("oddnoe: good morning");
}

__attribute__((destructor)) static void
end(void)
{
	if (loaded)
		abort();
}

/* As in 3.x, with the second argument (noe-abi 10). */
noe_status_t odd_init(context_handler_t **ctx, uint64_t device)
    __asm__("noe_init_context");

noe_status_t
odd_init(context_handler_t **ctx, uint64_t device)
{
	note("init %lu\n", (unsigned long)device);
	*ctx = &context;
	return (noe_status_t)knob("ODD_INIT", 0);
}

noe_status_t
noe_deinit_context(const context_handler_t *ctx)
{
	(void)ctx;
	if (poisoned)
		abort();
	note("deinit\n");
	loaded = false;
	return NOE_STATUS_SUCCESS;
}

noe_status_t
noe_load_graph(const context_handler_t *ctx, const char *file, uint64_t *id,
    graph_config_t *config)
{
	noe_status_t st = (noe_status_t)knob("ODD_LOAD", 0);

	(void)ctx;
	(void)file;
	(void)config;
	*id = 1ull << 32;
	loaded = st == NOE_STATUS_SUCCESS;
	poisoned = st == NOE_STATUS_ERROR_GVERSION_UNSUPPORTED;
	return st;
}

noe_status_t
noe_unload_graph(const context_handler_t *ctx, uint64_t graph)
{
	(void)ctx;
	(void)graph;
	note("unload\n");
	loaded = false;
	return NOE_STATUS_SUCCESS;
}

noe_status_t
noe_get_tensor_count(const context_handler_t *ctx, uint64_t graph,
    tensor_type_t type, uint32_t *count)
{
	(void)ctx;
	(void)graph;
	*count = (uint32_t)knob(type == NOE_TENSOR_TYPE_INPUT ? "ODD_INPUTS" :
	    "ODD_OUTPUTS", 1);
	return (noe_status_t)knob("ODD_COUNT", 0);
}

noe_status_t
noe_get_tensor_descriptor(const context_handler_t *ctx, uint64_t graph,
    tensor_type_t type, uint32_t tensor, tensor_desc_t *desc)
{
	const char *scale = getenv("ODD_SCALE");

	(void)ctx;
	(void)graph;
	*desc = (tensor_desc_t){
		.id = tensor, .size = (uint32_t)knob("ODD_SIZE", 4),
		.scale = scale != NULL ? strtof(scale, NULL) : 20,
		.zero_point = (int32_t)knob("ODD_ZERO", 60),
		.data_type = (noe_data_type_t)knob("ODD_TYPE",
		    NOE_DATA_TYPE_S8),
	};
	if (type != NOE_TENSOR_TYPE_INPUT) {
		desc->size = (uint32_t)knob("ODD_OUT_SIZE", desc->size);
		desc->data_type = (noe_data_type_t)knob("ODD_OUT_TYPE",
		    desc->data_type);
	}
	return (noe_status_t)knob("ODD_DESCRIPTOR", 0);
}

noe_status_t
noe_create_job(const context_handler_t *ctx, uint64_t graph, uint64_t *job,
    job_config_t *config)
{
	(void)ctx;
	if (config == NULL || config->conf_j_npu == NULL)
		abort();		/* noe-abi 1.4 */
	*job = graph | ++jobs;
	return (noe_status_t)knob("ODD_CREATE", 0);
}

noe_status_t
noe_clean_job(const context_handler_t *ctx, uint64_t job)
{
	(void)ctx;
	note("clean %lu\n", (unsigned long)(uint32_t)job);
	return NOE_STATUS_SUCCESS;
}

noe_status_t
noe_load_tensor(const context_handler_t *ctx, uint64_t job, uint32_t tensor,
    const void *p)
{
	(void)ctx;
	if (tensor == 0) {
		memcpy(buffer(job), p, size());
		save(p);
	}
	return (noe_status_t)knob("ODD_PUT", 0);
}

noe_status_t
noe_get_tensor(const context_handler_t *ctx, uint64_t job, tensor_type_t type,
    uint32_t tensor, void *p)
{
	(void)ctx;
	(void)type;
	(void)tensor;
	if (getenv("ODD_ANSWERS") != NULL)
		answer(p, job);
	else
		memcpy(p, buffer(job), size());
	if ((long)(uint32_t)job >= knob("ODD_OTHER", 1L << 32))
		*(char *)p ^= 1;
	return (noe_status_t)knob("ODD_GET", 0);
}

noe_status_t
noe_job_infer_async(const context_handler_t *ctx, uint64_t job,
    job_callback_func_t callback)
{
	int n = (int)knob("ODD_TALKS", 0);

	(void)ctx;
	(void)callback;
	if ((uint32_t)job <= 1 && n > 0) {
		printf("%*s\n", n - 1, "oddnoe: the end of much");
		fflush(stdout);
	}
	return (noe_status_t)knob("ODD_INFER", 0);
}

noe_status_t
noe_get_job_status(const context_handler_t *ctx, uint64_t job,
    job_status_t *status, int32_t timeout_ms)
{
	(void)ctx;
	(void)job;
	(void)timeout_ms;
	*status = (job_status_t)knob("ODD_STATE", NOE_JOB_STATUS_DONE);
	return (noe_status_t)knob("ODD_STATUS", 0);
}

/* The caller does not pass the length (noe-abi 4.12), and the text may be
 * unprintable. */
noe_status_t
noe_get_target(const context_handler_t *ctx, char *target)
{
	(void)ctx;
	memset(target, 'T', 200);
	memcpy(target, "\n\033[31m\377", 7);
	target[200] = '\0';
	return (noe_status_t)knob("ODD_TARGET", 0);
}

/* ---- Functions that only oddmore.so has --------------------------------- */

#ifdef ODD_MORE

noe_status_t
noe_ioctl(context_handler_t *ctx, device_type_t device, ioctl_cmd_t cmd,
    void *arg)
{
	(void)ctx;
	(void)device;
	(void)cmd;
	memcpy(arg, "9.8.7", 6);
	return (noe_status_t)knob("ODD_IOCTL", 0);
}

noe_status_t
noe_get_partition_count(const context_handler_t *ctx, uint32_t *count)
{
	(void)ctx;
	*count = (uint32_t)knob("ODD_PARTITIONS", 1);
	return (noe_status_t)knob("ODD_PARTITION", 0);
}

noe_status_t
noe_get_cluster_count(const context_handler_t *ctx, uint32_t partition,
    uint32_t *count)
{
	(void)ctx;
	(void)partition;
	*count = (uint32_t)knob("ODD_CLUSTERS", 2);
	return (noe_status_t)knob("ODD_CLUSTER", 0);
}

noe_status_t
noe_get_core_count(const context_handler_t *ctx, uint32_t partition,
    uint32_t cluster, uint32_t *count)
{
	(void)ctx;
	(void)partition;
	(void)cluster;
	*count = 3;
	return (noe_status_t)knob("ODD_CORE", 0);
}

#endif
