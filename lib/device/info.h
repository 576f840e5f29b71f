/* SPDX-License-Identifier: Apache-2.0 */
/* The versions and parts that a device and its library report, without a model
 * loaded. */
#ifndef DEVICE_INFO_H
#define DEVICE_INFO_H

#include "model/cix.h"
#include "npu.h"

/* The end of npu_open()'s message after the emulator has printed why it refuses
 * a model. */
#define DEVICE_EMULATOR_SAYS "the emulator says why in the line above"

struct device_info {
	bool emulator;
	char library[256];		/* path of the file in use */
	char library_version[17];	/* "0.6.0"; "": not reported */
	char driver_version[17];	/* "5.11.0"; "": not reported */
	char emulator_version[16];	/* "": not the emulator */
	char target[64];		/* "X2_1204MP3"; "": not reported */
	uint32_t partitions, clusters, cores;	/* totals; 0: not reported */
};

/* Opens the library and the device that opt names, reads their versions and
 * parts, and closes them.  Fails with NPU_ENODEV or NPU_EDEVICE. */
int device_info_read(const struct npu_options *opt, struct device_info *info,
    struct npu_err *err);

/* Fails with NPU_EUSAGE if g was compiled for another target, which the NPU or
 * the emulator cannot run. */
int device_check_target(const struct cix_graph *g,
    const struct npu_options *opt, bool emulator, struct npu_err *err);

#endif
