/* SPDX-License-Identifier: Apache-2.0 */
/* The vendor's library, opened at run time: which file it is, which of its
 * functions it has, and what its statuses mean to the user. */
#ifndef DEVICE_NOE_H
#define DEVICE_NOE_H

#include "noe_abi.h"
#include "npu.h"

/*
 * All functions that lib/device calls.  A new one is an entry here and a
 * prototype in noe_abi.h.  Without the required ones no inference is possible;
 * the optional ones let npu-info report more (of those in the vendor's header,
 * 20 are not exported: noe-abi 3.2).
 */
#define NOE_REQUIRED(X) \
	X(init_context) X(deinit_context) \
	X(load_graph) X(unload_graph) \
	X(get_tensor_count) X(get_tensor_descriptor) \
	X(create_job) X(clean_job) \
	X(load_tensor) X(get_tensor) \
	X(job_infer_async) X(get_job_status)
#define NOE_OPTIONAL(X) \
	X(ioctl) X(get_target) \
	X(get_partition_count) X(get_cluster_count) X(get_core_count)

struct noe {
	void *dl;
	char *path;		/* of the file the loader opened; owned */
	bool emulator;
	const char *emulator_version;	/* NULL: the vendor's */
	uint32_t init_device;	/* for noe_init() */
	bool device_named;	/* by NPU_NOE_DEVICE: no other is tried */
#define X(name) __typeof__(noe_##name) *name;
	NOE_REQUIRED(X)
	NOE_OPTIONAL(X)		/* may be NULL */
#undef X
};

/*
 * Finds and opens the library that opt asks for (architecture, The device).
 * Fails with NPU_ENODEV; the message has every path tried and why it was
 * refused or, where only one half of a board is there, which half is missing.
 */
int noe_open(struct noe *noe, const struct npu_options *opt,
    struct npu_err *err);
void noe_close(struct noe *noe);

/* Opens and checks one file.  The detail is ENOENT if there is no such file. */
int noe_open_file(struct noe *noe, const char *path, struct npu_err *err);

/* The path of the library that would be opened if there were a device, cut to n
 * bytes.  NPU_ENODEV, without a message, if there is none. */
int noe_find(const struct npu_options *opt, char *path, size_t n);

/* A library's properties, which need no device. */
struct noe_about {
	char path[256];		/* cut where it is longer */
	char lacks[256];	/* optional functions: "noe_ioctl, ..." */
	bool emulator;
	bool has_device_status;	/* C function of 3.x (noe-abi 10) */
};

void noe_describe(const struct noe *noe, struct noe_about *about);

/* Describes the library that would be opened if there were a device; negative:
 * there is none. */
int noe_inspect(const struct npu_options *opt, struct noe_about *about);

/* The library that opt or NPU_LIBRARY names; NULL: it is searched for. */
const char *noe_named_library(const struct npu_options *opt);

/* Path i of the search for a vendor library, in order; NULL after the last. */
const char *noe_search_path(size_t i);

/*
 * Calls noe_init_context of either generation: 3.x has a second argument, which
 * 2.x ignores (noe-abi 10).  1 is the NPU in the 2.x header's enum; that of 3.x
 * is published nowhere, so others are tried if 1 is refused, or NPU_NOE_DEVICE
 * names it.
 */
noe_status_t noe_init(const struct noe *noe, context_handler_t **ctx);

/*
 * The versions of library and driver; 0x13 if the library has no such function.
 * 0x4 means that the driver does not answer, because the library asks it: the
 * device of that context is gone (seen with 2.0.2 on a stand-in device whose
 * calls fail with ENODEV).
 */
noe_status_t noe_ask_version(const struct noe *noe, context_handler_t *ctx,
    noe_driver_version_t *version);

/* Sets *err to "what: NAME (0xN): advice".  Returns NPU_EDEVICE, NPU_ETIMEOUT,
 * or NPU_ENODEV for statuses that concern the device itself. */
int noe_refused(struct npu_err *err, const char *what, noe_status_t st);

/* The same for noe_init(): libraries from 3.x on may lack their back end. */
int noe_init_refused(struct npu_err *err, const struct noe *noe,
    noe_status_t st);

/* "ERROR_INVALID_GBIN"; NULL for a number that the header does not have. */
const char *noe_status_name(noe_status_t st);

/* errno of opening the device node (NULL: the default one), 0 if it can be
 * opened. */
int noe_probe_node(const char *node);

#endif
