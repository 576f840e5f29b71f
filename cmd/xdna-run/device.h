/* SPDX-License-Identifier: Apache-2.0 */
/* The device that runs a job: an NPU, or the emulated device. */
#ifndef XDNA_RUN_DEVICE_H
#define XDNA_RUN_DEVICE_H

#include "job.h"

enum device_kind { DEVICE_AUTO, DEVICE_NPU, DEVICE_EMU };
extern const char *const device_kinds[];	/* ends with NULL */

struct device_choice {
	enum device_kind kind;
	const char *node;	/* NULL: found */
	const char *twin;	/* NULL: NPU_TWIN, or the container's key */
};

/* Checks the options, and reads the environment for what they leave out. */
void device_resolve(struct device_choice *c, bool kind_given);

/* Opens the device and loads the job; ends the program with status 3 if the
 * device refuses. */
struct xdna *device_open(const struct device_choice *c, const struct job *j);
/* Opens it again, after a command that may not have ended; a refusal then ends
 * the program with status 1. */
struct xdna *device_reopen(struct xdna *x, const struct job *j);

#endif
