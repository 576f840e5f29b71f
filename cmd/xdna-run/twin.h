/* SPDX-License-Identifier: Apache-2.0 */
/* What the emulated device computes. */
#ifndef XDNA_RUN_TWIN_H
#define XDNA_RUN_TWIN_H

#include "job.h"

/* Ends the program with a usage error if the argument of --twin is no twin. */
void twin_check(const char *name);

/* Sets NPU_TWIN for the emulated device: to name if it is not NULL, else as the
 * environment or the container says; dies without any. */
void twin_set(const char *name, const struct job *j);

#endif
