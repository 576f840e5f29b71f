/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A kernel run on an AMD NPU by the calls of the kernel's driver (xdna_abi.h),
 * without a library of the vendor.  What the driver demands, and in which
 * order, is the same in Linux 6.14 and 7.2 (drivers/accel/amdxdna); what the
 * hardware demands beyond that is as AMD's own user-space driver does it
 * (amd/xdna-driver 856409ca, src/shim).
 *
 * NPU_ENODEV: there is no device, or it refused before a frame was begun.
 */
#ifndef DEVICE_XDNA_XDNA_H
#define DEVICE_XDNA_XDNA_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/bytes.h"
#include "npu.h"
#include "xdna_abi.h"

/* The system's own. */
extern const struct xdna_calls xdna_kernel;

/*
 * Loads the emulated device, libxdna-emu.so: the file that NPU_XDNA_LIBRARY
 * names, else path, else the installed one, else one that the loader finds.
 * path may be NULL: a program knows its own tree better than the library.
 */
int xdna_emulator(const struct xdna_calls **calls, const char *path,
    struct npu_err *err);

/* A part of the register map: one argument of the kernel. */
struct xdna_register {
	uint32_t at, size;	/* bytes */
};

/* Of a kernel, at most: more addresses do not fit into its registers. */
enum { XDNA_BUFFERS = XDNA_REGISTERS / 8 };

struct xdna_buffer {
	struct xdna_register address;
	uint64_t bytes;		/* 0: the instructions do not use it */
	bool in, out;		/* read, written by the device */
};

/* What is to run. */
struct xdna_job {
	struct bytes pdi, instructions;
	uint32_t columns, operations;	/* of the partition */
	uint8_t function;		/* the kernel's "functional" */
	struct xdna_register opcode, instr, ninstr;
	bool ninstr_words;		/* the length in words, not bytes */
	uint32_t registers;		/* bytes of the map */
	struct xdna_buffer buffer[XDNA_BUFFERS];
	unsigned buffers;
};

/* What the device says of itself. */
struct xdna_device {
	uint32_t columns, core_rows;
};

struct xdna;

/* Opens the device node.  stop may be NULL: *stop != 0 ends a wait with
 * NPU_ESTOPPED. */
int xdna_open(struct xdna **x, const struct xdna_calls *calls,
    const char *node, const volatile sig_atomic_t *stop, struct npu_err *err);
const struct xdna_device *xdna_describe(const struct xdna *x);

/* Loads a job, once: all memory that it needs, the context, the PDI, the
 * instructions.  The bytes need not stay. */
int xdna_load(struct xdna *x, const struct xdna_job *job, struct npu_err *err);

/* The memory of the i-th buffer, job->buffer[i].bytes, zeros at first; NULL if
 * it has none. */
void *xdna_memory(struct xdna *x, unsigned i);

/* Runs the job once on what its buffers hold.  Fails with NPU_ETIMEOUT after
 * timeout_ms. */
int xdna_run(struct xdna *x, int32_t timeout_ms, struct npu_err *err);

/* A wait for a command failed: it may still run, and xdna_run() refuses. */
bool xdna_is_hung(const struct xdna *x);

/* Ends the context and frees all.  The error is the first call that failed;
 * the calls after it were made nevertheless. */
int xdna_end(struct xdna *x, struct npu_err *err);
/* The same where a failure makes no difference; x may be NULL. */
void xdna_close(struct xdna *x);

#endif
