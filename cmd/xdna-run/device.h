/* SPDX-License-Identifier: Apache-2.0 */
/* The device that runs a job: an NPU, or the emulated device. */
#ifndef XDNA_RUN_DEVICE_H
#define XDNA_RUN_DEVICE_H

#include "job.h"

enum device_kind { DEVICE_AUTO, DEVICE_NPU, DEVICE_EMU };
extern const char *const device_kinds[];	/* ends with NULL */

struct device_choice {
	enum device_kind kind;
	const char *node;	/* NULL: find one */
	const char *twin;	/* NULL: from NPU_TWIN or the container's key */
};

/* Checks the options.  Without --device (kind_given is false), NPU_DEVICE sets
 * the kind. */
void device_resolve(struct device_choice *c, bool kind_given);

/* Opens the device and loads the job; ends the program with status 3 if the
 * device refuses. */
struct xdna *device_open(const struct device_choice *c, const struct job *j);
/* Closes the device and opens it again, after a command that may not have
 * ended.  Ends the program with status 1 if the device refuses. */
struct xdna *device_reopen(struct xdna *x, const struct job *j);

#endif
