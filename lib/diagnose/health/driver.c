// SPDX-License-Identifier: Apache-2.0
/* Checks of the module, the driver, the node and the kernel's log. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "diagnose/health/impl.h"

/* ---- The module's name --------------------------------------------------- */

/* Returns the name of the loaded module, or else of its file, or else
 * "aipu". */
static const char *
module_name(const struct health *h)
{
	const char *file = health_value(h, HEALTH_MODULE_FILE);

	if (health_known(h, HEALTH_MODULE))
		return health_value(h, HEALTH_MODULE);
	if (strstr(file, "/armchina_npu_r2p0.") != NULL)
		return "armchina_npu_r2p0";
	return strstr(file, "/armchina") != NULL ? "armchina_npu" : "aipu";
}

/* Copies a command to next; replaces each '@' or '%' with the module's name. */
static void
fill_in_module(const char *module, const char *pattern,
    char next[HEALTH_TEXT])
{
	size_t at = 0;

	next[0] = '\0';
	for (; *pattern != '\0' && at < HEALTH_TEXT; pattern++) {
		bool mark = *pattern == '@' || *pattern == '%';

		at += (size_t)snprintf(next + at, HEALTH_TEXT - at, "%.*s",
		    mark ? 64 : 1, mark ? module : pattern);
	}
}

/* ---- The module -------------------------------------------------------- */

/* Writes the commands that build a module for this kernel (kernel-driver
 * 8.4). */
static void
suggest_build(const struct health *h, char next[HEALTH_TEXT])
{
	const char *kernel = health_value(h, HEALTH_KERNEL);

	if (health_known(h, HEALTH_KERNEL_HEADERS))
		snprintf(next, HEALTH_TEXT, "dkms status; sudo dkms "
		    "autoinstall -k %.64s", kernel);
	else
		snprintf(next, HEALTH_TEXT, "sudo apt install "
		    "linux-headers-%.64s && sudo dkms autoinstall -k %.64s",
		    kernel, kernel);
}

/* Judges a kernel whose module folders do not contain the module. */
static void
judge_missing_file(const struct health *h, struct health_check *c)
{
	bool others = health_known(h, HEALTH_MODULE_OTHERS);
	char next[HEALTH_TEXT];

	suggest_build(h, next);
	if (!health_known(h, HEALTH_KERNEL))
		health_judge(c, HEALTH_SKIP, "uname -r",
		    "which kernel runs is not known");
	else
		health_judge(c, health_known(h, HEALTH_MODULE) ? HEALTH_WARN :
		    HEALTH_FAIL, next, "/lib/modules/%s has neither aipu.ko "
		    "nor armchina_npu.ko%s%s", health_value(h, HEALTH_KERNEL),
		    others ? ", but there is one for " : "",
		    others ? health_value(h, HEALTH_MODULE_OTHERS) : "");
}

/* Judges a file that is compressed with xz or zstd.  These formats have tools
 * for unpacking, and npu-kmd also needs the unpacked file. */
static void
judge_packed(const struct health *h, struct health_check *c)
{
	const char *packing = health_value(h, HEALTH_MODULE_PACKED);
	const char *file = health_value(h, HEALTH_MODULE_FILE);
	char next[HEALTH_TEXT];

	snprintf(next, sizeof(next), "%.8s -dc %.180s >aipu.ko; npu-kmd "
	    "verify aipu.ko", packing, file);
	health_judge(c, HEALTH_SKIP, next, "%s is compressed with %s", file,
	    packing);
}

static void
check_kernel(const struct health *h, struct health_check *c)
{
	const char *file = health_value(h, HEALTH_MODULE_FILE);
	char verify[HEALTH_TEXT], build[HEALTH_TEXT];

	snprintf(verify, sizeof(verify), "npu-kmd verify %.200s", file);
	suggest_build(h, build);
	if (!health_known(h, HEALTH_MODULE_FILE))
		judge_missing_file(h, c);
	else if (health_known(h, HEALTH_MODULE_FAULT))
		health_judge(c, HEALTH_FAIL, verify, "%s: %s", file,
		    health_value(h, HEALTH_MODULE_FAULT));
	else if (health_known(h, HEALTH_MODULE_FOR) && strcmp(health_value(h,
	    HEALTH_MODULE_FOR), health_value(h, HEALTH_KERNEL)) != 0)
		health_judge(c, HEALTH_FAIL, build, "%s is for kernel %s, but "
		    "this is %s", file, health_value(h, HEALTH_MODULE_FOR),
		    health_value(h, HEALTH_KERNEL));
	else if (health_known(h, HEALTH_MODULE_PACKED) &&
	    !health_known(h, HEALTH_MODULE_FOR))
		judge_packed(h, c);
	else if (*file == '/' && !health_known(h, HEALTH_MODULE_FOR))
		health_judge(c, HEALTH_SKIP, verify, "%s could not be read: %s",
		    file, health_value(h, HEALTH_MODULE_FOR));
	else
		health_judge(c, HEALTH_OK, "", "%s: %s",
		    health_value(h, HEALTH_KERNEL), file);
}

