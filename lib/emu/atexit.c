// SPDX-License-Identifier: Apache-2.0
/*
 * The end of the process.  With a graph loaded and its context open, the
 * vendor's library dies in a destructor ("pure virtual method called", SIGABRT,
 * 134), before stdio is flushed (noe-abi 1.8); so does this one.  It is linked
 * with -z nodelete, as the vendor's stays loaded for good, so that dlclose()
 * does not run this.
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
	/* A context alone is harmless.  Nothing of ours runs on, even where a
	 * job was cleaned in flight.  No thread keeps the lock for long, but
	 * this one has it where a signal within a call led to exit(). */
	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_sec++;
	if (pthread_mutex_timedlock(&emu_lock, &until) != 0)
		return;
	device_close();
	log_totals();
	emu_release(NOE_STATUS_SUCCESS);
}
