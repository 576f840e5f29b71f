/* SPDX-License-Identifier: Apache-2.0 */
/* The steps of a job, shared by the calls for single jobs, batches and the
 * debugger.  All functions require emu_lock; job_infer(), job_load() and
 * job_get() release it while they work. */
#ifndef EMU_JOB_H
#define EMU_JOB_H

#include "emu/state.h"
#include "model/check.h"

/* Creates a job.  Sets *j as soon as the job is registered; *j stays set if a
 * later step fails (noe-abi 4.7).  call: the name of the call for messages. */
noe_status_t job_create(const char *call, struct graph *g,
    const job_config_t *config, enum emu_fault fault, struct emu_job **j);
/* The caller must hold j. */
noe_status_t job_infer(struct context *c, struct emu_job *j,
    int32_t timeout);
noe_status_t job_load(struct emu_job *j, uint32_t tensor, const void *data);
noe_status_t job_get(struct emu_job *j, uint32_t kind, uint32_t tensor,
    void *data);

#endif
