/* SPDX-License-Identifier: Apache-2.0 */
/*
 * AMD's NPUs by their numbers on the PCI bus, which /sys shows to every user.
 * The device number determines the driver that an NPU needs, the revision
 * identifies the NPU.
 */
#ifndef DEVICE_XDNA_KINDS_H
#define DEVICE_XDNA_KINDS_H

#include <stdbool.h>

enum { XDNA_VENDOR = 0x1022 };

struct xdna_kind {
	unsigned device;
	int revision;		/* -1: any */
	const char *name;	/* "npu4 (Strix)" */
	unsigned columns;	/* 0: the NPU has user-mode queues, which need
				   another interface */
	unsigned generation;	/* generation of its instruction streams
				   (model/txn.h); 0: user-mode queues */
};

/* Finds a device of XDNA_VENDOR; returns NULL if it is not in the table. */
const struct xdna_kind *xdna_find_kind(unsigned device, unsigned revision);

/* Returns whether the table has this device number, with any revision. */
bool xdna_is_npu(unsigned device);

#endif
