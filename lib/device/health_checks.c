// SPDX-License-Identifier: Apache-2.0
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "device/health_impl.h"

#define LOG "dmesg | grep -i -e aipu -e npu"

/* What a library's noe_set_freq() writes to, whatever the clock is called
 * (ecosystem.md 2, row 34). */
#define FIXED_CLOCK "14260000.aipu"

const char *
health_verdict_name(enum health_verdict v)
{
	static const char *const names[] = { "ok", "warn", "FAIL", "skip" };

	return names[v];
}

void
health_say(struct health_check *c, enum health_verdict v, const char *next,
    const char *fmt, ...)
{
	va_list ap;

	c->verdict = v;
	snprintf(c->next, sizeof(c->next), "%s", next);
	va_start(ap, fmt);
	vsnprintf(c->finding, sizeof(c->finding), fmt, ap);
	va_end(ap);
}

static bool
known(const struct health *h, enum health_id id)
{
	return h->fact[id].state == HEALTH_KNOWN;
}

static const char *
text(const struct health *h, enum health_id id)
{
	return h->fact[id].state == HEALTH_UNKNOWN ? "unknown" :
	    h->fact[id].text;
}

/* ---- The board --------------------------------------------------------- */

static void
check_device(const struct health *h, struct health_check *c)
{
	if (known(h, HEALTH_PLATFORM_DEVICE))
		health_say(c, HEALTH_OK, "", "%s, by %s",
		    text(h, HEALTH_PLATFORM_DEVICE),
		    text(h, HEALTH_DESCRIBED_BY));
	else
		health_say(c, HEALTH_FAIL, "update the firmware, if this is a "
		    "board with the CIX Sky1", "neither ACPI nor a device "
		    "tree tells of an NPU");
}

/* Early firmware lacks them, and the driver then crashes (row 7). */
static void
check_cores(const struct health *h, struct health_check *c)
{
	static const char next[] = "update the firmware, or add an SSDT with "
	    "the devices CIXH4010";
	uint64_t n = h->fact[HEALTH_CORE_DEVICES].number;

	if (!known(h, HEALTH_CORE_DEVICES))
		health_say(c, HEALTH_SKIP, "nothing: cores are devices of ACPI "
		    "only", "there is no NPU in ACPI");
	else
		health_say(c, n == 0 ? HEALTH_FAIL : n < 3 ? HEALTH_WARN :
		    HEALTH_OK, n < 3 ? next : "", "%llu of 3 cores are in "
		    "ACPI", (unsigned long long)n);
}

static void
check_module(const struct health *h, struct health_check *c)
{
	if (!known(h, HEALTH_MODULE))
		health_say(c, HEALTH_FAIL, "modprobe aipu; if there is none, "
		    "dkms status", "no module aipu or armchina_npu is loaded");
	else if (known(h, HEALTH_MODULE_STATE) &&
	    strcmp(text(h, HEALTH_MODULE_STATE), "live") != 0)
		health_say(c, HEALTH_FAIL, LOG, "%s is not live but %s: it "
		    "may have crashed", text(h, HEALTH_MODULE),
		    text(h, HEALTH_MODULE_STATE));
	else
		health_say(c, HEALTH_OK, "", "%s, version %s",
		    text(h, HEALTH_MODULE), text(h, HEALTH_MODULE_VERSION));
}

static void
check_bound(const struct health *h, struct health_check *c)
{
	if (!known(h, HEALTH_PLATFORM_DEVICE) || !known(h, HEALTH_MODULE))
		health_say(c, HEALTH_SKIP, "see the checks before this one",
		    "it needs a device and a module");
	else if (!known(h, HEALTH_BOUND_DRIVER))
		health_say(c, HEALTH_FAIL, LOG, "no driver has taken %s",
		    text(h, HEALTH_PLATFORM_DEVICE));
	else
		health_say(c, HEALTH_OK, "", "%s has taken %s",
		    text(h, HEALTH_BOUND_DRIVER),
		    text(h, HEALTH_PLATFORM_DEVICE));
}

