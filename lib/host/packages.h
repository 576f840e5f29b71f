/* SPDX-License-Identifier: Apache-2.0 */
/* What dpkg has written down of the packages of a machine (deb-control(5)). */
#ifndef HOST_PACKAGES_H
#define HOST_PACKAGES_H

#include <stddef.h>

#include "base/bytes.h"
#include "npu.h"

enum {
	HOST_PACKAGE = 80,	/* bytes of a name or version, with the NUL */
	HOST_PACKAGES = 64,	/* that are kept */
};

struct host_package {
	char name[HOST_PACKAGE];
	char version[HOST_PACKAGE];	/* may be "" */
	char want[16];		/* "install", "deinstall", "hold" */
	char flag[16];		/* "ok", "reinstreq" */
	char state[20];		/* "installed", "half-configured" */
};

struct host_packages {
	struct host_package package[HOST_PACKAGES];	/* as they stand */
	size_t n;
	size_t left_out;	/* that there was no room for */
};

/*
 * The packages whose names match one of patterns (fnmatch(3)), which NULL ends,
 * but for those that dpkg knows as not installed.  root is "" or that of
 * host.h.  A name that does not fit matches none.  NPU_ESYSTEM with errno as
 * the detail: there is no such list, or it cannot be read; NPU_EFORMAT: it is
 * none, is longer than 64 MiB, or tells of one of these packages what is none.
 */
int host_read_packages(const char *root, const char *const *patterns,
    struct host_packages *all, struct npu_err *err);

int host_parse_packages(struct bytes b, const char *const *patterns,
    struct host_packages *all, struct npu_err *err);

#endif
