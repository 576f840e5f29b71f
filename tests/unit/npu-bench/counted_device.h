/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A simulated library and device for load_run(), with a simulated clock.  A
 * call takes the time that a test sets, jobs run on a number of cores in the
 * order of submission, and nothing else takes any time.  All times are
 * therefore exact, on any machine.
 */
#ifndef TESTS_UNIT_NPU_BENCH_COUNTED_DEVICE_H
#define TESTS_UNIT_NPU_BENCH_COUNTED_DEVICE_H

#include <pthread.h>
#include <string.h>

#include "device/fakeclock.h"
#include "device/npu_impl.h"
#include "npu-bench/measure/load.h"
#include "store/layout.h"
#include "tap.h"

#define MS UINT64_C(1000000)	/* ns */

enum { COUNTED_CORES = 4, COUNTED_JOBS = 256 };

static struct counted_device {
	uint64_t create, load, infer, get, clean;	/* ns */
	unsigned cores;
	uint64_t free_at[COUNTED_CORES];
	uint64_t end[COUNTED_JOBS];	/* when job i ends is at i modulo
					 * COUNTED_JOBS */
	uint64_t created;
	unsigned there, most;	/* jobs that exist now, and the maximum */
} device;

int
clock_nanosleep(clockid_t clock, int flags, const struct timespec *t,
    struct timespec *left)
{
	uint64_t until = (uint64_t)t->tv_sec * 1000000000 +
	    (uint64_t)t->tv_nsec;

	(void)clock;
	(void)left;
	if (flags != TIMER_ABSTIME)
		until += fake_now;
	fake_now = until > fake_now ? until : fake_now;
	return 0;
}

static noe_status_t
counted_create(const context_handler_t *ctx, uint64_t graph, uint64_t *job,
    job_config_t *config)
{
	(void)ctx;
	(void)graph;
	(void)config;
	fake_now += device.create;
	*job = ++device.created;
	if (++device.there > device.most)
		device.most = device.there;
	return NOE_STATUS_SUCCESS;
}

static noe_status_t
counted_load(const context_handler_t *ctx, uint64_t job, uint32_t i,
    const void *data)
{
	(void)ctx;
	(void)job;
	(void)i;
	(void)data;
	fake_now += device.load;
	return NOE_STATUS_SUCCESS;
}

static noe_status_t
counted_submit(const context_handler_t *ctx, uint64_t job,
    job_callback_func_t callback)
{
	unsigned core = 0;
	uint64_t begin;

	(void)ctx;
	(void)callback;
	for (unsigned i = 1; i < device.cores; i++)
		if (device.free_at[i] < device.free_at[core])
			core = i;
	begin = device.free_at[core] > fake_now ? device.free_at[core] :
	    fake_now;
	device.free_at[core] = device.end[job % COUNTED_JOBS] =
	    begin + device.infer;
	return NOE_STATUS_SUCCESS;
}

static noe_status_t
counted_status(const context_handler_t *ctx, uint64_t job, job_status_t *state,
    int32_t timeout_ms)
{
	uint64_t end = device.end[job % COUNTED_JOBS];
	uint64_t until = fake_now + (uint64_t)timeout_ms * MS;

	(void)ctx;
	if (timeout_ms >= 0 && end > until) {
		fake_now = until;
		return NOE_STATUS_ERROR_TIMEOUT;
	}
	fake_now = end > fake_now ? end : fake_now;
	*state = NOE_JOB_STATUS_DONE;
	return NOE_STATUS_SUCCESS;
}

static noe_status_t
counted_get(const context_handler_t *ctx, uint64_t job, tensor_type_t type,
    uint32_t i, void *data)
{
	(void)ctx;
	(void)job;
	(void)type;
	(void)i;
	fake_now += device.get;
	memset(data, 7, 4);
	return NOE_STATUS_SUCCESS;
}

static noe_status_t
counted_clean(const context_handler_t *ctx, uint64_t job)
{
	(void)ctx;
	(void)job;
	fake_now += device.clean;
	device.there--;
	return NOE_STATUS_SUCCESS;
}

static struct npu_tensor counted_tensor = { .dtype = NPU_S8, .size = 4 };
static struct npu npu;
static struct meter meter;

/* Opens a device with jobs of ms on a number of cores, and a meter with
 * inflight jobs in flight. */
static inline void
counted_open(const struct bench_plan *plan, double ms, unsigned cores,
    unsigned inflight)
{
	static _Alignas(LAYOUT_ALIGN) uint8_t in[4], out[LAYOUT_ALIGN];
	struct npu_err err;

	device = (struct counted_device){ .infer = (uint64_t)(ms * 1e6 + 0.5),
	    .cores = cores };
	npu = (struct npu){
		.thread = pthread_self(),
		.s.noe = {
			.create_job = counted_create,
			.load_tensor = counted_load,
			.job_infer_async = counted_submit,
			.get_job_status = counted_status,
			.get_tensor = counted_get, .clean_job = counted_clean,
		},
		.in = &counted_tensor, .out = &counted_tensor,
		.n_in = 1, .n_out = 1, .in_size = 4, .out_size = 4,
		.opt.timeout_ms = -1,
	};
	meter = (struct meter){ .npu = &npu, .inflight = inflight, .in = in,
	    .out = out, .out_bytes = sizeof(out), .plan = plan, .seed = 1 };
	if (npu_queue_open(&meter.queue, &npu, inflight, &err) < 0)
		ok(false, "a queue opens: %s", err.msg);
}

static inline void
counted_close(void)
{
	npu_queue_close(meter.queue);
}

#endif
