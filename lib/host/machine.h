/* SPDX-License-Identifier: Apache-2.0 */
/* The hardware of a machine and its settings: names, frequencies, governors. */
#ifndef HOST_MACHINE_H
#define HOST_MACHINE_H

#include <stdbool.h>

#include "base/bytes.h"
#include "host/host.h"

/*
 * Writes the names of the processors in /proc/cpuinfo: their "model name", or
 * else Arm's names by implementer and part, "8 Cortex-A720, 4 Cortex-A520", or
 * the numbers if a name is unknown, "0x61/0x22"; "" if the file has neither.
 */
void host_parse_cpuinfo(struct bytes b, char name[HOST_NAME]);

/*
 * Write a name, or "" if it is unknown.  The board is the device tree's model
 * and, in brackets, its first compatible string; or else the maker, product and
 * board from DMI.  Its firmware is the maker and version from DMI, or U-Boot's.
 */
void host_read_cpu_name(const char *root, char name[HOST_NAME],
    struct npu_err *trouble);
void host_read_board(const char *root, char name[HOST_NAME],
    struct npu_err *trouble);
void host_read_firmware(const char *root, char name[HOST_NAME],
    struct npu_err *trouble);

/* A clock whose frequency can change: the clock of processors that share one
 * ("policy0"), or the clock of a devfreq device.  The Sky1's NPU is "npu". */
struct host_freq {
	char name[64];
	char governor[64];	/* "": unknown */
	double mhz;		/* NAN: unknown */
	bool cpu;
};

struct host_freqs {
	struct host_freq freq[HOST_ITEMS];
	size_t n;
};

/* Reads processors in numerical order, then devices sorted by name. */
void host_read_freqs(const char *root, struct host_freqs *f,
    struct npu_err *trouble);

/* Returns whether the governor changes the frequency with the load.  With such
 * a governor, a drop means nothing. */
bool host_follows_load(const char *governor);

#endif
