/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The stub's single ioctl: it has the number and the size, and therefore the
 * generation, of the vendor's 4.0 and 5.11.0.
 */
#ifndef STUB_ARMCHINA_AIPU_H
#define STUB_ARMCHINA_AIPU_H

#include <linux/ioctl.h>
#include <linux/types.h>

struct aipu_cap {
	__u32 cores;
	__u32 unused[105];	/* 424 bytes in total */
};

#define AIPU_IOCTL_QUERY_CAP _IOR('A', 0, struct aipu_cap)

#endif
