// SPDX-License-Identifier: Apache-2.0
#include <stdio.h>
#include <string.h>

#include "base/err.h"
#include "device/info.h"
#include "device/noe.h"

/* No device has more parts or clusters; further ones are not counted. */
#define PARTS_MAX 64

static void
ask_versions(const struct noe *noe, context_handler_t *ctx,
    struct device_info *info)
{
	noe_driver_version_t v;

	if (noe_ask_version(noe, ctx, &v) != NOE_STATUS_SUCCESS)
		return;
	snprintf(info->library_version, sizeof(info->library_version),
	    "%.16s", v.umd_version);
	snprintf(info->driver_version, sizeof(info->driver_version),
	    "%.16s", v.kmd_version);
}

static void
ask_target(const struct noe *noe, context_handler_t *ctx,
    struct device_info *info)
{
	char target[4096] = "";		/* the library writes without knowing
					   the size (noe-abi 4.12) */

	if (noe->get_target != NULL &&
	    noe->get_target(ctx, target) == NOE_STATUS_SUCCESS)
		snprintf(info->target, sizeof(info->target), "%.63s", target);
}

static void
count_cores(const struct noe *noe, context_handler_t *ctx, uint32_t part,
    struct device_info *info)
{
	uint32_t clusters = 0, cores;

	if (noe->get_cluster_count(ctx, part, &clusters) != NOE_STATUS_SUCCESS)
		return;
	for (uint32_t c = 0; c < clusters && c < PARTS_MAX; c++) {
		cores = 0;
		if (noe->get_core_count(ctx, part, c, &cores) ==
		    NOE_STATUS_SUCCESS)
			info->cores += cores;
	}
	info->clusters += clusters;
}

static void
ask_topology(const struct noe *noe, context_handler_t *ctx,
    struct device_info *info)
{
	uint32_t parts = 0;

	if (noe->get_partition_count == NULL ||
	    noe->get_cluster_count == NULL || noe->get_core_count == NULL ||
	    noe->get_partition_count(ctx, &parts) != NOE_STATUS_SUCCESS)
		return;
	info->partitions = parts;
	for (uint32_t p = 0; p < parts && p < PARTS_MAX; p++)
		count_cores(noe, ctx, p, info);
}

int
device_info_read(const struct npu_options *opt, struct device_info *info,
    struct npu_err *err)
{
	struct device_info i = { 0 };
	context_handler_t *ctx = NULL;
	struct noe noe;
	noe_status_t st;
	int rc;

	if ((rc = noe_open(&noe, opt, err)) < 0)
		return rc;
	st = noe_init(&noe, &ctx);
	if (st != NOE_STATUS_SUCCESS) {
		rc = noe_init_refused(err, &noe, st);
		npu_prefix(err, rc, "%s", noe.path);
		noe_close(&noe);
		return rc;
	}
	i.emulator = noe.emulator;
	snprintf(i.library, sizeof(i.library), "%s", noe.path);
	if (noe.emulator_version != NULL)
		snprintf(i.emulator_version, sizeof(i.emulator_version), "%s",
		    noe.emulator_version);
	ask_versions(&noe, ctx, &i);
	ask_target(&noe, ctx, &i);
	ask_topology(&noe, ctx, &i);
	noe.deinit_context(ctx);
	noe_close(&noe);
	*info = i;
	return 0;
}
