// SPDX-License-Identifier: Apache-2.0
#include <stddef.h>

#include "device/xdna/kinds.h"

enum { ANY = -1 };

/*
 * Sources: drivers/accel/amdxdna of Linux 6.14 to 7.2, amdxdna_pci_drv.c
 * (numbers) and npu*_regs.c (names); columns as the firmware of each NPU
 * reports them.  The last six rows, with all their revisions, are from
 * amd/xdna-driver 856409ca.
 */
static const struct xdna_kind kinds[] = {
	{ 0x1502, 0x00, "npu1 (Phoenix, Hawk Point)", 5, 3 },
	{ 0x17f0, 0x00, "npu2", 8, 4 },
	{ 0x17f0, 0x10, "npu4 (Strix)", 8, 4 },
	{ 0x17f0, 0x11, "npu5 (Strix Halo)", 8, 4 },
	{ 0x17f0, 0x20, "npu6 (Krackan)", 8, 4 },
	{ 0x17f1, ANY, "npu3 or newer", 0, 0 },
	{ 0x17f2, ANY, "npu3 or newer", 0, 0 },
	{ 0x17f3, ANY, "npu3 or newer", 0, 0 },
	{ 0x1b0a, ANY, "npu3 or newer", 0, 0 },
	{ 0x1b0b, ANY, "npu3 or newer", 0, 0 },
	{ 0x1b0c, ANY, "npu3 or newer", 0, 0 },
};

enum { KINDS = sizeof(kinds) / sizeof(*kinds) };

const struct xdna_kind *
xdna_find_kind(unsigned device, unsigned revision)
{
	for (size_t i = 0; i < KINDS; i++)
		if (kinds[i].device == device && (kinds[i].revision == ANY ||
		    (unsigned)kinds[i].revision == revision))
			return &kinds[i];
	return NULL;
}

bool
xdna_is_npu(unsigned device)
{
	for (size_t i = 0; i < KINDS; i++)
		if (kinds[i].device == device)
			return true;
	return false;
}
