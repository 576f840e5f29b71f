// SPDX-License-Identifier: Apache-2.0
/*
 * The order of the calls for a job, and the packet of its command, word for
 * word, as real libxrt made them on a simulated device (the traces of the test
 * data), with the SYNC_BO that a cache needs.
 */
#include "tap.h"
#include "tools/txngen/stream.h"
#include "xdna_job.h"
#include "xdna_watch.h"

extern const struct xdna_calls xdna_emulated;

/* Two frames.  Each reads 1,024 bytes of buffer 0 and writes 64 bytes of buffer
 * 1. */
static const char order[] =
    "open\n"
    "VERSION\n"
    "CREATE_BO type 2 size 67108864\n"
    "GET_BO_INFO 1\n"
    "mmap 67108864 at a multiple\n"
    "GET_INFO\n"
    "CREATE_HWCTX max_opc 2048 num_tiles 16\n"
    "CREATE_BO type 3 size 200\n"
    "GET_BO_INFO 2\n"
    "SYNC_BO 2 direction 0 size 200\n"
    "CONFIG_HWCTX\n"
    "CREATE_BO type 3 size 272\n"
    "GET_BO_INFO 3\n"
    "SYNC_BO 3 direction 0 size 272\n"
    "CREATE_BO type 4 size 4096\n"
    "GET_BO_INFO 4\n"
    "mmap 4096\n"
    "CREATE_BO type 1 size 1024\n"
    "GET_BO_INFO 5\n"
    "mmap 4096\n"
    "CREATE_BO type 1 size 64\n"
    "GET_BO_INFO 6\n"
    "mmap 4096\n"
    "SYNC_BO 5 direction 0 size 1024\n"
    "SYNC_BO 6 direction 0 size 64\n"
    "EXEC_CMD cmd 4 args 3\n"
    "SYNCOBJ_TIMELINE_WAIT\n"
    "SYNC_BO 6 direction 1 size 64\n"
    "SYNC_BO 5 direction 0 size 1024\n"
    "SYNC_BO 6 direction 0 size 64\n"
    "EXEC_CMD cmd 4 args 3\n"
    "SYNCOBJ_TIMELINE_WAIT\n"
    "SYNC_BO 6 direction 1 size 64\n"
    "DESTROY_HWCTX\n"
    "GEM_CLOSE 5\n"
    "GEM_CLOSE 6\n"
    "GEM_CLOSE 4\n"
    "GEM_CLOSE 3\n"
    "GEM_CLOSE 2\n"
    "GEM_CLOSE 1\n"
    "close\n";

static bool
has_address(const uint32_t *w, uint64_t address)
{
	return w[0] == (uint32_t)address && w[1] == address >> 32;
}

/* Checks all words of the packet.  The heap begins at 0x4000000. */
static void
packet(const void *in, const void *out, bool shared, uint32_t length)
{
	const uint32_t *w = watch.sent;
	bool rest = true;

	ok(w[0] == 0x30010001 && w[1] == 1 && w[2] == 3 && w[3] == 0,
	    "the packet begins with 16 words, unit 0, opcode 3");
	ok(w[4] >= 0x4000000 && w[4] < 0x8000000 && w[5] == 0 &&
	    w[6] == length, "the packet then has an address in the heap and "
	    "the length of the instructions, %u",
	    length);
	if (shared)
		ok(has_address(w + 7, (uintptr_t)in) && has_address(w + 9,
		    (uintptr_t)out),
		    "with Linux 6.14, buffers have the process's addresses");
	else
		ok(w[8] == 0x85 && w[10] == 0x86 && w[7] == 0 && w[9] == 0,
		    "with Linux 7.2, buffers have the addresses of "
		    "GET_BO_INFO");
	for (size_t i = 11; i < 17; i++)
		rest &= w[i] == 0;
	ok(rest, "the addresses of unused buffers are 0");
}

static void
job_of_two_frames(const char *kernel, bool words)
{
	struct npu_err err = { .msg = "" };
	struct buf stream = { 0 };
	struct xdna *x = NULL;
	struct xdna_job job;
	struct stream s;
	bool good;

	setenv("NPU_XDNA_KERNEL", kernel, 1);
	stream_begin(&s, false, &stream);
	stream_whole(&s);
	make_job(&stream, &job);
	job.ninstr_words = words;
	watch_begin();
	good = xdna_open(&x, &watch_calls, "emulated", NULL, &err) == 0 &&
	    xdna_load(x, &job, &err) == 0 &&
	    xdna_run(x, 10000, &err) == 0 && xdna_run(x, 10000, &err) == 0;
	if (!ok(good, "Linux %s: two frames run with the length in %s",
	    kernel, words ? "words" : "bytes"))
		diag("%s", err.msg);
	packet(good ? xdna_memory(x, 0) : NULL, good ? xdna_memory(x, 1) :
	    NULL, strcmp(kernel, "6.14") == 0, words ? 68 : 272);
	xdna_close(x);
	buf_add(&watch.lines, "", 1);
	if (!ok(watch.lines.p != NULL && strcmp(watch.lines.p, order) == 0,
	    "Linux %s: the calls come in the order that both kernels accept",
	    kernel))
		diag("%s", watch.lines.p);
	buf_free(&stream);
}

int
main(void)
{
	watched = &xdna_emulated;
	setenv("NPU_TWIN", "copy", 1);
	job_of_two_frames("6.14", false);
	job_of_two_frames("7.2", false);
	job_of_two_frames("6.14", true);
	buf_free(&watch.lines);
	return done();
}
