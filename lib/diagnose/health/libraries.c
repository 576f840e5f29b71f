// SPDX-License-Identifier: Apache-2.0
/* Checks of the vendor's packages and library. */
#include <stdio.h>
#include <string.h>

#include "diagnose/health/impl.h"

/* What npu-utils cannot do if the library lacks a function (kernel-driver 8.6:
 * a header with 51 functions, a library with 31). */
static const struct {
	const char *function, *lost;
} lost[] = {
	{ "noe_ioctl", "npu-info reports no versions" },
	{ "noe_get_target", "npu-info reports no target" },
	{ "noe_get_partition_count", "npu-info counts no partitions" },
	{ "noe_get_cluster_count", "npu-info counts no clusters" },
	{ "noe_get_core_count", "npu-info counts no cores" },
};

/*
 * The vendor's package runs Python's pip when it is configured.  Newer systems
 * forbid this (PEP 668), and the package stays half configured (kernel-driver
 * 8.1).
 */
static void
check_packages(const struct health *h, struct health_check *c)
{
	const char *broken = health_value(h, HEALTH_PACKAGES_BROKEN);

	if (h->packages.code < 0)
		health_judge(c, HEALTH_SKIP, "",
		    "the list of packages cannot be read: %.700s",
		    h->packages.msg);
	else if (!health_known(h, HEALTH_PACKAGES))
		health_judge(c, HEALTH_SKIP, "",
		    "dpkg's list of packages is not here");
	else if (strcmp(health_value(h, HEALTH_PACKAGES), "none") == 0)
		health_judge(c, HEALTH_SKIP, "",
		    "no package of the vendor's is installed");
	else if (strcmp(broken, "none") != 0)
		health_judge(c, HEALTH_FAIL, "sudo PIP_BREAK_SYSTEM_PACKAGES=1 "
		    "dpkg --configure -a", "%s", broken);
	else
		health_judge(c, HEALTH_OK, "", "%s",
		    health_value(h, HEALTH_PACKAGES));
}

static void
check_library(const struct health *h, struct health_check *c)
{
	if (h->emulator[0] != '\0')
		health_judge(c, HEALTH_FAIL, "unset LD_LIBRARY_PATH "
		    "NPU_LIBRARY  # or name libnoe.so with -L", "%s is the "
		    "emulator, in the place of the vendor's", h->emulator);
	else if (health_known(h, HEALTH_LIBRARY))
		health_judge(c, HEALTH_OK, "", "%s",
		    health_value(h, HEALTH_LIBRARY));
	else
		health_judge(c, HEALTH_FAIL, "sudo apt install cix-noe-umd  "
		    "# or name libnoe.so with -L", "no libnoe.so was found");
}

/* Our programs search the library's folder even if the loader does not
 * (kernel-driver 8.7). */
static void
check_loader(const struct health *h, struct health_check *c)
{
	const char *path = health_value(h, HEALTH_LIBRARY), *slash;
	char next[HEALTH_TEXT];

	if (!health_known(h, HEALTH_LIBRARY_LISTED)) {
		health_judge(c, HEALTH_SKIP, "",
		    "it needs a library whose folder is known");
		return;
	}
	if (strcmp(health_value(h, HEALTH_LIBRARY_LISTED), "yes") == 0) {
		health_judge(c, HEALTH_OK, "", "the loader finds %s", path);
		return;
	}
	slash = strrchr(path, '/');
	snprintf(next, sizeof(next), "echo %.*s | sudo tee "
	    "/etc/ld.so.conf.d/cix.conf; sudo ldconfig",
	    slash == NULL ? 0 : (int)(slash - path), path);
	health_judge(c, HEALTH_WARN, next, "npu-utils find the library, but "
	    "other programs do not: its folder is not the loader's");
}

static void
check_functions(const struct health *h, struct health_check *c)
{
	const char *lacks = health_value(h, HEALTH_LIBRARY_LACKS);
	char text[HEALTH_TEXT] = "";
	size_t at = 0;

	if (!health_known(h, HEALTH_LIBRARY_LACKS)) {
		health_judge(c, HEALTH_SKIP, "",
		    "the library was not opened");
		return;
	}
	/* (all fit) */
	for (size_t i = 0; i < sizeof(lost) / sizeof(*lost); i++)
		if (strstr(lacks, lost[i].function) != NULL)
			at += (size_t)snprintf(text + at, sizeof(text) - at,
			    "; %s", lost[i].lost);
	if (strcmp(lacks, "nothing") == 0)
		health_judge(c, HEALTH_OK, "", "all that npu-utils use");
	else
		health_judge(c, HEALTH_WARN, "apt list -a cix-noe-umd  # if "
		    "you cannot do without: a newer one", "it lacks %s%s",
		    lacks, text);
}

static void
check_backend(const struct health *h, struct health_check *c)
{
	if (!health_known(h, HEALTH_LIBRARY_GENERATION))
		health_judge(c, HEALTH_SKIP, "npu-info --doctor -L "
		    "libnoe.so.3.1.0  # its name with the version",
		    "the library's generation is not known");
	else if (h->fact[HEALTH_LIBRARY_GENERATION].number < 3)
		health_judge(c, HEALTH_SKIP, "", "not needed: a library "
		    "2.x has no separate back end");
	else if (!health_known(h, HEALTH_LIBRARY_BACKEND))
		health_judge(c, HEALTH_FAIL, "sudo apt install cix-npu-umd  "
		    "# or name the file by AIPU_LIB_PATH",
		    "libaipudrv.so is not there");
	else
		health_judge(c, HEALTH_OK, "", "%s",
		    health_value(h, HEALTH_LIBRARY_BACKEND));
}

/* The reason of a mismatch ends with the package to install. */
static void
check_pair(const struct health *h, struct health_check *c)
{
	const char *reason = health_value(h, HEALTH_PAIR_REASON), *install;
	char next[HEALTH_TEXT] = "man npu-info";
	bool fits = strcmp(health_value(h, HEALTH_PAIR), "fits") == 0;

	install = strstr(reason, "install ");
	if (install != NULL)
		snprintf(next, sizeof(next), "apt list -a cix-noe-umd  "
		    "# %.180s", install);
	if (health_known(h, HEALTH_PAIR))
		health_judge(c, fits ? HEALTH_OK : HEALTH_FAIL, fits ? "" :
		    next, "%s", reason);
	else if (health_known(h, HEALTH_CAPABILITY_BYTES) &&
	    health_known(h, HEALTH_LIBRARY_GENERATION))
		health_judge(c, HEALTH_WARN, "npu-info --doctor "
		    "clip_txt.cix  # for the check answer", "nobody has "
		    "reported library %s.x with driver %s", health_value(h,
		    HEALTH_LIBRARY_GENERATION), health_value(h,
		    HEALTH_DRIVER_VERSION));
	else
		health_judge(c, HEALTH_SKIP, "", "it needs a driver that "
		    "answers and a library whose generation is known");
}

const struct health_checker health_libraries[HEALTH_LIBRARY_CHECKS] = {
	{ "packages", check_packages }, { "library", check_library },
	{ "loader", check_loader }, { "functions", check_functions },
	{ "backend", check_backend }, { "pair", check_pair },
};
