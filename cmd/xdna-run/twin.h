/* SPDX-License-Identifier: Apache-2.0 */
/* Chooses what the emulated device computes (the twin of the kernel). */
#ifndef XDNA_RUN_TWIN_H
#define XDNA_RUN_TWIN_H

#include "job.h"

/* Ends the program with a usage error if name, the argument of --twin, is not
 * the name of a twin. */
void twin_check(const char *name);

/* Sets NPU_TWIN for the emulated device: to name or, if that is NULL, to the
 * value of the environment or of the container.  Ends the program with status 3
 * if all are missing. */
void twin_set(const char *name, const struct job *j);

#endif
