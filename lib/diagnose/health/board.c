// SPDX-License-Identifier: Apache-2.0
/* Checks what the firmware describes to the kernel. */
#include <stdio.h>
#include <string.h>

#include "diagnose/health/impl.h"

static void
check_device(const struct health *h, struct health_check *c)
{
	if (health_known(h, HEALTH_PLATFORM_DEVICE))
		health_judge(c, HEALTH_OK, "", "%s, by %s",
		    health_value(h, HEALTH_PLATFORM_DEVICE),
		    health_value(h, HEALTH_DESCRIBED_BY));
	else
		health_judge(c, HEALTH_FAIL, HEALTH_NEXT_FIRMWARE, "no NPU is "
		    "described in ACPI or the device tree");
}

/* Early firmware does not describe the cores, and then the driver crashes
 * (kernel-driver 8.2). */
static void
check_cores(const struct health *h, struct health_check *c)
{
	uint64_t n = h->fact[HEALTH_CORE_DEVICES].number;

	if (!health_known(h, HEALTH_CORE_DEVICES))
		health_judge(c, HEALTH_SKIP, "", "ACPI, which alone "
		    "lists its cores, has no NPU");
	else
		health_judge(c, n == 0 ? HEALTH_FAIL : n < 3 ? HEALTH_WARN :
		    HEALTH_OK, n < 3 ? HEALTH_NEXT_CORES : "", "%llu of 3 "
		    "cores (CIXH4010) are in ACPI", (unsigned long long)n);
}

/*
 * The bus behind the NPU has 32 bits.  The driver asks the IOMMU for windows
 * within these 32 bits (kernel-driver 8.5), but does not check whether the
 * IOMMU translates addresses (kernel-driver 3).
 */
static void
check_iommu(const struct health *h, struct health_check *c)
{
	const char *type = health_value(h, HEALTH_IOMMU_TYPE);
	char next[HEALTH_TEXT] = HEALTH_NEXT_MENU "switch the SMMU on, or "
	    "update the firmware";

	if (health_known(h, HEALTH_IOMMU_OPTIONS))
		snprintf(next, sizeof(next), "cat /proc/cmdline  # start the "
		    "kernel without %.180s",
		    health_value(h, HEALTH_IOMMU_OPTIONS));
	if (!health_known(h, HEALTH_PLATFORM_DEVICE))
		health_judge(c, HEALTH_SKIP, "", "it needs the device");
	else if (!health_known(h, HEALTH_IOMMU_GROUP))
		health_judge(c, HEALTH_WARN, next, "no IOMMU is in front of "
		    "the NPU: models need memory in one piece, below 4 GiB");
	else if (strncmp(type, "DMA", 3) == 0)
		health_judge(c, HEALTH_OK, "", "translating (%s), group %s",
		    type, health_value(h, HEALTH_IOMMU_GROUP));
	else if (strcmp(type, "identity") == 0)
		health_judge(c, HEALTH_WARN, next, "the IOMMU passes addresses "
		    "through (identity), which drivers up to 5.11.0 do not "
		    "expect");
	else
		health_judge(c, HEALTH_WARN, "cat /sys/kernel/iommu_groups/"
		    "*/type", "group %s, of type %s", health_value(h,
		    HEALTH_IOMMU_GROUP), type);
}

const struct health_checker health_board[HEALTH_BOARD_CHECKS] = {
	{ "device", check_device }, { "cores", check_cores },
	{ "iommu", check_iommu }, { "smmu", health_check_smmu },
};
