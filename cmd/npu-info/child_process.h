/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Calls a library that may crash, print, end the process or hang, in a separate
 * process.
 */
#ifndef NPU_INFO_CHILD_PROCESS_H
#define NPU_INFO_CHILD_PROCESS_H

#include <stddef.h>

#include "device/info.h"
#include "diagnose/health/health.h"

/* The last line that the process prints; "" if it printed nothing, or the line
 * was not kept. */
struct last_line {
	char text[HEALTH_TEXT];
};

/*
 * Runs ask() in a child process, on a copy of answer's n bytes, and copies the
 * changed bytes back.  Fails with NPU_ENODEV if the process ended in another
 * way, which *err names, or after ms milliseconds; answer is then unchanged.
 * Sets printed to the last line that the process prints, or to the emulator's
 * own last line; if printed is NULL, all output is printed.
 */
int child_process_run(void (*ask)(void *answer), void *answer, size_t n, int ms,
    struct last_line *printed, struct npu_err *err);

/* Returns true if *err says that child_process_run() had no answer in time. */
bool child_process_hung(const struct npu_err *err);

/* Describes the library, which is opened in a child process. */
struct info_library {
	struct health_library what;
	bool found;		/* where is set */
	struct device_info device;
	struct npu_err err;	/* why a device is missing; code 0: a device
				   was found */
};

void info_ask_library(struct info_library *l, struct last_line *printed);

#endif
