/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The Makefile includes this file first in every file of lib/.  The names in
 * npu.h are visible in libnpu.so, all other names are hidden, and npu.h itself
 * needs no pragma.
 */
#pragma GCC visibility push(default)
#include "npu.h"
#pragma GCC visibility pop
