// SPDX-License-Identifier: Apache-2.0
/* Checks of memory, page size, clock and power. */
#include <stdio.h>
#include <string.h>

#include "diagnose/health/impl.h"

/* The clock that a library's noe_set_freq() sets, even if the real clock has
 * another name (noe-abi 4.14). */
#define FIXED_CLOCK "14260000.aipu"

/* With pages of 64 KiB the library cannot be loaded (kernel-driver 8.8).  We
 * have no reports about sizes between 4 and 64 KiB. */
static void
check_pages(const struct health *h, struct health_check *c)
{
	if (!health_known(h, HEALTH_PAGE_BYTES))
		health_judge(c, HEALTH_SKIP, "",
		    "the size of pages is unknown");
	else if (h->fact[HEALTH_PAGE_BYTES].number > 4096)
		health_judge(c, h->fact[HEALTH_PAGE_BYTES].number >= 65536 ?
		    HEALTH_FAIL : HEALTH_WARN, "getconf PAGESIZE  # start "
		    "a kernel with pages of 4096 bytes", "pages of %llu bytes, "
		    "for which the vendor's library may not be made",
		    (unsigned long long)h->fact[HEALTH_PAGE_BYTES].number);
	else
		health_judge(c, HEALTH_OK, "", "%s bytes",
		    health_value(h, HEALTH_PAGE_BYTES));
}

/* Three models together took 113 MB (the public guide to the driver, NPU vs
 * CPU), and buffers are ordinary memory. */
enum { FREE_MIB = 256 };

static void
check_memory(const struct health *h, struct health_check *c)
{
	uint64_t mib = h->fact[HEALTH_MEMORY_FREE_MIB].number;

	if (!health_known(h, HEALTH_MEMORY_FREE_MIB))
		health_judge(c, HEALTH_SKIP, "cat /proc/meminfo",
		    "the amount of free memory is unknown");
	else if (mib < FREE_MIB)
		health_judge(c, HEALTH_WARN, "free -m  # end what is not "
		    "needed", "%llu MiB are left, which models may fill",
		    (unsigned long long)mib);
	else
		health_judge(c, HEALTH_OK, "", "%llu MiB are left",
		    (unsigned long long)mib);
}

static void
check_clock(const struct health *h, struct health_check *c)
{
	if (!health_known(h, HEALTH_PLATFORM_DEVICE))
		health_judge(c, HEALTH_SKIP, "", "it needs the device");
	else if (!health_known(h, HEALTH_DEVFREQ))
		health_judge(c, HEALTH_WARN, "ls /sys/class/devfreq",
		    "the device has no clock that devfreq knows");
	else if (strcmp(health_value(h, HEALTH_DEVFREQ), FIXED_CLOCK) != 0)
		health_judge(c, HEALTH_WARN, "ls /sys/class/devfreq  # set "
		    "the clock there, not by noe_set_freq", "%s MHz; the "
		    "library sets " FIXED_CLOCK ", but here it is %s",
		    health_value(h, HEALTH_MHZ),
		    health_value(h, HEALTH_DEVFREQ));
	else
		health_judge(c, HEALTH_OK, "", "%s MHz of %s, governor %s",
		    health_value(h, HEALTH_MHZ),
		    health_value(h, HEALTH_MHZ_AVAILABLE),
		    health_value(h, HEALTH_GOVERNOR));
}

/* After a pause the first inference waits until the NPU has power: 50 ms in one
 * report (kernel-driver 8.9). */
static void
check_power(const struct health *h, struct health_check *c)
{
	const char *control = health_value(h, HEALTH_POWER_CONTROL);
	bool sleeps = strcmp(control, "auto") == 0;

	if (!health_known(h, HEALTH_POWER_STATUS))
		health_judge(c, HEALTH_SKIP, "",
		    "unknown: the kernel did not say");
	else if (strcmp(health_value(h, HEALTH_POWER_STATUS), "error") == 0)
		health_judge(c, HEALTH_FAIL, HEALTH_LOG,
		    "runtime power management failed");
	else
		health_judge(c, HEALTH_OK, "", "%s, control %s%s",
		    health_value(h, HEALTH_POWER_STATUS), control,
		    sleeps ? ": the first inference after a pause is late "
		    "(npu-bench -w warms up)" : "");
}

const struct health_checker health_system[HEALTH_SYSTEM_CHECKS] = {
	{ "memory", check_memory }, { "pages", check_pages },
	{ "clock", check_clock }, { "power", check_power },
};
