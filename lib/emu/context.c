// SPDX-License-Identifier: Apache-2.0
/* Contexts and topology (noe-abi 4.1, 4.2, 4.12 and 4.15), and the beginning of
 * all calls. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "emu/api.h"
#include "emu/device.h"
#include "emu/message.h"

enum emu_fault
emu_begin_call(enum emu_call call)
{
	enum emu_fault fault = emu_call_fault(call, NULL);

	if (fault == EMU_NODEVICE) {
		emu_acquire();
		device_lose();
		emu_release(NOE_STATUS_SUCCESS);
	}
	return fault;
}

noe_status_t
emu_with_context(const context_handler_t *ctx, struct context **c)
{
	noe_status_t st;

	emu_acquire();
	if ((st = find_context(ctx, c)) != NOE_STATUS_SUCCESS)
		return emu_release(st);
	return NOE_STATUS_SUCCESS;
}

noe_status_t
emu_with_graph(const context_handler_t *ctx, uint64_t id, struct graph **g)
{
	struct context *c;
	noe_status_t st;

	if (ctx != NULL && !emu_may_be_graph(id))
		return NOE_STATUS_ERROR_INVALID_GRAPH_ID;
	if ((st = emu_with_context(ctx, &c)) != NOE_STATUS_SUCCESS)
		return st;
	if ((st = find_graph(c, id, g)) != NOE_STATUS_SUCCESS)
		return emu_release(st);
	return NOE_STATUS_SUCCESS;
}

noe_status_t
emu_with_job(const context_handler_t *ctx, uint64_t id, struct context **c,
    struct emu_job **j)
{
	noe_status_t st;

	if (ctx != NULL && !emu_may_be_job(id))
		return NOE_STATUS_ERROR_INVALID_JOB_ID;
	if ((st = emu_with_context(ctx, c)) != NOE_STATUS_SUCCESS)
		return st;
	if ((st = find_job(*c, id, j)) != NOE_STATUS_SUCCESS)
		return emu_release(st);
	return NOE_STATUS_SUCCESS;
}

/* ---- Contexts --------------------------------------------------------- */

/* Returns 0 if the device can be opened. */
static noe_status_t
open_device(void)
{
	enum emu_fault fault;
	bool lost;

	if (!emu_read_settings())
		return NOE_STATUS_ERROR_INVALID_CONFIG;
	/* The fault applies to this attempt only; the device is not lost for
	 * good. */
	fault = emu_call_fault(EMU_INIT, NULL);
	emu_acquire();
	lost = fault == EMU_NODEVICE || device_lost();
	emu_release(NOE_STATUS_SUCCESS);
	if (lost) {
		emu_noise_error("the device cannot be opened");
		return NOE_STATUS_ERROR_OPEN_DEV_FAIL;
	}
	if (fault == EMU_ABNORMAL || emu_settings.partitions == 0)
		return NOE_STATUS_ERROR_DEV_ABNORMAL;
	return NOE_STATUS_SUCCESS;
}

EMU_API noe_status_t
noe_init_context(context_handler_t **ctx)
{
	struct context *c = NULL;
	noe_status_t st;

	if (ctx == NULL)
		return NOE_STATUS_ERROR_NULL_PTR;
	*ctx = NULL;
	if ((st = open_device()) != NOE_STATUS_SUCCESS)
		return st;
	/* *ctx is allocated separately from *c: the program may read it, and
	 * deinit frees it while a waiting thread may still hold c. */
	if ((*ctx = malloc(sizeof(**ctx))) == NULL)
		return NOE_STATUS_ERROR_BUF_ALLOC_FAIL;
	emu_acquire();
	device_await_close();
	if ((c = add_context()) != NULL)
		(*ctx)->handle = c->handle;
	emu_release(NOE_STATUS_SUCCESS);
	if (c == NULL) {
		free(*ctx);
		*ctx = NULL;
		return NOE_STATUS_ERROR_BUF_ALLOC_FAIL;
	}
	return NOE_STATUS_SUCCESS;
}

/* Returns whether c has a graph without a known magic.  Closing a context with
 * such a graph crashes the library. */
static bool
has_poisoned_graph(const struct context *c)
{
	const struct graph *g = c->graphs;

	while (g != NULL && !g->poison)
		g = g->next;
	return g != NULL;
}

EMU_API noe_status_t
noe_deinit_context(const context_handler_t *ctx)
{
	struct context *c;
	noe_status_t st;

	emu_begin_call(EMU_DEINIT);
	if ((st = emu_with_context(ctx, &c)) != NOE_STATUS_SUCCESS)
		return st;
	if (has_poisoned_graph(c))
		emu_crash("deinit_context",	/* noe-abi 1.2 */
		    "a graph without a known magic was loaded before");
	remove_context(c);
	if (no_contexts())
		device_close();
	free((void *)(uintptr_t)ctx);
	return emu_release(NOE_STATUS_SUCCESS);
}

