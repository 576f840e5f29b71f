/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Facts about an NPU, its driver and its library that can be read without a
 * job.  Each fact is known, unknown, or hidden by a permission.  Nothing here
 * prints or changes anything.
 */
#ifndef DIAGNOSE_HEALTH_H
#define DIAGNOSE_HEALTH_H

#include <stdbool.h>
#include <stdint.h>

#include "npu.h"

enum health_state { HEALTH_UNKNOWN, HEALTH_KNOWN, HEALTH_HIDDEN };

/* The facts in order: the name, and whether the value is a number. */
#define HEALTH_FACTS(X) \
	X(BOARD, "board", false) \
	X(FIRMWARE, "firmware", false) \
	X(KERNEL, "kernel", false) \
	X(NODE, "node", false) \
	X(NODE_MODE, "node_mode", false)	/* "0660" */ \
	X(HOLDERS, "holders", false)	/* who has the node open */ \
	X(MODULE, "module", false) \
	X(MODULE_STATE, "module_state", false)	/* live, coming, going */ \
	X(MODULE_VERSION, "module_version", false) \
	X(MODULE_SRCVERSION, "module_srcversion", false) \
	X(MODULE_USERS, "module_users", true) \
	X(MODULE_DRIVERS, "module_drivers", false)	/* registered */ \
	X(MODULE_FILE, "module_file", false)	/* path, for this kernel */ \
	X(MODULE_PACKED, "module_packed", false)	/* xz, zstd, gzip */ \
	X(MODULE_FOR, "module_for", false)	/* its kernel release */ \
	X(MODULE_FAULT, "module_fault", false)	/* its defect */ \
	X(MODULE_OTHERS, "module_others", false)	/* other releases */ \
	X(KERNEL_HEADERS, "kernel_headers", false) \
	X(CAPABILITY_BYTES, "capability_bytes", true) \
	X(DRIVER_VERSION, "driver_version", false) \
	X(PARTITIONS, "partitions", true) \
	X(CLUSTERS, "clusters", true) \
	X(CORES, "cores", true) \
	X(CORES_ENABLED, "cores_enabled", true) \
	X(TECS, "tecs", true) \
	X(ISA, "isa", true) \
	X(ON_CHIP_BYTES, "on_chip_bytes", true) \
	X(STATUS, "status", false)		/* idle, busy, exception */ \
	X(DESCRIBED_BY, "described_by", false)	/* ACPI, device tree */ \
	X(PLATFORM_DEVICE, "platform_device", false) \
	X(MODALIAS, "modalias", false) \
	X(BOUND_DRIVER, "bound_driver", false) \
	X(CORE_DEVICES, "core_devices", true)	/* in ACPI */ \
	X(IOMMU_GROUP, "iommu_group", false) \
	X(IOMMU_TYPE, "iommu_type", false) \
	X(IOMMU_OPTIONS, "iommu_options", false)	/* kernel options */ \
	X(SMMU_EVENTS, "smmu_events", true)	/* since the start */ \
	X(SMMU_RATE, "smmu_events_per_s", true)	/* the same, a second */ \
	X(DEVFREQ, "devfreq", false) \
	X(GOVERNOR, "governor", false) \
	X(MHZ, "mhz", true) \
	X(MHZ_AVAILABLE, "mhz_available", false) \
	X(POWER_CONTROL, "power_control", false) \
	X(POWER_STATUS, "power_status", false) \
	X(POWER_DELAY_MS, "power_delay_ms", true)	/* until suspended */ \
	X(POWER_ACTIVE_MS, "power_active_ms", true) \
	X(POWER_SUSPENDED_MS, "power_suspended_ms", true) \
	X(INTERRUPTS, "interrupts", true) \
	X(KERNEL_LOG, "kernel_log", true)	/* lines about the NPU */ \
	X(PACKAGES, "packages", false)		/* of the vendor */ \
	X(PACKAGES_BROKEN, "packages_broken", false) \
	X(LIBRARY, "library", false) \
	X(LIBRARY_LISTED, "library_listed", false)	/* yes, no: the \
						   loader looks there */ \
	X(LIBRARY_GENERATION, "library_generation", true) \
	X(LIBRARY_LACKS, "library_lacks", false) \
	X(LIBRARY_BACKEND, "library_backend", false) \
	X(MODEL_PATH, "model_path", false)	/* NPU_MODEL_PATH */ \
	X(PAIR, "pair", false)			/* fits, mismatch */ \
	X(PAIR_REASON, "pair_reason", false) \
	X(SERVER, "server", false)	/* npu-serve.socket: on, off */ \
	X(SERVER_LACKS, "server_lacks", false)	/* group, permission,
						   nothing */ \
	X(PAGE_BYTES, "page_bytes", true)	/* size of a page */ \
	X(MEMORY_FREE_MIB, "memory_free_mib", true)	/* available */