/* ---- The driver -------------------------------------------------------- */

static void
check_node(const struct health *h, struct health_check *c)
{
	if (!known(h, HEALTH_NODE))
		health_say(c, HEALTH_FAIL, known(h, HEALTH_MODULE) ? LOG :
		    "modprobe aipu", "there is no device node");
	else if (h->fact[HEALTH_CAPABILITY_BYTES].state == HEALTH_HIDDEN)
		health_say(c, HEALTH_FAIL, "join the group, or add a udev rule "
		    "for the node", "only %s",
		    text(h, HEALTH_CAPABILITY_BYTES));
	else
		health_say(c, HEALTH_OK, "", "%s, mode %s",
		    text(h, HEALTH_NODE), text(h, HEALTH_NODE_MODE));
}

static void
check_driver(const struct health *h, struct health_check *c)
{
	if (!known(h, HEALTH_NODE) ||
	    h->fact[HEALTH_CAPABILITY_BYTES].state == HEALTH_HIDDEN)
		health_say(c, HEALTH_SKIP, "see the check node",
		    "it needs the node");
	else if (h->driver.code != 0)
		health_say(c, HEALTH_FAIL, LOG, "%.700s", h->driver.msg);
	else
		health_say(c, HEALTH_OK, "", "version %s, capability of %s "
		    "bytes, %s cores", text(h, HEALTH_DRIVER_VERSION),
		    text(h, HEALTH_CAPABILITY_BYTES), text(h, HEALTH_CORES));
}

static void
check_status(const struct health *h, struct health_check *c)
{
	if (!known(h, HEALTH_STATUS))
		health_say(c, HEALTH_SKIP, "see the check driver",
		    "the driver does not tell");
	else if (strcmp(text(h, HEALTH_STATUS), "exception") == 0)
		health_say(c, HEALTH_WARN, LOG, "the NPU had an exception");
	else
		health_say(c, HEALTH_OK, "", "%s", text(h, HEALTH_STATUS));
}

/* ---- The library ------------------------------------------------------- */

static void
check_library(const struct health *h, struct health_check *c)
{
	if (known(h, HEALTH_LIBRARY))
		health_say(c, HEALTH_OK, "", "%s", text(h, HEALTH_LIBRARY));
	else
		health_say(c, HEALTH_FAIL, "install cix-noe-umd, or name "
		    "libnoe.so with -L", "no libnoe.so was found");
}

static void
check_backend(const struct health *h, struct health_check *c)
{
	if (!known(h, HEALTH_LIBRARY_GENERATION))
		health_say(c, HEALTH_SKIP, "name the library with its version, "
		    "as libnoe.so.3.1.0, by -L", "the library's generation is "
		    "not known");
	else if (h->fact[HEALTH_LIBRARY_GENERATION].number < 3)
		health_say(c, HEALTH_SKIP, "nothing: libraries from 3.x on "
		    "need one", "this library is all of it");
	else if (!known(h, HEALTH_LIBRARY_BACKEND))
		health_say(c, HEALTH_FAIL, "install cix-npu-umd, or name the "
		    "file by AIPU_LIB_PATH", "libaipudrv.so is not there");
	else
		health_say(c, HEALTH_OK, "", "%s",
		    text(h, HEALTH_LIBRARY_BACKEND));
}

