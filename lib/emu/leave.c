// SPDX-License-Identifier: Apache-2.0
/*
 * The end of the process.  With a graph loaded and its context open, the
 * vendor's library dies in a destructor ("pure virtual method called", SIGABRT,
 * 134), before stdio is flushed (noe-abi 1.8); so does this one.  It is linked
 * with -z nodelete, as the vendor's stays loaded for good, so that dlclose()
 * does not run this.
 */
#include "emu/api.h"
#include "emu/device.h"
#include "emu/say.h"

__attribute__((destructor)) static void
leave(void)
{
	unsigned n = atomic_load(&emu_loaded);

	if (n > 0)
		emu_stop("exit", "1.8", "%u graph%s still loaded; call "
		    "noe_unload_graph or noe_deinit_context before", n,
		    n == 1 ? " is" : "s are");
	if (atomic_load(&emu_poisoned) > 0)
		emu_stop("exit", "1.2",
		    "a graph without a known magic was loaded before");
	/* A context alone is harmless.  Nothing of ours runs on, even where a
	 * job was cleaned in flight; a thread that holds the lock is one of
	 * the program's, and does not keep it for long. */
	emu_acquire();
	device_close();
	emu_leave(NOE_STATUS_SUCCESS);
}