/* Judges a module that is loaded but does nothing (kernel-driver 8.10). */
static void
judge_idle_module(const struct health *h, struct health_check *c)
{
	char next[HEALTH_TEXT];

	fill_in_module(module_name(h), HEALTH_NEXT_VERIFY, next);
	if (health_known(h, HEALTH_MODULE_FILE))
		snprintf(next, sizeof(next), "npu-kmd verify %.200s",
		    health_value(h, HEALTH_MODULE_FILE));
	health_judge(c, HEALTH_FAIL, next, "%s is loaded but registered no "
	    "driver: it was built without -DMODULE, or its start failed",
	    health_value(h, HEALTH_MODULE));
}

static void
check_module(const struct health *h, struct health_check *c)
{
	const char *module = health_value(h, HEALTH_MODULE);
	char next[HEALTH_TEXT];

	fill_in_module(module_name(h), "sudo modprobe @  # if it is not found, "
	    "see the check kernel", next);
	/* A built-in module may have no folder in /sys/module. */
	if (!health_known(h, HEALTH_MODULE) &&
	    strcmp(health_value(h, HEALTH_MODULE_FILE), "built in") == 0)
		health_judge(c, HEALTH_OK, "", "built into the kernel");
	else if (!health_known(h, HEALTH_MODULE))
		health_judge(c, HEALTH_FAIL, next,
		    "no module aipu or armchina_npu is loaded");
	else if (health_known(h, HEALTH_MODULE_STATE) &&
	    strcmp(health_value(h, HEALTH_MODULE_STATE), "live") != 0)
		health_judge(c, HEALTH_FAIL, HEALTH_LOG, "%s is not live but "
		    "%s: it may have crashed", module,
		    health_value(h, HEALTH_MODULE_STATE));
	else if (!health_known(h, HEALTH_MODULE_DRIVERS) &&
	    !health_known(h, HEALTH_BOUND_DRIVER))
		judge_idle_module(h, c);
	else
		health_judge(c, HEALTH_OK, "", "%s, version %s", module,
		    health_value(h, HEALTH_MODULE_VERSION));
}

/* ---- The driver -------------------------------------------------------- */

static void
check_bound(const struct health *h, struct health_check *c)
{
	if (!health_known(h, HEALTH_PLATFORM_DEVICE) ||
	    !health_known(h, HEALTH_MODULE))
		health_judge(c, HEALTH_SKIP, "",
		    "it needs a device and a module");
	else if (!health_known(h, HEALTH_BOUND_DRIVER))
		health_judge(c, HEALTH_FAIL, HEALTH_LOG, "no driver has taken "
		    "%s", health_value(h, HEALTH_PLATFORM_DEVICE));
	else
		health_judge(c, HEALTH_OK, "", "%s has taken %s",
		    health_value(h, HEALTH_BOUND_DRIVER),
		    health_value(h, HEALTH_PLATFORM_DEVICE));
}

/*
 * Suggests joining the node's group, whose users may open the node.  If the
 * node's group is root, suggests giving the node to the group npu, as npu-kmd's
 * udev rule does (kernel-driver 8.3).
 */
static void
judge_closed_node(const struct health *h, struct health_check *c)
{
	const char *who = health_value(h, HEALTH_CAPABILITY_BYTES);
	const char *node = health_value(h, HEALTH_NODE);
	char next[HEALTH_TEXT], group[64];

	snprintf(next, sizeof(next), "sudo groupadd -rf npu && sudo chgrp npu "
	    "%.50s && sudo chmod g+rw %.50s && sudo usermod -aG npu "
	    "\"$USER\"  # log in again; for good: npu-kmd(8)", node, node);
	if (sscanf(who, "group %63s may", group) == 1)
		snprintf(next, sizeof(next), "sudo usermod -aG %s "
		    "\"$USER\"  # and log in again", group);
	health_judge(c, HEALTH_FAIL, next, "only %s", who);
}

/* A node without write permission is an error: the library maps the node's
 * memory for writing (noe-abi 9). */
