/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The vendor's library, opened at run time: which file it is, which of its
 * functions are there, and what its answers mean to a person.
 */
#ifndef DEVICE_NOE_H
#define DEVICE_NOE_H

#include "noe_abi.h"
#include "npu.h"

struct noe {
	void *dl;
	char *path;		/* of the file the loader took; owned */
	bool emulator;
	const char *emulator_version;	/* NULL: the vendor's */
	uint32_t init_device;	/* for noe_init() */
#define X(name) __typeof__(noe_##name) *name;
	NOE_REQUIRED(X)
	NOE_OPTIONAL(X)		/* may be NULL */
#undef X
};

/*
 * Find and open the library that opt asks for (architecture, The device).
 * Fails with NPU_ENODEV: every place tried and why it would not do, or, when
 * only one half of a board is there, what is missing.
 */
int noe_open(struct noe *noe, const struct npu_options *opt,
    struct npu_err *err);
void noe_close(struct noe *noe);

/*
 * Which library would be opened, were there a device: its path, cut to n bytes.
 * NPU_ENODEV, and no message, when there is none.
 */
int noe_find(const struct npu_options *opt, char *path, size_t n);

/* What a library is, without a device. */
struct noe_about {
	char path[256];		/* cut where it is longer */
	char lacks[256];	/* optional functions: "noe_ioctl, ..." */
	bool emulator;
	bool has_device_status;	/* C function of 3.x (noe-abi 10) */
};

/* That which would be opened, were there a device; negative: none. */
int noe_inspect(const struct npu_options *opt, struct noe_about *about);

/* The library that opt or NPU_LIBRARY names; NULL: it is searched for. */
const char *noe_named_library(const struct npu_options *opt);

/* Where a vendor's may be, in the order of the search; NULL at the end. */
const char *noe_search_path(size_t i);

/*
 * noe_init_context of either generation: 3.x has a second argument, which 2.x
 * ignores (noe-abi 10).  1 is the NPU in the 2.x header's enum; the 3.x value
 * is unproven, so NPU_NOE_DEVICE overrides it.
 */
noe_status_t noe_init(const struct noe *noe, context_handler_t **ctx);

/*
 * What the library and the driver say of themselves; 0x13 where the library
 * cannot tell.  0x4 is a driver that does not answer, for the library asks it:
 * the device of that context is gone (2.0.2 on a stand-in device whose calls
 * fail with ENODEV).
 */
noe_status_t noe_ask_version(const struct noe *noe, context_handler_t *ctx,
    noe_driver_version_t *version);

/* *err = "what: NAME (0xN): advice"; returns NPU_EDEVICE, NPU_ENODEV for the
 * statuses that mean the device itself, or NPU_ETIMEOUT. */
int noe_refused(struct npu_err *err, const char *what, noe_status_t st);

/* The same of noe_init(): libraries from 3.x on may lack their back end. */
int noe_init_refused(struct npu_err *err, const struct noe *noe,
    noe_status_t st);

/* "ERROR_INVALID_GBIN", or NULL for a number that the header does not have. */
const char *noe_status_name(noe_status_t st);

/* Why the device node (NULL: the default) cannot be used: 0, else errno. */
int noe_probe_node(const char *node);

#endif
