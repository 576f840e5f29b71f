// SPDX-License-Identifier: Apache-2.0
/*
 * The debugger calls and aipu_printf().  2.0.2 exports all of them, but its
 * header declares only the first two.  The statuses were measured on the
 * library.  The results have no meaning without a device.
 */
#include <stdlib.h>
#include <string.h>

#include "emu/api.h"
#include "emu/job.h"

/* A block from aipu_debugger_malloc() that is not freed yet. */
struct block {
	struct block *next;
	_Alignas(16) char data[];
};

static struct block *blocks;

/* Does the same as emu_with_job(), but reports an unknown context first. */
static noe_status_t
with_job(const context_handler_t *ctx, uint64_t id, struct context **c,
    struct emu_job **j)
{
	noe_status_t st;

	if ((st = emu_with_context(ctx, c)) != NOE_STATUS_SUCCESS)
		return st;
	if ((st = find_job(*c, id, j)) != NOE_STATUS_SUCCESS)
		return emu_release(st);
	return NOE_STATUS_SUCCESS;
}

EMU_API noe_status_t
noe_debugger_bind_job(const context_handler_t *ctx, uint32_t id, uint64_t job)
{
	struct context *c;
	struct emu_job *j;
	noe_status_t st;

	if ((st = with_job(ctx, job, &c, &j)) != NOE_STATUS_SUCCESS)
		return st;
	if (j->state == JOB_NONE || j->state == JOB_SCHEDULED ||
	    j->state == JOB_EXCEPTION)
		return emu_release(NOE_STATUS_ERROR_INVALID_OP);
	if (id >= emu_settings.partitions)
		return emu_release(NOE_STATUS_ERROR_INVALID_PARTITION_ID);
	j->state = JOB_BOUND;
	return emu_release(NOE_STATUS_SUCCESS);
}

EMU_API noe_status_t
noe_debugger_run_job(const context_handler_t *ctx, uint64_t job)
{
	struct context *c;
	struct emu_job *j;
	noe_status_t st;

	if ((st = with_job(ctx, job, &c, &j)) != NOE_STATUS_SUCCESS)
		return st;
	if (j->state != JOB_BOUND)
		return emu_release(NOE_STATUS_ERROR_INVALID_OP);
	j->state = JOB_IDLE;
	hold_job(j);
	st = job_infer(c, j, -1);
	release_job(j);
	return emu_release(st);
}

/* Stores the base address of the core's registers. */
noe_status_t
aipu_debugger_get_core_info(const context_handler_t *ctx, uint32_t id,
    uint64_t *base)
{
	struct context *c;
	noe_status_t st;

	if ((st = emu_with_context(ctx, &c)) != NOE_STATUS_SUCCESS)
		return st;
	if (base == NULL)
		return emu_release(NOE_STATUS_ERROR_NULL_PTR);
	if (id >= emu_settings.partitions)
		return emu_release(NOE_STATUS_ERROR_INVALID_OP);
	*base = 0;
	return emu_release(NOE_STATUS_SUCCESS);
}

noe_status_t
aipu_debugger_get_job_info(const context_handler_t *ctx, uint64_t job,
    void *info[3])
{
	struct context *c;
	struct emu_job *j;
	noe_status_t st;

	if ((st = with_job(ctx, job, &c, &j)) != NOE_STATUS_SUCCESS)
		return st;
	if (info == NULL)
		return emu_release(NOE_STATUS_ERROR_NULL_PTR);
	memset(info, 0, 3 * sizeof(*info));
	return emu_release(NOE_STATUS_SUCCESS);
}

noe_status_t
aipu_debugger_malloc(const context_handler_t *ctx, uint32_t size, void **va)
{
	struct context *c;
	struct block *b;
	noe_status_t st;

	if ((st = emu_with_context(ctx, &c)) != NOE_STATUS_SUCCESS)
		return st;
	if (va == NULL)
		return emu_release(NOE_STATUS_ERROR_NULL_PTR);
	if (size == 0)
		return emu_release(NOE_STATUS_ERROR_INVALID_SIZE);
	if ((b = calloc(1, sizeof(*b) + size)) == NULL)
		return emu_release(NOE_STATUS_ERROR_BUF_ALLOC_FAIL);
	b->next = blocks;
	blocks = b;
	*va = b->data;
	return emu_release(NOE_STATUS_SUCCESS);
}

noe_status_t
aipu_debugger_free(const context_handler_t *ctx, void *va)
{
	struct block **at = &blocks, *b;
	struct context *c;
	noe_status_t st;

	if ((st = emu_with_context(ctx, &c)) != NOE_STATUS_SUCCESS)
		return st;
	if (va == NULL)
		return emu_release(NOE_STATUS_ERROR_NULL_PTR);
	while (*at != NULL && (*at)->data != (char *)va)
		at = &(*at)->next;
	if ((b = *at) == NULL)
		return emu_release(NOE_STATUS_ERROR_BUF_FREE_FAIL);
	*at = b->next;
	free(b);
	return emu_release(NOE_STATUS_SUCCESS);
}

/* Prints the text in a job's printf buffer, which is always empty here. */
noe_status_t
aipu_printf(char *buffer, char *file)
{
	(void)file;
	return buffer == NULL ? NOE_STATUS_ERROR_NULL_PTR : NOE_STATUS_SUCCESS;
}
