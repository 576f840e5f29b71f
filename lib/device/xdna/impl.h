/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the files here. */
#ifndef DEVICE_XDNA_IMPL_H
#define DEVICE_XDNA_IMPL_H

#include "device/xdna/xdna.h"

/* Memory of the device. */
struct xdna_memory {
	uint32_t handle;	/* 0: none */
	uint64_t address;	/* for the device */
	uint8_t *p;		/* for the processor */
	size_t mapped;		/* bytes to unmap; 0: a part of the heap */
};

struct xdna {
	const struct xdna_calls *calls;
	const volatile sig_atomic_t *stop;
	int fd;
	bool running;		/* a frame has begun: failures are its own */
	bool hung;		/* a command did not end in time */
	const char *not_freed;	/* the first call that failed to free; NULL */
	int not_freed_errno;
	struct xdna_device device;
	struct xdna_job job;
	struct xdna_memory heap, pdi, instructions, command;
	struct xdna_memory buffer[XDNA_BUFFERS];
	uint32_t hwctx, syncobj;
};

/* Makes one call, again after EINTR unless a stop is wanted.  what is its name
 * in messages. */
int xdna_call(struct xdna *x, uint32_t request, void *arg, const char *what,
    struct npu_err *err);
/* The same for a call that frees something: it is made even if a stop is
 * wanted, and its failure is noted. */
void xdna_free_call(struct xdna *x, uint32_t request, void *arg,
    const char *what);
/* Notes that the call what, which frees something, failed with errno. */
void xdna_not_freed(struct xdna *x, const char *what);
/* Whether a call that has failed with errno is to be made again. */
bool xdna_again(const struct xdna *x);
/* Reports that the call what was refused with that errno, and what to do. */
int xdna_refused(const struct xdna *x, const char *what, int number,
    struct npu_err *err);

/* Makes the heap, the first memory of all. */
int xdna_make_heap(struct xdna *x, struct npu_err *err);
/* Makes memory of type XDNA_BO_DEV, with a copy of the bytes that the device
 * sees. */
int xdna_make_copy(struct xdna *x, struct xdna_memory *m, struct bytes bytes,
    struct npu_err *err);
/* Makes memory with a mapping of its own, type XDNA_BO_SHMEM or XDNA_BO_CMD. */
int xdna_make_memory(struct xdna *x, struct xdna_memory *m, enum xdna_bo type,
    size_t size, struct npu_err *err);
int xdna_sync(struct xdna *x, const struct xdna_memory *m, uint32_t direction,
    uint64_t size, struct npu_err *err);
void xdna_free_memory(struct xdna *x, struct xdna_memory *m);

#endif
