/* SPDX-License-Identifier: Apache-2.0 */
/*
 * NPU_EMU_*: the environment variables that set times, topology and faults;
 * libnoe-emu(7) lists them.  They are read once, when the first context is
 * opened.  An unknown name or a wrong value is reported, and then no context
 * can be opened.
 */
#ifndef EMU_SETTINGS_H
#define EMU_SETTINGS_H

#include <stdbool.h>
#include <stdint.h>

/* The calls that can take time or meet a fault.  settings.c has their names. */
enum emu_call {
	EMU_INIT,		/* noe_init_context */
	EMU_GRAPH,		/* noe_load_graph, noe_load_graph_helper */
	EMU_CREATE,		/* noe_create_job */
	EMU_LOAD,		/* noe_load_tensor */
	EMU_INFER,		/* noe_job_infer_sync, noe_job_infer_async */
	EMU_STATUS,		/* noe_get_job_status */
	EMU_GET,		/* noe_get_tensor */
	EMU_CLEAN,		/* noe_clean_job */
	EMU_UNLOAD,		/* noe_unload_graph */
	EMU_DEINIT,		/* noe_deinit_context */
	EMU_CALLS
};

enum emu_fault {
	EMU_NO_FAULT,
	EMU_TIMEOUT,		/* infer: never ends; status: 0x23 */
	EMU_EXCEPTION,		/* infer: ends in exception */
	EMU_COREDUMP,		/* infer: ends in coredump */
	EMU_NOMEM,		/* 0x16 */
	EMU_GRID,		/* create: no grid id, 0x33 */
	EMU_SCHEDULE,		/* infer: 0x37 */
	EMU_ABNORMAL,		/* the driver's query fails: 0x4 */
	EMU_NODEVICE,		/* the device is lost for good */
	EMU_FAULTS
};

/* The computation of a graph's jobs. */
enum emu_compute {
	EMU_TWIN,		/* run the twin */
	EMU_ZERO,		/* outputs are zero */
	EMU_COPY,		/* output k is input k % inputs, repeated */
	EMU_FILL,		/* byte i of output k is i + k */
	EMU_XOR,		/* as copy, each byte ^ 0x55 */
};

struct emu_settings {
	bool noise;
	enum emu_compute compute;
	int64_t ns[EMU_CALLS];	/* host; EMU_INFER: device */
	uint32_t partitions, clusters, cores;
	uint32_t seed;		/* of the random faults */
	uint32_t device;	/* the NPU's number in library 3.x */
};

extern struct emu_settings emu_settings;

/* Reads the environment once.  On a mistake it reports the mistake on stderr
 * and returns false, as does every later call. */
bool emu_read_settings(void);

/*
 * Counts a call that begins, sleeps for its host time (not for EMU_INFER) and
 * returns its fault.  *more (may be NULL): additional device time in ns.
 */
enum emu_fault emu_call_fault(enum emu_call call, int64_t *more);

#endif
