// SPDX-License-Identifier: Apache-2.0
/* Share buffers: noe-abi 4.13, 4.15. */
#include <string.h>

#include "abi.h"

static noe_share_buf_t buffer;

static int
ask(struct world *w, ioctl_cmd_t cmd)
{
	return noe.ioctl(w->ctx, NOE_DEVICE_NPU, cmd, &buffer);
}

static int
allocate(struct world *w, uint32_t size)
{
	buffer = (noe_share_buf_t){ .size = size };
	return ask(w, NOE_IOCTL_ALLOC_SHARE_BUF);
}

static char *
bytes(void)
{
	return (char *)(uintptr_t)buffer.va;
}

static int
one_buffer(struct world *w)
{
	int st = allocate(w, 5000);

	must(w, buffer.pa != 0 && buffer.va != 0, "both addresses");
	must(w, buffer.size == 5000, "the size asked for");
	memset(bytes(), 'x', 5000);
	must(w, ask(w, NOE_IOCTL_FREE_SHARE_BUF) == 0, "free it");
	return st;
}

static int
freed_twice(struct world *w)
{
	must(w, allocate(w, 64) == 0, "allocate");
	must(w, ask(w, NOE_IOCTL_FREE_SHARE_BUF) == 0, "free it");
	return ask(w, NOE_IOCTL_FREE_SHARE_BUF);
}

static int
freed_inside(struct world *w)
{
	must(w, allocate(w, 64) == 0, "allocate");
	buffer.pa += 16;
	return ask(w, NOE_IOCTL_FREE_SHARE_BUF);
}

static int of_no_bytes(struct world *w) { return allocate(w, 0); }

/* Places tensor i of a type in the buffer, or at pa. */
static int
place(struct world *w, int type, uint32_t i, int how, uint64_t pa)
{
	shared_tensor_info_npu_t npu = { .type = (tensor_type_t)type,
	    .tensor_idx = i, .pa = pa, .dmabuf_fd = -1,
	    .shared_case_type = how };
	shared_tensor_info_t info = { &npu };

	return noe.specify_iobuf(w->ctx, w->job, &info);
}

static int
place_first(struct world *w, int type, int how)
{
	must(w, allocate(w, 64) == 0, "allocate");
	return place(w, type, 0, how, buffer.pa);
}

/* The model copy: outputs equal the inputs, and the first two have 64 bytes. */
static int
input_shared(struct world *w)
{
	static char room[64], out[64];
	int st = place_first(w, NOE_TENSOR_TYPE_INPUT, 0);

	memset(bytes(), 'S', 64);
	must(w, call_job_infer_sync(w) == 0, "job_infer_sync");
	must(w, noe.get_tensor(w->ctx, w->job, NOE_TENSOR_TYPE_OUTPUT, 0,
	    out) == 0 && out[0] == 'S' && out[63] == 'S', "its bytes are used");
	memset(room, 'L', sizeof(room));
	must(w, noe.load_tensor(w->ctx, w->job, 0, room) == 0 &&
	    bytes()[63] == 'L', "load_tensor writes to it");
	must(w, call_job_infer_sync(w) == 0, "once more");
	must(w, noe.get_tensor(w->ctx, w->job, NOE_TENSOR_TYPE_INPUT, 0,
	    out) == 0 && out[0] == 'L', "get_tensor reads it");
	must(w, ask(w, NOE_IOCTL_FREE_SHARE_BUF) == 0, "free it in use");
	return st;
}

static int
output_shared(struct world *w)
{
	static char out[64];
	int st = place_first(w, NOE_TENSOR_TYPE_OUTPUT, 0);

	must(w, call_job_infer_sync(w) == 0, "job_infer_sync");
	must(w, bytes()[0] == 'a' && bytes()[63] == 'a', "the result");
	must(w, noe.get_tensor(w->ctx, w->job, NOE_TENSOR_TYPE_OUTPUT, 0,
	    out) == 0 && out[0] == 'a', "get_tensor reads it");
	must(w, call_clean_job(w) == 0, "clean_job");
	must(w, bytes()[0] == 'a', "it stays when the job is cleaned");
	return st;
}

/* The library copies from and to its own memory, and the device uses the
 * buffer. */
