/* SPDX-License-Identifier: Apache-2.0 */
/* Declarations that the files of this folder share. */
#ifndef DEVICE_XDNA_IMPL_H
#define DEVICE_XDNA_IMPL_H

#include "device/xdna/xdna.h"

/* Memory that the device can use. */
struct xdna_memory {
	uint32_t handle;	/* 0: none */
	uint64_t address;	/* the device's address */
	uint8_t *p;		/* the processor's address */
	size_t mapped;		/* bytes to unmap; 0: part of the heap */
};

struct xdna {
	const struct xdna_calls *calls;
	const volatile sig_atomic_t *stop;
	int fd;
	bool running;		/* a frame has begun: errors are its own */
	bool hung;		/* waiting for a command failed */
	const char *not_freed;	/* first call that failed to free; NULL: none */
	int not_freed_errno;
	struct xdna_device device;
	struct xdna_job job;
	struct xdna_memory heap, pdi, instructions, command;
	struct xdna_memory buffer[XDNA_BUFFERS];
	uint32_t hwctx, syncobj;
};

/* Makes one call, and repeats it after EINTR unless a stop is requested.  what
 * is the name of the call in messages. */
int xdna_call(struct xdna *x, uint32_t request, void *arg, const char *what,
    struct npu_err *err);
/* Does the same for a call that frees something: the call is made even if a
 * stop is requested, and its failure is recorded. */
void xdna_free_call(struct xdna *x, uint32_t request, void *arg,
    const char *what);
/* Records that the call what, which frees something, failed with errno. */
void xdna_not_freed(struct xdna *x, const char *what);
/* Returns whether to repeat a call that has failed with errno. */
bool xdna_again(const struct xdna *x);
/* Reports that the driver refused the call what with the errno number, and what
 * to do. */
int xdna_refused(const struct xdna *x, const char *what, int number,
    struct npu_err *err);

/* Makes the heap, which must be the first memory. */
int xdna_make_heap(struct xdna *x, struct npu_err *err);
/* Makes memory of type XDNA_BO_DEV that contains a copy of bytes, and makes the
 * copy visible to the device. */
int xdna_make_copy(struct xdna *x, struct xdna_memory *m, struct bytes bytes,
    struct npu_err *err);
/* Makes memory with a mapping of its own, type XDNA_BO_SHMEM or XDNA_BO_CMD. */
int xdna_make_memory(struct xdna *x, struct xdna_memory *m, enum xdna_bo type,
    size_t size, struct npu_err *err);
int xdna_sync(struct xdna *x, const struct xdna_memory *m, uint32_t direction,
    uint64_t size, struct npu_err *err);
void xdna_free_memory(struct xdna *x, struct xdna_memory *m);

#endif
