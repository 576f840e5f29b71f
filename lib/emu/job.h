/* SPDX-License-Identifier: Apache-2.0 */
/* What the batch and debugger calls share with those of single jobs.  All
 * with emu_lock held; job_infer(), job_load() and job_get() let go of it. */
#ifndef EMU_JOB_H
#define EMU_JOB_H

#include "emu/state.h"
#include "model/check.h"

/* *j is set as soon as the job is registered, which it stays on a late
 * failure (noe-abi 4.7). */
noe_status_t job_create(const char *call, struct graph *g,
    const job_config_t *config, enum emu_fault fault, struct emu_job **j);
/* j is held by the caller. */
noe_status_t job_infer(struct context *c, struct emu_job *j,
    int32_t timeout);
noe_status_t job_load(struct emu_job *j, uint32_t tensor, const void *data);
noe_status_t job_get(struct emu_job *j, uint32_t kind, uint32_t tensor,
    void *data);

#endif