static bool
read_only(const struct health *h)
{
	return health_known(h, HEALTH_NODE_MODE) &&
	    (strtoul(health_value(h, HEALTH_NODE_MODE), NULL, 8) & 0222) == 0;
}

static void
check_node(const struct health *h, struct health_check *c)
{
	char next[HEALTH_TEXT];

	fill_in_module(module_name(h), "sudo modprobe @", next);
	if (!health_known(h, HEALTH_NODE))
		health_judge(c, HEALTH_FAIL, health_known(h, HEALTH_MODULE) ?
		    HEALTH_LOG : next,
		    "the device node is missing");
	else if (h->fact[HEALTH_CAPABILITY_BYTES].state == HEALTH_HIDDEN)
		judge_closed_node(h, c);
	else if (read_only(h)) {
		snprintf(next, sizeof(next), "sudo chmod ug+rw %.64s  # "
		    "for good: the udev rule of npu-kmd(8)",
		    health_value(h, HEALTH_NODE));
		health_judge(c, HEALTH_FAIL, next, "mode %s: nobody may write "
		    "to it", health_value(h, HEALTH_NODE_MODE));
	} else
		health_judge(c, HEALTH_OK, "", "%s, mode %s",
		    health_value(h, HEALTH_NODE),
		    health_value(h, HEALTH_NODE_MODE));
}

static void
check_driver(const struct health *h, struct health_check *c)
{
	if (!health_known(h, HEALTH_NODE) ||
	    h->fact[HEALTH_CAPABILITY_BYTES].state == HEALTH_HIDDEN)
		health_judge(c, HEALTH_SKIP, "", "it needs the node");
	else if (h->driver.code != 0)
		health_judge(c, HEALTH_FAIL, HEALTH_LOG, "%.700s",
		    h->driver.msg);
	else if (strcmp(health_value(h, HEALTH_TECS), "0") == 0)
		/* Seen with library 2.0.2. */
		health_judge(c, HEALTH_FAIL, HEALTH_LOG, "the cores have 0 "
		    "TECs, and the library crashes when it makes a job");
	else
		health_judge(c, HEALTH_OK, "", "version %s, capability of %s "
		    "bytes, %s cores", health_value(h, HEALTH_DRIVER_VERSION),
		    health_value(h, HEALTH_CAPABILITY_BYTES),
		    health_value(h, HEALTH_CORES));
}

static void
check_status(const struct health *h, struct health_check *c)
{
	if (!health_known(h, HEALTH_STATUS))
		health_judge(c, HEALTH_SKIP, "",
		    "unknown: the driver did not say");
	else if (strcmp(health_value(h, HEALTH_STATUS), "exception") == 0)
		health_judge(c, HEALTH_WARN, HEALTH_NEXT_RESET,
		    "the NPU had an exception");
	else
		health_judge(c, HEALTH_OK, "", "%s",
		    health_value(h, HEALTH_STATUS));
}

/* Reports the worst problem in the log. */
static void
check_log(const struct health *h, struct health_check *c)
{
	const struct health_log *l = &h->log;
	const struct health_trouble *t = NULL;
	char next[HEALTH_TEXT];

	for (size_t i = 0; i < l->n_troubles; i++)
		if (t == NULL || l->trouble[i].verdict > t->verdict)
			t = &l->trouble[i];
	if (t != NULL) {
		fill_in_module(t->module[0] != '\0' ? t->module :
		    module_name(h), t->next, next);
		health_judge(c, t->verdict, next, "%s: '%s'%s", t->finding,
		    t->line, l->n_troubles > 1 ? ", and more" : "");
		return;
	}
	if (h->fact[HEALTH_KERNEL_LOG].state == HEALTH_HIDDEN)
		health_judge(c, HEALTH_SKIP, "sudo npu-info --doctor",
		    "only %s", health_value(h, HEALTH_KERNEL_LOG));
	else if (!health_known(h, HEALTH_KERNEL_LOG))
		health_judge(c, HEALTH_SKIP, "sudo dmesg",
		    "the kernel's log is not here");
	else
		health_judge(c, HEALTH_OK, "", "%s lines of the NPU, none "
		    "known for trouble", health_value(h, HEALTH_KERNEL_LOG));
}

const struct health_checker health_driver[HEALTH_DRIVER_CHECKS] = {
	{ "kernel", check_kernel }, { "module", check_module },
	{ "bound", check_bound }, { "node", check_node },
	{ "driver", check_driver }, { "status", check_status },
	{ "log", check_log },
};
