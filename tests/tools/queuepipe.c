// SPDX-License-Identifier: Apache-2.0
/*
 * queuepipe - frames from stdin through an npu_queue to stdout, as in a service
 * that runs for days: one process, which sometimes closes the model and opens
 * it again.
 *
 *	queuepipe [-j DEPTH] [-R FRAMES] [-T MS] MODEL
 *
 * Reports a failed frame on stderr, "queuepipe: frame N: reason", and continues
 * with the next frame; the status is then 1.  -R: closes and opens the model
 * after each FRAMES frames.  The device is the emulator.
 */
#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "npu.h"

enum { AHEAD = 1 << 16 };	/* bytes to read, or to collect for writing */

static struct npu_options opt = { .device = NPU_DEVICE_EMU };
static const char *model;
static unsigned depth = 4;
static uint64_t restart = UINT64_MAX;

static struct npu *npu;
static struct npu_queue *queue;
static size_t in_size, out_size;
static uint64_t put, got;	/* frames */
static bool failed;

/* Bytes from stdin that are not put yet, and bytes for stdout. */
static uint8_t *in, *out;
static size_t n_in, at, n_out;
static bool ended;
static int data;		/* our stdout; the library may print to 1 */

static _Noreturn void
give_up(const char *what)
{
	fprintf(stderr, "queuepipe: %s\n", what);
	_exit(2);		/* exit() aborts if a graph is loaded */
}

static void
open_model(void)
{
	struct npu_err err;

	if (npu_open(&npu, model, &opt, &err) < 0 ||
	    npu_queue_open(&queue, npu, depth, &err) < 0)
		give_up(err.msg);
	in_size = npu_input_size(npu);
	out_size = npu_output_size(npu);
}

static void
close_model(void)
{
	npu_queue_close(queue);
	npu_close(npu);
}

static void
flush_out(void)
{
	for (size_t done = 0; done < n_out; ) {
		ssize_t n = write(data, out + done, n_out - done);

		if (n < 0 && errno != EINTR)
			give_up("nobody reads");
		done += n < 0 ? 0 : (size_t)n;
	}
	n_out = 0;
}

static void
get_one(void)
{
	struct npu_err err;

	got++;
	if (npu_queue_get(queue, out + n_out, &err) == 0) {
		n_out += out_size;
		if (n_out + out_size > AHEAD)
			flush_out();
		return;
	}
	failed = true;
	fprintf(stderr, "queuepipe: frame %" PRIu64 ": %s\n", got, err.msg);
}

/* Returns true if a whole frame is at in + at. */
static bool
have_frame(void)
{
	struct pollfd p = { 0, POLLIN, 0 };
	ssize_t n;

	while (n_in - at < in_size && !ended) {
		if (npu_queue_length(queue) > 0 && poll(&p, 1, 0) <= 0)
			return false;
		flush_out();
		memmove(in, in + at, n_in - at);
		n_in -= at;
		at = 0;
		n = read(0, in + n_in, AHEAD - n_in);
		if (n < 0 && errno != EINTR)
			give_up("stdin cannot be read");
		ended = n == 0;
		n_in += n < 0 ? 0 : (size_t)n;
	}
	return n_in - at >= in_size;
}

static void
put_one(void)
{
	struct npu_err err;

	if (put > 0 && put % restart == 0) {
		while (npu_queue_length(queue) > 0)
			get_one();
		close_model();
		open_model();
	}
	if (npu_queue_put(queue, in + at, &err) < 0)
		give_up(err.msg);
	at += in_size;
	put++;
}

static void
options(int argc, char *argv[])
{
	int c;

	while ((c = getopt(argc, argv, "j:R:T:")) != -1) {
		switch (c) {
		case 'j': depth = (unsigned)atoi(optarg); break;
		case 'R': restart = strtoull(optarg, NULL, 10); break;
		case 'T': opt.timeout_ms = atoi(optarg); break;
		default: exit(2);
		}
	}
	if (optind + 1 != argc || restart == 0)
		exit(2);
	model = argv[optind];
	opt.emulator = getenv("EMU");
}

int
main(int argc, char *argv[])
{
	options(argc, argv);
	in = malloc(AHEAD);
	out = malloc(AHEAD);
	if (in == NULL || out == NULL || (data = dup(1)) < 0 ||
	    freopen("/dev/null", "w", stdout) == NULL)
		give_up("out of memory");
	open_model();
	if (in_size > AHEAD || out_size > AHEAD)
		give_up("the model is too large for this");
	for (;;) {
		if (!npu_queue_full(queue) && have_frame())
			put_one();
		else if (npu_queue_length(queue) > 0)
			get_one();
		else if (ended)
			break;
	}
	flush_out();
	if (n_in != at)
		give_up("stdin ends within a frame");
	close_model();
	free(in);
	free(out);
	return failed;
}