EMU_API noe_status_t
noe_config_global(const context_handler_t *ctx, uint64_t types, void *config)
{
	const uint64_t configs = NOE_CONFIG_TYPE_HW |
	    NOE_CONFIG_TYPE_SIMULATION;
	const uint64_t known = configs |
	    NOE_GLOBAL_CONFIG_TYPE_DISABLE_VER_CHECK |
	    NOE_GLOBAL_CONFIG_TYPE_ENABLE_VER_CHECK;
	const noe_global_config_hw_t *hw = config;
	struct context *c;
	noe_status_t st;

	if ((st = emu_with_context(ctx, &c)) != NOE_STATUS_SUCCESS)
		return st;
	if ((types & configs) != 0 && config == NULL)
		return emu_release(NOE_STATUS_ERROR_NULL_PTR);
	if ((types & NOE_CONFIG_TYPE_HW) != 0)
		c->own_thread = hw->poll_in_commit_thread;
	/* A configuration cannot have both types. */
	if ((types & ~known) != 0 || (types & configs) == configs)
		return emu_release(NOE_STATUS_ERROR_INVALID_CONFIG);
	return emu_release(NOE_STATUS_SUCCESS);
}

/* ---- Topology --------------------------------------------------------- */

EMU_API noe_status_t
noe_get_partition_count(const context_handler_t *ctx, uint32_t *count)
{
	struct context *c;
	noe_status_t st;

	if ((st = emu_with_context(ctx, &c)) != NOE_STATUS_SUCCESS)
		return st;
	if (count == NULL)
		return emu_release(NOE_STATUS_ERROR_NULL_PTR);
	*count = emu_settings.partitions;
	return emu_release(NOE_STATUS_SUCCESS);
}

EMU_API noe_status_t
noe_get_cluster_count(const context_handler_t *ctx, uint32_t partition,
    uint32_t *count)
{
	struct context *c;
	noe_status_t st;

	if ((st = emu_with_context(ctx, &c)) != NOE_STATUS_SUCCESS)
		return st;
	if (count == NULL)
		return emu_release(NOE_STATUS_ERROR_NULL_PTR);
	if (partition >= emu_settings.partitions)
		return emu_release(NOE_STATUS_ERROR_INVALID_OP);
	*count = emu_settings.clusters;
	return emu_release(NOE_STATUS_SUCCESS);
}

/* The first cluster number that does not exist gets another error than higher
 * numbers, and *count is 0 after an error (noe-abi 4.12). */
EMU_API noe_status_t
noe_get_core_count(const context_handler_t *ctx, uint32_t partition,
    uint32_t cluster, uint32_t *count)
{
	struct context *c;
	noe_status_t st;

	if ((st = emu_with_context(ctx, &c)) != NOE_STATUS_SUCCESS)
		return st;
	if (count == NULL)
		return emu_release(NOE_STATUS_ERROR_NULL_PTR);
	*count = 0;
	if (partition > emu_settings.partitions)
		return emu_release(NOE_STATUS_ERROR_INVALID_PARTITION_ID);
	if (partition == emu_settings.partitions)
		emu_crash("get_core_count",	/* noe-abi 4.12 */
		    "partition %u of %u", partition, emu_settings.partitions);
	if (cluster > emu_settings.clusters)
		return emu_release(NOE_STATUS_ERROR_INVALID_CLUSTER_ID);
	if (cluster == emu_settings.clusters)
		return emu_release(NOE_STATUS_ERROR_INVALID_OP);
	*count = emu_settings.cores;
	return emu_release(NOE_STATUS_SUCCESS);
}

/* Stores the target's name without a NUL, as 2.0.2 does (noe-abi 4.12). */
static void
put_target(char *target)
{
	char name[32] = "X2_1204";

	if (emu_settings.cores > 1)
		snprintf(name, sizeof(name), "X2_1204MP%u",
		    emu_settings.cores);
	memcpy(target, name, strlen(name));
}

EMU_API noe_status_t
noe_get_target(const context_handler_t *ctx, char *target)
{
	struct context *c;
	noe_status_t st;

	if ((st = emu_with_context(ctx, &c)) != NOE_STATUS_SUCCESS)
		return st;
	if (target == NULL)
		emu_crash("get_target",		/* noe-abi 4.12 */
		    "target is NULL");
	put_target(target);
	return emu_release(NOE_STATUS_SUCCESS);
}

EMU_API const char *
noe_emu_version(void)
{
	return NPU_VERSION;
}
