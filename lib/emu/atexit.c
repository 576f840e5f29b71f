// SPDX-License-Identifier: Apache-2.0
/*
 * The end of the process.  If a graph is loaded and its context is open, the
 * vendor's library aborts in a destructor ("pure virtual method called",
 * SIGABRT, status 134) before stdio is flushed (noe-abi 1.8); this library does
 * the same.  Like the vendor's library, it is never unloaded (-z nodelete),
 * which keeps dlclose() from running the destructor.
 */
#include <time.h>

#include "emu/api.h"
#include "emu/device.h"
#include "emu/log.h"
#include "emu/message.h"

__attribute__((destructor)) static void
at_process_end(void)
{
	unsigned n = atomic_load(&emu_loaded);
	struct timespec until;

	if (n > 0)
		emu_crash("exit", "%u graph%s still loaded; call "
		    "noe_unload_graph or noe_deinit_context before", n,
		    n == 1 ? " is" : "s are");
	if (atomic_load(&emu_poisoned) > 0)
		emu_crash("exit",		/* noe-abi 1.2 */
		    "a graph without a known magic was loaded before");
	/* A context without graphs is harmless.  Our threads are ended, even if
	 * a job was cleaned in flight.  No thread holds the lock for long,
	 * except this thread if a signal handler called exit() within a
	 * call. */
	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_sec++;
	if (pthread_mutex_timedlock(&emu_lock, &until) != 0)
		return;
	device_close();
	log_totals();
	emu_release(NOE_STATUS_SUCCESS);
}
