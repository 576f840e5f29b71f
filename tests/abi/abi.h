/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The behaviour of libnoe.so 2.0.2 as rows: an initial state, one change, one
 * call, and the required answer.  The same rows run on the emulator and on the
 * vendor's library with a stand-in device (tests/abi/vendor).  A row that needs
 * a fault of the device therefore names the settings of both.
 */
#ifndef TESTS_ABI_ABI_H
#define TESTS_ABI_ABI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "noe_abi.h"

/* The functions with C linkage that 2.0.2 exports: noe-abi 3.1. */
#define NOE_CALLS(X) \
	X(init_context) X(deinit_context) X(get_error_message) \
	X(config_global) X(load_graph) X(load_graph_helper) X(unload_graph) \
	X(create_job) X(clean_job) X(job_infer_sync) X(job_infer_async) \
	X(get_job_status) X(load_tensor) X(get_tensor) X(get_tensor_count) \
	X(get_tensor_descriptor) X(get_partition_count) \
	X(get_cluster_count) X(get_core_count) X(get_target) X(config_job) \
	X(specify_iobuf) X(ioctl) X(set_freq) X(debugger_bind_job) \
	X(debugger_run_job) X(create_batch_queue) X(clean_batch_queue) \
	X(config_batch_dump) X(add_batch) X(finish_batch)

struct api {
	void *so;
	bool opaque;		/* 3.x: the contents of a context are unknown */
#define X(name) __typeof__(&noe_##name) name;
	NOE_CALLS(X)
#undef X
};

extern struct api noe;

/* How much of a world is set up before its row begins. */
enum need {
	NOTHING,		/* the library is loaded */
	CTX,			/* ... and a context open */
	GRAPH,			/* ... and the row's model loaded */
	JOB,			/* ... and a job created */
	READY,			/* ... and its inputs loaded */
	FLYING,			/* ... and submitted */
	DONE,			/* READY and run to its end */
	TRIED,			/* READY and run; 0x11 came back */
	LATE,			/* READY and run; 0x23 came back */
};

/* Arguments of the next call; rows change them. */
struct world {
	const char *models;	/* the directory of test models */
	const char *model;	/* the row's model, in models */
	context_handler_t *ctx;
	uint64_t graph, job, job2;
	tensor_type_t type;
	uint32_t index, queue;
	void *data;		/* space for a tensor; NULL: pass NULL */
	int32_t timeout;	/* ms */
	job_config_t config;
	job_config_npu_t npu;
	graph_config_t gconfig;
	graph_config_npu_t gnpu;
	job_status_t status;	/* output; 99 before the call */
	uint32_t count;		/* output; 99 before the call */
	tensor_desc_t desc;
	const char *wrong;	/* another requirement that failed */
	bool set_up;		/* the world was complete before the change */
};

/* Values of expect: a noe_status_t, or one of these. */
enum {
	CRASHES = -1,		/* a signal kills it */
	HANGS = -2,		/* does not return */
	ABORTS = -3,		/* SIGABRT, also from the vendor's library */
	MISREADS = -4,		/* reads out of bounds: dies or survives */
	UNKNOWN = -5,		/* the stand-in device cannot do this */
};

/*
 * For expect, if the emulator differs on purpose: both values from -5 to 0x7f.
 */
/* Longer than any job that ends, in ms. */
#define LONG_MS 120000

#define BUT_EMULATOR(vendor, emulator) \
	(0x10000 | ((vendor) & 0xff) << 8 | ((emulator) & 0xff))
#define EMULATOR_ALONE(emulator) BUT_EMULATOR(UNKNOWN, emulator)

struct row {
	const char *name;	/* "call: situation" */
	enum need need;
	void (*change)(struct world *w);	/* may be NULL */
	int (*call)(struct world *w);
	int expect;
	const char *model;	/* NULL: "sound" */
	const char *env;	/* "NAME=VALUE NAME=VALUE"; NULL: none */
};

struct table {
	const struct row *rows;
	size_t n;
};

extern const struct table context_rows, ioctl_rows, order_rows, graph_rows,
    tensor_rows, job_rows, batch_rows, run_rows, trouble_rows, other_rows,
    damage_rows, odd_rows, shared_rows;

#define TABLE(name, rows) \
	const struct table name = { rows, sizeof(rows) / sizeof(*rows) }

/* Remembers the first text whose condition does not hold. */
void must(struct world *w, bool holds, const char *text);
/* Returns the monotonic time in ms; for calls that must take a minimum time. */
int64_t now_ms(void);
/* Calls f(w) in a new thread. */
int elsewhere(struct world *w, int (*f)(struct world *));
/* Returns DIRECTORY/NAME, in a static buffer. */
const char *model_path(const struct world *w, const char *name);
/* Returns the first graph ELF of the row's model, or its first *n bytes if *n >
 * 0.  Sets *n to the number of bytes.  Call free() on the result. */
char *model_elf(const struct world *w, size_t *n);

/* Fills the buffer for an answer: without_nul() then shows how many are
 * written. */
void fill(struct world *w);
/* Returns whether text is at p, and the byte after it was not written. */
bool without_nul(const char *p, const char *text);

/* ---- Changes that several rows share ---------------------------------- */

void no_ctx(struct world *w);
void stale_ctx(struct world *w);
void no_data(struct world *w);
void no_graph(struct world *w);		/* 0 */
void small_graph(struct world *w);	/* 0xffffffff */
void graph_low_bits(struct world *w);	/* + 5 */
void unloaded(struct world *w);
void no_job(struct world *w);		/* 0 */
void small_job(struct world *w);	/* 0xffffffff */
void unknown_job(struct world *w);	/* not a job of the loaded graph */
void cleaned(struct world *w);

/* ---- One valid call of each function ---------------------------------- */

/* Opens a context of 2.x or 3.x. */
int open_context(context_handler_t **ctx);
#define X(name) int call_##name(struct world *w);
NOE_CALLS(X)
#undef X
/* Calls noe_get_job_status with space for the status if data is NULL. */
int status_now(struct world *w);
int create_another(struct world *w);	/* into job2 */

#endif
