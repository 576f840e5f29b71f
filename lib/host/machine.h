/* SPDX-License-Identifier: Apache-2.0 */
/* What a machine is, and how it is set: names, frequencies, governors. */
#ifndef HOST_MACHINE_H
#define HOST_MACHINE_H

#include <stdbool.h>

#include "base/bytes.h"
#include "host/host.h"

/*
 * The processors of /proc/cpuinfo: their "model name", or those of Arm by their
 * implementer and part, "8 Cortex-A720, 4 Cortex-A520", which are numbers where
 * there is no name, "0x61/0x22"; "" if the file says neither.
 */
void host_parse_cpuinfo(struct bytes b, char name[HOST_NAME]);

/*
 * "" where nothing says it.  The board: the device tree's model and, in
 * brackets, what it is compatible with first; else the maker, product and board
 * of DMI.  Its firmware: DMI's maker and version, or U-Boot's.
 */
void host_read_cpu_name(const char *root, char name[HOST_NAME],
    struct npu_err *trouble);
void host_read_board(const char *root, char name[HOST_NAME],
    struct npu_err *trouble);
void host_read_firmware(const char *root, char name[HOST_NAME],
    struct npu_err *trouble);

/* A clock that can be slowed down: processors that share one ("policy0"), or a
 * device of devfreq; the NPU of the Sky1 is "npu". */
struct host_freq {
	char name[64];
	char governor[64];	/* "": not known */
	double mhz;		/* NAN: not known */
	bool cpu;
};

struct host_freqs {
	struct host_freq freq[HOST_ITEMS];
	size_t n;
};

/* Processors in the order of their numbers, then devices by name. */
void host_read_freqs(const char *root, struct host_freqs *f,
    struct npu_err *trouble);

/* Whether the governor moves the frequency with the load, so that one which
 * drops tells nothing. */
bool host_follows_load(const char *governor);

#endif