enum health_id {
#define X(id, name, number) HEALTH_##id,
	HEALTH_FACTS(X)
#undef X
	HEALTH_N
};

enum { HEALTH_TEXT = 256, HEALTH_NEXT = 2 * HEALTH_TEXT };

struct health_fact {
	enum health_state state;
	uint64_t number;		/* if the fact is a number */
	char text[HEALTH_TEXT];		/* the value, or who may read it; cut if
					   too long */
};

/* ---- The kernel's log -------------------------------------------------- */

enum health_verdict { HEALTH_OK, HEALTH_WARN, HEALTH_FAIL, HEALTH_SKIP };

enum {
	HEALTH_TROUBLES = 8,		/* most troubles kept */
	HEALTH_MODULE_NAME = 64,	/* the kernel's MODULE_NAME_LEN is 56 */
};

/* A line of the log that reports a problem. */
struct health_trouble {
	enum health_verdict verdict;
	const char *finding, *next;	/* constant; '@' stands for the module's
					   name, '%' for the name in line */
	char module[HEALTH_MODULE_NAME];	/* name in line, or "" */
	char line[HEALTH_TEXT];
};

struct health_log {
	char smmu[HEALTH_TEXT];	/* the first line about a stream that the SMMU
				   does not know; "": none */
	struct health_trouble trouble[HEALTH_TROUBLES];
	size_t n_troubles;	/* since the driver's last start */
	bool started;		/* the log contains a start */
};

/* The kind of machine. */
/* A command for an NPU that hangs; without --yes it changes nothing. */
#define HEALTH_NEXT_RESET "sudo npu-kmd reset  # prints what --yes does"

enum health_machine {
	HEALTH_BOARD_READY, HEALTH_NO_DRIVER, HEALTH_NO_BOARD,
	HEALTH_CONTAINER	/* on a board, without the node */
};

struct health {
	enum health_machine machine;
	bool container;		/* this is a container */
	struct health_fact fact[HEALTH_N];
	struct health_log log;
	char emulator[HEALTH_TEXT];	/* what was opened as the vendor's
					   library; "": not an emulator */
	bool trace;		/* an NPU's node, module or device exists */
	struct npu_err driver;	/* why the driver did not answer; code 0: it
				   did */
	struct npu_err packages;	/* why dpkg's list cannot be read; code
					   0: it was read, or does not exist */
	struct npu_err trouble;	/* the first file that could not be read,
				   because of which facts may be missing; code
				   0: all files were read */
};

/* Returns "board", "no-driver", "no-board" or "container". */
const char *health_machine_name(enum health_machine m);

const char *health_fact_name(enum health_id id);
bool health_fact_is_number(enum health_id id);

/* Properties of a library that can only be found by opening it. */
struct health_library {
	char path[HEALTH_TEXT];
	char lacks[HEALTH_TEXT];	/* missing functions: "noe_ioctl,
					   ..." */
	uint64_t generation;		/* 2 for packages 2.0.x; 3, 4 */
	bool emulator;
};

/*
 * Opens the library that opt names.  The library may crash: call this in a
 * child process.  Fails with NPU_ENODEV, without a message, if none is found.
 */
int health_inspect_library(const struct npu_options *opt,
    struct health_library *l);

/*
 * Reads all facts.  root is "" for this machine, or else the folder with
 * another machine's dev, etc, lib, proc, sys, usr and var.  opt names the node
 * and the library.  l comes from health_inspect_library(); if l is NULL, the
 * library's file is searched for but not opened.
 */
void health_read(struct health *h, const char *root,
    const struct npu_options *opt, const struct health_library *l);

/*
 * Records kmd_open()'s error in *trouble (host.h) if memory or descriptors were
 * short, or if the file that represents the node in a tree could not be read.
 * Any other refusal of the driver is a fact about the driver.
 */
void health_note_driver(struct npu_err *trouble, const struct npu_err *err);

/* ---- Checks ------------------------------------------------------------ */

struct health_check {
	const char *name;
	enum health_verdict verdict;
	char finding[3 * HEALTH_TEXT];
	char next[HEALTH_NEXT];		/* a command, and a comment; "" if
					   ok, or if another check must be ok
					   first */
};

enum { HEALTH_CHECKS = 24 };

/* Runs all checks of the facts, in order; returns the number of checks.
 * Without a board only "device" fails; in a container without the node, checks
 * of what only the board itself has are skipped. */
size_t health_run_checks(const struct health *h,
    struct health_check checks[HEALTH_CHECKS]);

/* Describes the kind of machine as a check: ok for a board whose driver
 * answers, FAIL for a board whose driver does not, skip without a board. */
void health_describe_machine(const struct health *h, struct health_check *c);

/* Returns "ok", "warn", "FAIL" or "skip". */
const char *health_verdict_name(enum health_verdict v);

void health_judge(struct health_check *c, enum health_verdict v,
    const char *next, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));

#endif
