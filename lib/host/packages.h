/* SPDX-License-Identifier: Apache-2.0 */
/* Reads dpkg's list of a machine's packages (deb-control(5)). */
#ifndef HOST_PACKAGES_H
#define HOST_PACKAGES_H

#include <stddef.h>

#include "base/bytes.h"
#include "npu.h"

enum {
	HOST_PACKAGE = 80,	/* bytes of a name or version, with the NUL */
	HOST_PACKAGES = 64,	/* most packages kept */
};

struct host_package {
	char name[HOST_PACKAGE];
	char version[HOST_PACKAGE];	/* may be "" */
	char want[16];		/* "install", "deinstall", "hold" */
	char flag[16];		/* "ok", "reinstreq" */
	char state[20];		/* "installed", "half-configured" */
};

struct host_packages {
	struct host_package package[HOST_PACKAGES];	/* in the list's
							   order */
	size_t n;
	size_t left_out;	/* packages that did not fit */
};

/*
 * Reads the packages whose names match one of patterns (fnmatch(3)), which NULL
 * ends, except packages that dpkg lists as not installed.  root is as in
 * host.h.  A name that does not fit matches nothing.  Fails with NPU_ESYSTEM
 * and errno as the detail if the list does not exist or cannot be read; with
 * NPU_EFORMAT if the file is not a list, is longer than 64 MiB, or has an
 * invalid value for one of these packages.
 */
int host_read_packages(const char *root, const char *const *patterns,
    struct host_packages *all, struct npu_err *err);

int host_parse_packages(struct bytes b, const char *const *patterns,
    struct host_packages *all, struct npu_err *err);

#endif