static int
output_customed(struct world *w)
{
	static char out[64];
	int st = place_first(w, NOE_TENSOR_TYPE_OUTPUT,
	    NOE_SHARE_BUF_CUSTOMED);

	must(w, call_job_infer_sync(w) == 0, "job_infer_sync");
	must(w, bytes()[0] == 'a' && bytes()[63] == 'a', "the result");
	must(w, noe.get_tensor(w->ctx, w->job, NOE_TENSOR_TYPE_OUTPUT, 0,
	    out) == 0 && out[0] != 'a', "get_tensor does not read it");
	return st;
}

static int
input_customed(struct world *w)
{
	static char room[64], out[64];
	int st = place_first(w, NOE_TENSOR_TYPE_INPUT,
	    NOE_SHARE_BUF_CUSTOMED);

	memset(bytes(), 'S', 64);
	memset(room, 'L', sizeof(room));
	must(w, noe.load_tensor(w->ctx, w->job, 0, room) == 0 &&
	    bytes()[63] == 'S', "load_tensor does not write to it");
	must(w, call_job_infer_sync(w) == 0, "job_infer_sync");
	must(w, noe.get_tensor(w->ctx, w->job, NOE_TENSOR_TYPE_OUTPUT, 0,
	    out) == 0 && out[0] == 'S' && out[63] == 'S', "its bytes are used");
	return st;
}

/* The next buffer is at least a page away. */
static int
freed_behind(struct world *w)
{
	must(w, allocate(w, 64) == 0, "allocate");
	buffer.pa += 4096;
	return ask(w, NOE_IOCTL_FREE_SHARE_BUF);
}

static int
dump_shared(struct world *w)
{
	return place_first(w, NOE_TENSOR_TYPE_INTER_DUMP, 0);
}

static int
ninth_shared(struct world *w)
{
	must(w, allocate(w, 64) == 0, "allocate");
	return place(w, NOE_TENSOR_TYPE_INPUT, 9, 0, buffer.pa);
}

static int
by_dmabuf(struct world *w)
{
	return place_first(w, 0, NOE_SHARE_BUF_DMABUF);
}

static int
by_attached(struct world *w)
{
	return place_first(w, 0, NOE_SHARE_BUF_ATTACH_DMABUF);
}

static int in_no_way(struct world *w) { return place_first(w, 0, 4); }

static int
nowhere(struct world *w)
{
	return place(w, NOE_TENSOR_TYPE_INPUT, 0, 0, 0x7777);
}

static const struct row rows[] = {
	{ "ioctl: a share buffer", CTX, NULL, one_buffer, 0, NULL, NULL },
	{ "ioctl: a share buffer of no bytes", CTX, NULL, of_no_bytes, 0,
	    NULL, NULL },
	{ "ioctl: a share buffer is freed twice", CTX, NULL, freed_twice,
	    0x26, NULL, NULL },
	{ "ioctl: a share buffer is freed by an address inside", CTX, NULL,
	    freed_inside, 0, NULL, NULL },
	{ "ioctl: a share buffer is freed by an address behind it", CTX, NULL,
	    freed_behind, 0x26, NULL, NULL },
	{ "specify_iobuf: an input", READY, NULL, input_shared, 0, "copy",
	    NULL },
	{ "specify_iobuf: an output", READY, NULL, output_shared, 0, "copy",
	    NULL },
	{ "specify_iobuf: an input, customed", READY, NULL, input_customed,
	    0, "copy", NULL },
	{ "specify_iobuf: an output, customed", READY, NULL,
	    output_customed, 0, "copy", NULL },
	{ "specify_iobuf: a dump", JOB, NULL, dump_shared, 0x1a, NULL, NULL },
	{ "specify_iobuf: input 9 of 2", JOB, NULL, ninth_shared, 0x1a,
	    NULL, NULL },
	{ "specify_iobuf: a dma-buf that the driver allocated", JOB, NULL,
	    by_dmabuf, 4, NULL, NULL },
	{ "specify_iobuf: an attached dma-buf", JOB, NULL, by_attached, 4,
	    NULL, NULL },
	{ "specify_iobuf: an unknown shared_case_type", JOB, NULL, in_no_way,
	    0x14, NULL, NULL },
	{ "specify_iobuf: an address outside all buffers", JOB, NULL, nowhere,
	    BUT_EMULATOR(0, 0x26), NULL, NULL },
};

TABLE(shared_rows, rows);
