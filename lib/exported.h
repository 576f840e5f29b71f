/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The Makefile includes this first in every file of lib/: the names of npu.h
 * are visible in libnpu.so, all others are hidden, and npu.h needs no pragma.
 */
#pragma GCC visibility push(default)
#include "npu.h"
#pragma GCC visibility pop
