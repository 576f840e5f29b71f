/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The device: jobs in flight, the cores that run them, and which thread hears
 * of their end (noe-abi 1.12, 4.9, 9).  A core is a thread of ours that lives
 * while the device is open and is started when there is work that takes time.
 * A fork's child has none of its parent's: what flew never finishes there, and
 * its own jobs get cores of its own.
 *
 * As in the driver, a wait for one job ends with the end of any job of the
 * thread: the library asks for one finished job only, notes what it got, and
 * looks at the job it was asked about afterwards.
 *
 * All with emu_lock held; device_wait(), device_await_close() and
 * device_close() let go of it.
 */
#ifndef EMU_DEVICE_H
#define EMU_DEVICE_H

#include "emu/settings.h"
#include "emu/state.h"

/* Sets JOB_SCHEDULED; 0 or JOB_DISPATCH_FAIL. */
noe_status_t device_submit(struct emu_job *j, enum emu_fault fault,
    int64_t more);

/*
 * One event for this thread of c, until timeout ms (< 0: for ever) are over:
 * 0 (some job's state may have changed), TIMEOUT or DEV_ABNORMAL.
 */
noe_status_t device_wait(struct context *c, int32_t timeout);

/* j was cleaned: what flies of it is not recorded any more. */
void device_cancel(struct emu_job *j);

/* The device answers nothing sensible from now on. */
void device_lose(void);
bool device_lost(void);
/* Something runs on it, or waits to. */
bool device_busy(void);

/* Before a context is added: waits for the end of a device_close(), whose
 * threads would not take this context's jobs. */
void device_await_close(void);

/* When the last context is gone: ends what flies, and the threads. */
void device_close(void);

#endif