static void
check_pair(const struct health *h, struct health_check *c)
{
	if (known(h, HEALTH_PAIR))
		health_say(c, strcmp(text(h, HEALTH_PAIR), "fits") == 0 ?
		    HEALTH_OK : HEALTH_FAIL, strcmp(text(h, HEALTH_PAIR),
		    "fits") == 0 ? "" : "install what goes together",
		    "%s", text(h, HEALTH_PAIR_REASON));
	else if (known(h, HEALTH_CAPABILITY_BYTES) &&
	    known(h, HEALTH_LIBRARY_GENERATION))
		health_say(c, HEALTH_WARN, "npu-run a model whose answer is "
		    "known", "nobody has told of library %s.x with driver %s",
		    text(h, HEALTH_LIBRARY_GENERATION),
		    text(h, HEALTH_DRIVER_VERSION));
	else
		health_say(c, HEALTH_SKIP, "see the checks driver and library",
		    "it needs a driver that answers and a library whose "
		    "generation is known");
}

/* ---- The system -------------------------------------------------------- */

/* With 64 KiB the library cannot be loaded (row 31); of what lies between
 * nobody has told. */
static void
check_pages(const struct health *h, struct health_check *c)
{
	if (!known(h, HEALTH_PAGE_BYTES))
		health_say(c, HEALTH_SKIP, "run it on the machine itself",
		    "no file tells the size of pages");
	else if (h->fact[HEALTH_PAGE_BYTES].number > 4096)
		health_say(c, h->fact[HEALTH_PAGE_BYTES].number >= 65536 ?
		    HEALTH_FAIL : HEALTH_WARN, "boot a kernel with pages of "
		    "4096 bytes", "pages of %llu bytes, for which the vendor's "
		    "library may not be made", (unsigned long long)
		    h->fact[HEALTH_PAGE_BYTES].number);
	else
		health_say(c, HEALTH_OK, "", "%s bytes",
		    text(h, HEALTH_PAGE_BYTES));
}

static void
check_clock(const struct health *h, struct health_check *c)
{
	if (!known(h, HEALTH_PLATFORM_DEVICE))
		health_say(c, HEALTH_SKIP, "see the check device",
		    "it needs the device");
	else if (!known(h, HEALTH_DEVFREQ))
		health_say(c, HEALTH_WARN, "ls /sys/class/devfreq",
		    "the device has no clock that devfreq knows");
	else if (strcmp(text(h, HEALTH_DEVFREQ), FIXED_CLOCK) != 0)
		health_say(c, HEALTH_WARN, "set it in /sys/class/devfreq, not "
		    "by noe_set_freq", "%s MHz; the library sets " FIXED_CLOCK
		    ", but here it is %s", text(h, HEALTH_MHZ),
		    text(h, HEALTH_DEVFREQ));
	else
		health_say(c, HEALTH_OK, "", "%s MHz of %s",
		    text(h, HEALTH_MHZ), text(h, HEALTH_MHZ_AVAILABLE));
}

static void
check_power(const struct health *h, struct health_check *c)
{
	if (!known(h, HEALTH_POWER_STATUS))
		health_say(c, HEALTH_SKIP, "see the check device",
		    "the kernel does not tell");
	else if (strcmp(text(h, HEALTH_POWER_STATUS), "error") == 0)
		health_say(c, HEALTH_FAIL, LOG,
		    "runtime power management failed");
	else
		health_say(c, HEALTH_OK, "", "%s, control %s",
		    text(h, HEALTH_POWER_STATUS),
		    text(h, HEALTH_POWER_CONTROL));
}

static const struct {
	const char *name;
	void (*check)(const struct health *h, struct health_check *c);
} table[] = {
	{ "device", check_device }, { "cores", check_cores },
	{ "module", check_module }, { "bound", check_bound },
	{ "node", check_node }, { "driver", check_driver },
	{ "status", check_status }, { "pages", check_pages },
	{ "clock", check_clock }, { "power", check_power },
	{ "library", check_library }, { "backend", check_backend },
	{ "pair", check_pair },
};

size_t
health_examine(const struct health *h,
    struct health_check checks[HEALTH_CHECKS])
{
	size_t n = sizeof(table) / sizeof(*table);

	for (size_t i = 0; i < n; i++) {
		checks[i] = (struct health_check){ .name = table[i].name };
		table[i].check(h, &checks[i]);
	}
	return n;
}
