/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Calls a library that may crash, print, end the process or hang, in a process
 * of its own.
 */
#ifndef NPU_INFO_CHILD_PROCESS_H
#define NPU_INFO_CHILD_PROCESS_H

#include <stddef.h>

#include "device/info.h"
#include "diagnose/health/health.h"

/* Of what the process prints; "" if it printed nothing, or it was not kept. */
struct last_line {
	char text[HEALTH_TEXT];
};

/*
 * Runs ask() in a child process, on a copy of answer's n bytes, and copies back
 * the bytes that it leaves there.  Fails with NPU_ENODEV and the end that the
 * process came to, or after ms milliseconds; answer is then untouched.
 * printed gets the last line that it prints, or the last of the emulator's own;
 * if it is NULL, all is printed.
 */
int child_process_run(void (*ask)(void *answer), void *answer, size_t n, int ms,
    struct last_line *printed, struct npu_err *err);

/* The library, opened in a child process. */
struct info_library {
	struct health_library what;
	bool found;		/* what is set */
	struct device_info device;
	struct npu_err err;	/* why there is no device; code 0: there is */
};

void info_ask_library(struct info_library *l, struct last_line *printed);

#endif
