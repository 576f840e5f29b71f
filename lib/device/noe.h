/* SPDX-License-Identifier: Apache-2.0 */
/* The vendor's library, opened at run time: which file it is, which functions
 * it has, and what its statuses mean to the user. */
#ifndef DEVICE_NOE_H
#define DEVICE_NOE_H

#include "noe_abi.h"
#include "npu.h"

/*
 * All functions that lib/device calls.  To add one, add an entry here and a
 * prototype in noe_abi.h.  Without the required functions inference is
 * impossible; the optional functions let npu-info report more (20 functions of
 * the vendor's header are not exported: noe-abi 3.2).
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
	char *path;		/* path of the file that the loader opened;
				   owned */
	bool emulator;
	const char *emulator_version;	/* NULL: the vendor's library */
	/* Only the emulator has it; else NULL. */
	__typeof__(noe_emu_load_onnx) *load_onnx;
	uint32_t init_device;	/* for noe_init() */
	bool device_named;	/* by NPU_NOE_DEVICE: try no other */
#define X(name) __typeof__(noe_##name) *name;
	NOE_REQUIRED(X)
	NOE_OPTIONAL(X)		/* may be NULL */
#undef X
};

/*
 * Finds and opens the library for opt (architecture, The device).  Fails with
 * NPU_ENODEV; the message lists every path tried with the reason of its failure
 * or, if only one half of a board is there, says which half is missing.
 */
int noe_open(struct noe *noe, const struct npu_options *opt,
    struct npu_err *err);
/* Opens the emulator for an ONNX model.  The library of NPU_LIBRARY is used
 * only if no other emulator is found.  Fails with NPU_EUSAGE if opt forbids the
 * emulator or names another library. */
int noe_open_for_onnx(struct noe *noe, const struct npu_options *opt,
    struct npu_err *err);
void noe_close(struct noe *noe);

/* Opens and checks one file.  The detail is ENOENT if the file does not
 * exist. */
int noe_open_file(struct noe *noe, const char *path, struct npu_err *err);

/* Writes the path of the library that would be opened if a device existed, cut
 * to n bytes.  Fails with NPU_ENODEV, without a message, if none is found. */
int noe_find(const struct npu_options *opt, char *path, size_t n);

/* A library's properties that can be read without a device. */
struct noe_about {
	char path[256];		/* truncated if longer */
	char lacks[256];	/* optional functions: "noe_ioctl, ..." */
	bool emulator;
	bool has_device_status;	/* has the C function of 3.x (noe-abi 10) */
};

void noe_describe(const struct noe *noe, struct noe_about *about);

/* Describes the library that would be opened if a device existed.  Fails if
 * none is found. */
int noe_inspect(const struct npu_options *opt, struct noe_about *about);

/* Returns the library that opt or NPU_LIBRARY names; NULL if neither does. */
const char *noe_named_library(const struct npu_options *opt);

/* Returns path i of the search for a vendor library, in order; NULL after the
 * last path. */
const char *noe_search_path(size_t i);

/*
 * Calls noe_init_context() of a 2.x or 3.x library: 3.x has a second argument,
 * the device's number, which 2.x ignores (noe-abi 10).  The 2.x header's enum
 * gives the NPU the number 1.  The enum of 3.x is not published, so other
 * numbers are tried if the library refuses 1, unless NPU_NOE_DEVICE sets the
 * number.
 */
noe_status_t noe_init(const struct noe *noe, context_handler_t **ctx);

/*
 * Reads the versions of library and driver.  Returns 0x13 if the library has no
 * such function.  The library asks the driver, so 0x4 means that the driver
 * does not answer: the device of this context is gone (seen with 2.0.2 on a
 * stand-in device whose calls fail with ENODEV).
 */
noe_status_t noe_ask_version(const struct noe *noe, context_handler_t *ctx,
    noe_driver_version_t *version);

/* Sets *err to "what: NAME (0xN): advice".  Returns NPU_EDEVICE, NPU_ETIMEOUT,
 * or NPU_ENODEV for statuses that concern the device itself. */
int noe_refused(struct npu_err *err, const char *what, noe_status_t st);

/* Does the same for noe_init(): libraries from 3.x on may lack their back
 * end. */
int noe_init_refused(struct npu_err *err, const struct noe *noe,
    noe_status_t st);

/* Returns a name such as "ERROR_INVALID_GBIN"; NULL for a number that the
 * header does not have. */
const char *noe_status_name(noe_status_t st);

/* Returns the errno of opening the device node (NULL: the default node), or 0
 * if it can be opened. */
int noe_probe_node(const char *node);

#endif
