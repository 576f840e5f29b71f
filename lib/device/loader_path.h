/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DEVICE_LOADER_PATH_H
#define DEVICE_LOADER_PATH_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Whether dlopen() may find one of these file names, of 63 bytes at most;
 * those with a '/' are not looked at.  False only where it would find none:
 * five dlopen() that fail were 14 to 25 % of the time of --version.
 */
bool loader_may_find(const char *const *names, size_t n);

#endif
