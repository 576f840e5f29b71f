/* SPDX-License-Identifier: Apache-2.0 */
/* Puts frames through an npu_queue with fakenpu.h, for its tests. */
#ifndef TESTS_UNIT_DEVICE_QUEUE_H
#define TESTS_UNIT_DEVICE_QUEUE_H

#include "fakenpu.h"
#include "tap.h"

static struct npu npu;
static struct npu_queue *q;
static struct npu_err err;

static inline void
start(int32_t timeout_ms, bool reuse, unsigned depth)
{
	fake_reset();
	npu = fake_npu(timeout_ms, reuse);
	err = (struct npu_err){ 0 };
	if (npu_queue_open(&q, &npu, depth, &err) < 0)
		ok(false, "a queue opens: %s", err.msg);
}

static inline void
pause_ms(int ms)
{
	struct timespec t = { ms / 1000, ms % 1000 * 1000000 };

	nanosleep(&t, NULL);
}

static inline uint64_t
ms_since(uint64_t begin)
{
	return (clock_ns() - begin) / 1000000;
}

/*
 * The results of get() for the frames put so far, one letter each: '.' for the
 * right bytes, 'x' for other bytes, 'D' for NPU_EDEVICE, 'T' for NPU_ETIMEOUT,
 * 'N' for NPU_ENODEV, '?' for another error.
 */
static char answers[JOBS + 1];
static uint32_t putn, gotn;

static inline int
put(void)
{
	uint32_t in = ++putn * 0x01010101u;
	int rc = npu_queue_put(q, &in, &err);

	in = 0;			/* the queue has copied the bytes */
	return rc;
}

static inline int
get(void)
{
	uint32_t got = 0;
	int rc = npu_queue_get(q, &got, &err);

	if (rc == NPU_ESTOPPED)
		return rc;
	answers[gotn] = rc == NPU_EDEVICE ? 'D' : rc == NPU_ETIMEOUT ? 'T' :
	    rc == NPU_ENODEV ? 'N' : rc < 0 ? '?' :
	    got == (gotn + 1) * 0x01010101u ? '.' : 'x';
	answers[++gotn] = '\0';
	return rc;
}

/* Puts the frames through the queue, which is kept full, and closes the
 * queue. */
static inline const char *
flow(unsigned frames)
{
	putn = gotn = 0;
	while (gotn < frames) {
		while (putn < frames && !npu_queue_full(q))
			if (put() < 0)
				return err.msg;
		get();
	}
	npu_queue_close(q);
	return answers;
}

static inline bool
is(const char *got, const char *want)
{
	if (strcmp(got, want) == 0)
		return true;
	diag("%s", got);
	diag("%s", err.msg);
	return false;
}

#endif
