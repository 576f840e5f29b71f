/* SPDX-License-Identifier: Apache-2.0 */
/* The kernel of a container that is to run. */
#ifndef XDNA_RUN_KERNEL_H
#define XDNA_RUN_KERNEL_H

#include "device/xdna/xdna.h"
#include "model/xclbin.h"

/*
 * Finds the kernel called which, NAME or NAME:INSTANCE, and returns its name;
 * NULL: the only one of the container.  Sets in *job what the container says of
 * the kernel: its PDI, its partition, its registers.  Dies; file is the
 * container's name in messages.  What *job points to belongs to *x, which must
 * pass xclbin_check().
 */
const char *kernel_choose(const struct xclbin *x, const char *file,
    const char *which, struct xdna_job *job);

#endif
