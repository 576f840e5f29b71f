// SPDX-License-Identifier: Apache-2.0
/*
 * queuerun - sends frames through an npu_queue on the emulator, to test it.
 *
 *	queuerun [-rw] [-K DEPTH] [-T MS] [-n FRAMES] [-c AFTER] [-s MS] MODEL
 *
 * Prints the result of frame n: "n ok" if the output is the input XORed with
 * 0x55, else "n wrong"; or "n CODE message".  -r reuses jobs; -w waits for each
 * frame before it puts the next; -c closes the queue after AFTER results, with
 * frames in flight; -s stops MS after the first wait began.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

#include "npu.h"

static volatile sig_atomic_t stop;
static unsigned frames = 10, close_after = ~0u;
static long stop_ms;
static bool one_by_one;

static void
on_alarm(int sig)
{
	(void)sig;
	stop = 1;
}

static void
stop_after(long ms)
{
	struct itimerval t = { .it_value = { ms / 1000, ms % 1000 * 1000 } };

	signal(SIGALRM, on_alarm);
	setitimer(ITIMER_REAL, &t, NULL);
}

static void
note(void *unused, const char *line)
{
	(void)unused;
	printf("note: %s\n", line);
}

/* Returns byte i of frame n. */
static uint8_t
byte(unsigned n, size_t i)
{
	return (uint8_t)(n * 31 + i + i / 256);
}

static void
put(struct npu *npu, struct npu_queue *q, unsigned n)
{
	size_t size = npu_input_size(npu);
	uint8_t *in = malloc(size);
	struct npu_err err;

	if (in == NULL)
		abort();
	for (size_t i = 0; i < size; i++)
		in[i] = byte(n, i);
	if (npu_queue_put(q, in, &err) < 0)
		printf("put: %d %s\n", err.code, err.msg);
	free(in);
}

/* Returns 0, or the error of npu_queue_get(). */
static int
get(struct npu *npu, struct npu_queue *q, unsigned n)
{
	size_t size = npu_output_size(npu), same = 0;
	uint8_t *out = malloc(size);
	struct npu_err err;
	int rc = npu_queue_get(q, out, &err);

	for (size_t i = 0; rc == 0 && i < size; i++)
		same += out[i] == (byte(n, i) ^ 0x55);
	if (rc < 0)
		printf("%u %d %s\n", n, err.code, err.msg);
	else
		printf("%u %s\n", n, same == size ? "ok" : "wrong");
	free(out);
	return rc;
}

static void
stream(struct npu *npu, struct npu_queue *q)
{
	unsigned n = 0, got = 0;

	while (got < frames && got < close_after) {
		while (n < frames && !npu_queue_full(q)) {
			put(npu, q, ++n);
			if (one_by_one)
				break;
		}
		if (got == 0 && stop_ms > 0)
			stop_after(stop_ms);
		if (get(npu, q, got + 1) == NPU_ESTOPPED)
			return;
		got++;
	}
}

int
main(int argc, char *argv[])
{
	struct npu_options opt = { .device = NPU_DEVICE_EMU, .note = note,
	    .stop = &stop };
	unsigned depth = 0;
	struct npu_queue *q;
	struct npu_err err;
	struct npu *npu;
	int c;

	while ((c = getopt(argc, argv, "rwK:T:n:c:s:")) != -1) {
		switch (c) {
		case 'r': opt.reuse_job = true; break;
		case 'w': one_by_one = true; break;
		case 'K': depth = (unsigned)atoi(optarg); break;
		case 'T': opt.timeout_ms = atoi(optarg); break;
		case 'n': frames = (unsigned)atoi(optarg); break;
		case 'c': close_after = (unsigned)atoi(optarg); break;
		case 's': stop_ms = atol(optarg); break;
		default: return 2;
		}
	}
	opt.emulator = getenv("EMU");
	if (optind + 1 != argc)
		return 2;
	if (npu_open(&npu, argv[optind], &opt, &err) < 0) {
		printf("%s\n", err.msg);
		return 2;
	}
	if (npu_queue_open(&q, npu, depth, &err) < 0) {
		printf("%s\n", err.msg);
		npu_close(npu);
		return 2;
	}
	stream(npu, q);
	printf("%u waiting\n", npu_queue_length(q));
	npu_queue_close(q);
	npu_close(npu);
	return 0;
}
