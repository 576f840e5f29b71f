/* SPDX-License-Identifier: Apache-2.0 */
/* Facts about a machine with an AMD NPU; shared by machine*.c. */
#ifndef DIAGNOSE_XCLBIN_MACHINE_IMPL_H
#define DIAGNOSE_XCLBIN_MACHINE_IMPL_H

#include "device/xdna/kinds.h"
#include "diagnose/xclbin/machine.h"
#include "host/sys.h"

/* The driver's answers. */
struct npu_answers {
	int refused;		/* errno of opening the node; 0: it opened, or
				   nobody tried */
	bool asked;		/* the node was opened */
	char name[32];		/* of the driver; "": not reported */
	int32_t version[3];	/* version of its interface */
	unsigned columns;	/* columns of the NPU; 0: unknown */
	int mode;		/* power mode; -1: unknown */
};

/* Texts are "" if a fact is unknown. */
struct npu_machine {
	const char *root;
	bool copy;			/* root has another machine's files */
	const struct xclbin_demands *demands;
	bool found;			/* an AMD NPU was found */
	const struct xdna_kind *kind;	/* NULL: no NPU, or unknown revision */
	char address[SYS_NAME];		/* "0000:c5:00.1" */
	unsigned id, revision;
	char kernel[SYS_WORD];		/* release */
	char driver[SYS_NAME];		/* driver bound to the device */
	bool module;			/* amdxdna is loaded, or built in */
	char module_version[SYS_WORD];	/* only of a package's module */
	char node[SYS_PATH];		/* "/dev/accel/accel0" */
	bool node_exists;
	struct npu_answers answers;
	char firmware[SYS_WORD];	/* version */
	bool firmware_file;
	char runtime[SYS_WORD];		/* "active", "suspended", "error" */
	char iommu_group[SYS_NAME], iommu_type[SYS_WORD];
	uint64_t iommu_features;	/* extended features; 0: unknown */
	char iommu_option[SYS_WORD];	/* kernel option that disables it */
	bool isolated;			/* an option disables PASIDs */
	bool locked_known;
	uint64_t locked;		/* bytes that may be locked; UINT64_MAX:
					   unlimited */
	const char *container;		/* the file that shows it; NULL: not a
					   container */
	struct npu_err trouble;		/* host.h, Failures to read */
};

void npu_machine_read(struct npu_machine *m);

/* Returns whether the NPU needs an interface that these programs do not
 * have. */
static inline bool
npu_has_user_queues(const struct npu_machine *m)
{
	return m->kind != NULL && m->kind->columns == 0;
}

/* Opens the node and asks the driver; leaves the answers empty if it does not
 * answer. */
void npu_ask(const char *path, const struct xdna_calls *calls,
    struct npu_answers *a);

void npu_machine_judge(const struct npu_machine *m,
    struct health_check checks[XCLBIN_MACHINE_CHECKS]);

#endif
