/* SPDX-License-Identifier: Apache-2.0 */
/* Chooses the kernel of a container. */
#ifndef XDNA_RUN_KERNEL_H
#define XDNA_RUN_KERNEL_H

#include "device/xdna/xdna.h"
#include "model/xclbin.h"

/*
 * Finds the kernel called which, NAME or NAME:INSTANCE, and returns its name.
 * If which is NULL, the container must have only one kernel.  Sets the kernel's
 * PDI, partition and registers in *job, whose pointers point into *x.  *x must
 * have passed xclbin_check().  file is the container's name in messages.  Dies
 * if the kernel cannot be used.
 */
const char *kernel_choose(const struct xclbin *x, const char *file,
    const char *which, struct xdna_job *job);

#endif
