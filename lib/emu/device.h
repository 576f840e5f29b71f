/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The device: jobs in flight, the cores that run them, and the thread that may
 * collect their ends (noe-abi 1.12, 4.9, 9).  A core is a thread of the
 * emulator that is started when there is work that takes time, and ends when
 * the device is closed.  The child of a fork has no core of its parent's: the
 * jobs that were in flight never finish there, and new jobs get new cores.
 *
 * As in the driver, a wait for one job ends with the end of any job of the
 * thread: the library asks the driver for one finished job, records its state,
 * and then looks at the job that it waits for.
 *
 * All with emu_lock held; device_wait(), device_await_close() and
 * device_close() release it meanwhile.
 */
#ifndef EMU_DEVICE_H
#define EMU_DEVICE_H

#include "emu/settings.h"
#include "emu/state.h"

/*
 * Starts j, which is JOB_SCHEDULED then, with that fault; more: ns on top of
 * its time.  Returns 0 or JOB_DISPATCH_FAIL.
 */
noe_status_t device_submit(struct emu_job *j, enum emu_fault fault,
    int64_t more);

/*
 * Waits up to timeout ms (< 0: without limit) for one event of c that this
 * thread may collect.  Returns 0 (the state of some job may have changed),
 * TIMEOUT, DEV_ABNORMAL, or INVALID_CTX where c was closed meanwhile.
 */
noe_status_t device_wait(struct context *c, int32_t timeout);

/* Stops the computation of j, which was cleaned. */
void device_cancel(struct emu_job *j);

/* The device is lost for good: from now on no call that needs it succeeds. */
void device_lose(void);
bool device_lost(void);
/* Whether a job runs on it, or waits to. */
bool device_busy(void);

/* Called before a context is added: waits until a device_close() has ended,
 * because its threads would not run the jobs of this context. */
void device_await_close(void);

/* Called after the last context is removed: ends the jobs in flight and the
 * cores. */
void device_close(void);

#endif
