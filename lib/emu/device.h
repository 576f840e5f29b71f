/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The device: the jobs in flight, the cores that run them, and which thread may
 * collect a job's end (noe-abi 1.12, 4.9, 9).  A core is a thread of the
 * emulator.  It is started when there is work that takes time, and it ends when
 * the device is closed.  A forked child has none of its parent's cores: jobs
 * that were in flight never finish there, and new jobs get new cores.
 *
 * As in the driver, a wait for one job ends when any job of the thread ends:
 * the library asks the driver for one finished job, records its state, and then
 * looks at the job that it waits for.
 *
 * All functions require emu_lock; device_wait(), device_await_close() and
 * device_close() release it while they wait.
 */
#ifndef EMU_DEVICE_H
#define EMU_DEVICE_H

#include "emu/settings.h"
#include "emu/state.h"

/*
 * Starts j, which becomes JOB_SCHEDULED, with the fault.  more: ns in addition
 * to the job's time.  Returns 0 or JOB_DISPATCH_FAIL.
 */
noe_status_t device_submit(struct emu_job *j, enum emu_fault fault,
    int64_t more);

/*
 * Waits up to timeout ms (< 0: without limit) for one event of c that this
 * thread may collect.  Returns 0 (the state of some job may have changed),
 * TIMEOUT, DEV_ABNORMAL, or INVALID_CTX if c was closed meanwhile.
 */
noe_status_t device_wait(struct context *c, int32_t timeout);

/* Stops the computation of the cleaned job j. */
void device_cancel(struct emu_job *j);

/* Marks the device as lost for good: from now on every call that needs the
 * device fails. */
void device_lose(void);
bool device_lost(void);
/* Returns whether a job runs on the device or waits to run. */
bool device_busy(void);

/* Waits until a running device_close() has ended.  Call it before you add a
 * context: threads of a closing device would not run the context's jobs. */
void device_await_close(void);

/* Ends the jobs in flight and the cores.  Call it after the last context is
 * removed. */
void device_close(void);

#endif
