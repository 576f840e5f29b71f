/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by health*.c and activity.c. */
#ifndef DEVICE_HEALTH_IMPL_H
#define DEVICE_HEALTH_IMPL_H

#include "device/health.h"
#include "host/sys.h"

/* What is being asked, and where. */
struct health_place {
	struct health *h;
	const char *root, *node;
	const struct npu_options *opt;
	const struct health_library *library;	/* NULL: not opened */
};

/* "" is not known. */
void health_text(struct health *h, enum health_id id, const char *text);
void health_number(struct health *h, enum health_id id, uint64_t v);
/* It is not known because path may not be read. */
void health_hide(const struct health_place *p, enum health_id id,
    const char *path);

/* The platform device of the NPU; false: there is none. */
bool health_find_device(const char *root, char name[SYS_NAME],
    char modalias[SYS_WORD]);

/* The library's facts, and whether it fits the driver. */
void health_read_library(const struct health_place *p);
void health_judge_pair(struct health *h);

#endif
