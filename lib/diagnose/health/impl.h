/* SPDX-License-Identifier: Apache-2.0 */
/* Declarations shared by the files of this folder and activity.c. */
#ifndef DIAGNOSE_HEALTH_IMPL_H
#define DIAGNOSE_HEALTH_IMPL_H

#include "diagnose/health/health.h"
#include "host/sys.h"

/* Where facts are read from, and where they are stored. */
struct health_reader {
	struct health *h;
	struct npu_err *trouble;	/* points into h */
	const char *root, *node;
	const struct npu_options *opt;
	const struct health_library *library;	/* NULL: not opened */
};

/* Sets a fact; "" leaves it unknown. */
void health_set_text(struct health *h, enum health_id id, const char *text);
void health_set_number(struct health *h, enum health_id id, uint64_t v);
/* Marks the fact as hidden, because we may not read path. */
void health_set_hidden(const struct health_reader *r, enum health_id id,
    const char *path);

/* Finds the NPU's platform device; returns false if none is found. */
bool health_find_device(const char *root, char name[SYS_NAME],
    char modalias[SYS_WORD], struct npu_err *trouble);

/*
 * Parts of health_read() in separate files.  They read the module's file for
 * this kernel, the kernel's log, the vendor's packages and the library, judge
 * whether the library fits the driver, and read npu-serve's service.
 */
void health_read_module_file(const struct health_reader *r);
void health_read_log(const struct health_reader *r);
void health_read_smmu(const struct health_reader *r);
void health_read_packages(const struct health_reader *r);
void health_read_library(const struct health_reader *r);
void health_judge_pair(struct health *h);
void health_read_server(const struct health_reader *r);

enum health_machine health_judge_machine(const struct health *h,
    const struct npu_options *opt);

/* Returns whether the root is a container's. */
bool health_is_container(const struct health_reader *r);

/* ---- Checks ------------------------------------------------------------ */

/* The command to suggest if nothing more specific is known. */
#define HEALTH_LOG "sudo dmesg | grep -i -e aipu -e npu"
/* Advice is a command that can be typed into a shell; the rest is a comment. */
#define HEALTH_NEXT_EMULATOR "npu-info --doctor -d emu"
#define HEALTH_NEXT_FIRMWARE "cat /sys/class/dmi/id/bios_version  # update " \
	"the firmware"
#define HEALTH_NEXT_MENU "systemctl reboot --firmware-setup  # "
#define HEALTH_NEXT_CORES "sudo npu-kmd ssdt add  # or update the firmware"
/* '@' stands for the module's name. */
#define HEALTH_NEXT_VERIFY "npu-kmd verify \"$(modinfo -n @)\""

struct health_checker {
	const char *name;
	void (*check)(const struct health *h, struct health_check *c);
};

enum { HEALTH_BOARD_CHECKS = 4, HEALTH_DRIVER_CHECKS = 7,
	HEALTH_SYSTEM_CHECKS = 4, HEALTH_LIBRARY_CHECKS = 6,
	HEALTH_SERVER_CHECKS = 1 };

/* A check of health_board. */
void health_check_smmu(const struct health *h, struct health_check *c);

extern const struct health_checker health_board[HEALTH_BOARD_CHECKS];
extern const struct health_checker health_driver[HEALTH_DRIVER_CHECKS];
extern const struct health_checker health_system[HEALTH_SYSTEM_CHECKS];
extern const struct health_checker health_libraries[HEALTH_LIBRARY_CHECKS];
extern const struct health_checker health_server[HEALTH_SERVER_CHECKS];

/* For a machine without a board: skips the checks that are not ok.  "device"
 * fails, and a failure of "log" stays. */
void health_excuse_missing_board(struct health_check *c, size_t n);

/* For a container without the node: the node is a matter of its start, and
 * modules and the log are the board's. */
void health_excuse_container(struct health_check *c, size_t n);

static inline bool
health_known(const struct health *h, enum health_id id)
{
	return h->fact[id].state == HEALTH_KNOWN;
}

/* Returns the fact's text; "unknown", or who may read the fact if it is
 * hidden. */
static inline const char *
health_value(const struct health *h, enum health_id id)
{
	return h->fact[id].state == HEALTH_UNKNOWN ? "unknown" :
	    h->fact[id].text;
}

#endif
