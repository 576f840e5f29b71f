/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs a kernel on an AMD NPU by the calls of the kernel's driver (xdna_abi.h),
 * without the vendor's library.  What the driver demands, and in which order,
 * is the same in Linux 6.14 and 7.2 (drivers/accel/amdxdna).  What the hardware
 * demands in addition is done as in AMD's own user-space driver
 * (amd/xdna-driver 856409ca, src/shim).
 *
 * Functions fail with NPU_ENODEV if there is no device, or if it refused a call
 * before a frame was begun.
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

/* The system's own calls. */
extern const struct xdna_calls xdna_kernel;

/*
 * Loads the emulated device, libxdna-emu.so: the file that NPU_XDNA_LIBRARY
 * names, else path, else the installed file, else a file that the loader finds.
 * path may be NULL; it exists because a program knows its own tree better than
 * the library does.
 */
int xdna_emulator(const struct xdna_calls **calls, const char *path,
    struct npu_err *err);

/* A part of the register map: one argument of the kernel. */
struct xdna_register {
	uint32_t at, size;	/* bytes */
};

/* The most buffers of a kernel: more addresses do not fit into its
 * registers. */
enum { XDNA_BUFFERS = XDNA_REGISTERS / 8 };

struct xdna_buffer {
	struct xdna_register address;
	uint64_t bytes;		/* 0: the instructions do not use it */
	bool in, out;		/* the device reads it, writes it */
};

/* What to run. */
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

/* What the device reports about itself. */
struct xdna_device {
	uint32_t columns, core_rows;
};

struct xdna;

/* Opens the device node.  stop may be NULL; *stop != 0 ends a wait with
 * NPU_ESTOPPED. */
int xdna_open(struct xdna **x, const struct xdna_calls *calls,
    const char *node, const volatile sig_atomic_t *stop, struct npu_err *err);
const struct xdna_device *xdna_describe(const struct xdna *x);

/* Loads a job, once: makes all its memory and the context, loads the PDI and
 * the instructions.  The caller may free the job's bytes afterwards. */
int xdna_load(struct xdna *x, const struct xdna_job *job, struct npu_err *err);

/* Returns the memory of buffer i, job->buffer[i].bytes long, zeros at first;
 * NULL if the buffer has no memory. */
void *xdna_memory(struct xdna *x, unsigned i);

/* Runs the job once with the contents of its buffers.  Fails with NPU_ETIMEOUT
 * after timeout_ms. */
int xdna_run(struct xdna *x, int32_t timeout_ms, struct npu_err *err);

/* Returns true if a wait for a command failed: the command may still run, and
 * xdna_run() refuses to run another. */
bool xdna_is_hung(const struct xdna *x);

/* Destroys the context and frees everything.  Fails with the first call that
 * failed; the calls after it are made nevertheless. */
int xdna_end(struct xdna *x, struct npu_err *err);
/* Does the same where a failure makes no difference; x may be NULL. */
void xdna_close(struct xdna *x);

#endif
