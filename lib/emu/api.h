/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the files that define the exported functions: the versions, the
 * lock, and helpers that begin a call and find the objects it names. */
#ifndef EMU_API_H
#define EMU_API_H

#include <string.h>

#include "emu/settings.h"
#include "emu/state.h"

#define EMU_API __attribute__((visibility("default")))

/* The versions that library 2.0.2 reports for itself and for its driver
 * (noe-abi 4.13). */
#define EMU_UMD_VERSION "0.6.0"
#define EMU_KMD_VERSION "5.11.0"

/* Stores both versions.  As in 2.0.2, neither is padded and the first has no
 * NUL (noe-abi 4.13). */
static inline void
emu_put_versions(noe_driver_version_t *v, const char *umd, const char *kmd)
{
	memcpy(v->umd_version, umd, strlen(umd));
	strcpy(v->kmd_version, kmd);
}

static inline void
emu_acquire(void)
{
	pthread_mutex_lock(&emu_lock);
}

/* Releases the lock and returns st.  This lets an early return fit on one
 * line. */
static inline noe_status_t
emu_release(noe_status_t st)
{
	pthread_mutex_unlock(&emu_lock);
	return st;
}

/* Begins an exported call.  Call it first, without the lock.  Sleeps for the
 * time that is set for the call and returns the call's fault.  After
 * EMU_NODEVICE the device is already lost. */
enum emu_fault emu_begin_call(enum emu_call call);

/* Returns whether a graph or job could have the id. */
static inline bool
emu_may_be_graph(uint64_t id)
{
	return id >> 32 != 0;
}

static inline bool
emu_may_be_job(uint64_t id)
{
	return emu_may_be_graph(id) && (uint32_t)id != 0;
}

/* Acquire emu_lock and find the context, and the graph or job in it.  On
 * failure they release the lock again.  An id that no graph or job can have is
 * refused before an unknown context is (noe-abi 4). */
noe_status_t emu_with_context(const context_handler_t *ctx,
    struct context **c);
noe_status_t emu_with_graph(const context_handler_t *ctx, uint64_t id,
    struct graph **g);
noe_status_t emu_with_job(const context_handler_t *ctx, uint64_t id,
    struct context **c, struct emu_job **j);

/* Not in the vendor's header (noe-abi 3.1). */
EMU_API noe_status_t aipu_debugger_get_core_info(const context_handler_t *ctx,
    uint32_t id, uint64_t *base);
EMU_API noe_status_t aipu_debugger_get_job_info(const context_handler_t *ctx,
    uint64_t job, void *info[3]);
EMU_API noe_status_t aipu_debugger_malloc(const context_handler_t *ctx,
    uint32_t size, void **va);
EMU_API noe_status_t aipu_debugger_free(const context_handler_t *ctx,
    void *va);
EMU_API noe_status_t aipu_printf(char *buffer, char *file);

#endif
