/* SPDX-License-Identifier: Apache-2.0 */
/* The hardware of a machine and its settings: names, frequencies, governors. */
#ifndef HOST_MACHINE_H
#define HOST_MACHINE_H

#include <stdbool.h>

#include "base/bytes.h"
#include "host/host.h"

/*
 * The processors of /proc/cpuinfo: their "model name", or those of Arm by
 * implementer and part, "8 Cortex-A720, 4 Cortex-A520", in numbers if the name
 * is unknown, "0x61/0x22"; "" if the file has neither.
 */
void host_parse_cpuinfo(struct bytes b, char name[HOST_NAME]);

/*
 * "" if unknown.  The board is the device tree's model and, in brackets, its
 * first compatible string; or else the maker, product and board of DMI.  Its
 * firmware is DMI's maker and version, or U-Boot's.
 */
void host_read_cpu_name(const char *root, char name[HOST_NAME],
    struct npu_err *trouble);
void host_read_board(const char *root, char name[HOST_NAME],
    struct npu_err *trouble);
void host_read_firmware(const char *root, char name[HOST_NAME],
    struct npu_err *trouble);

/* A clock whose frequency can change: that of processors that share one
 * ("policy0"), or of a device of devfreq; the NPU of the Sky1 is "npu". */
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

/* Processors in the order of their numbers, then devices by name. */
void host_read_freqs(const char *root, struct host_freqs *f,
    struct npu_err *trouble);

/* Whether the governor changes the frequency with the load, so that a drop
 * means nothing. */
bool host_follows_load(const char *governor);

#endif
