/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A question to a library that may crash, print, end the process or never
 * answer, asked in a process of its own.
 */
#ifndef NPU_INFO_CHILD_PROCESS_H
#define NPU_INFO_CHILD_PROCESS_H

#include <stdbool.h>
#include <stddef.h>

#include "device/info.h"
#include "diagnose/health.h"

/*
 * What ask() wrote into answer's n bytes there, which it finds as they are
 * here.  Fails with NPU_ENODEV and what became of the process; answer is then
 * untouched.  quiet: what it prints is not wanted.
 */
int info_child(void (*ask)(void *answer), void *answer, size_t n, int ms,
    bool quiet, struct npu_err *err);

/* The library, opened in such a process. */
struct info_library {
	struct health_library what;
	bool found;		/* what is of any use */
	struct device_info device;
	struct npu_err err;	/* why there is no device; code 0: there is */
};

void info_ask_library(struct info_library *l, bool quiet);

#endif
