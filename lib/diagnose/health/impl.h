/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the files here and by activity.c. */
#ifndef DIAGNOSE_HEALTH_IMPL_H
#define DIAGNOSE_HEALTH_IMPL_H

#include "diagnose/health/health.h"
#include "host/sys.h"

/* Reads facts: into what, and from where. */
struct health_reader {
	struct health *h;
	struct npu_err *trouble;	/* points into h */
	const char *root, *node;
	const struct npu_options *opt;
	const struct health_library *library;	/* NULL: it was not opened */
};

/* Sets a fact; "" leaves it unknown. */
void health_set_text(struct health *h, enum health_id id, const char *text);
void health_set_number(struct health *h, enum health_id id, uint64_t v);
/* The fact is hidden: we may not read path. */
void health_set_hidden(const struct health_reader *r, enum health_id id,
    const char *path);

/* Finds the platform device of the NPU; false: there is none. */
bool health_find_device(const char *root, char name[SYS_NAME],
    char modalias[SYS_WORD], struct npu_err *trouble);

/*
 * The parts of health_read() in files of their own: the module's file for this
 * kernel, the kernel's log, the vendor's packages, the library, whether it fits
 * the driver, and npu-serve's service.
 */
void health_read_module_file(const struct health_reader *r);
void health_read_log(const struct health_reader *r);
void health_read_packages(const struct health_reader *r);
void health_read_library(const struct health_reader *r);
void health_judge_pair(struct health *h);
void health_read_server(const struct health_reader *r);

enum health_machine health_judge_machine(const struct health *h,
    const struct npu_options *opt);

/* ---- Checks ------------------------------------------------------------ */

/* The command to suggest when nothing more is known. */
#define HEALTH_LOG "sudo dmesg | grep -i -e aipu -e npu"
/* What to do next is a command, as a shell takes it; the rest is a comment. */
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

enum { HEALTH_BOARD_CHECKS = 3, HEALTH_DRIVER_CHECKS = 7,
	HEALTH_SYSTEM_CHECKS = 4, HEALTH_LIBRARY_CHECKS = 6,
	HEALTH_SERVER_CHECKS = 1 };

extern const struct health_checker health_board[HEALTH_BOARD_CHECKS];
extern const struct health_checker health_driver[HEALTH_DRIVER_CHECKS];
extern const struct health_checker health_system[HEALTH_SYSTEM_CHECKS];
extern const struct health_checker health_libraries[HEALTH_LIBRARY_CHECKS];
extern const struct health_checker health_server[HEALTH_SERVER_CHECKS];

/* There is no board, so that nothing but that has failed. */
void health_excuse_missing_board(struct health_check *c, size_t n);

static inline bool
health_known(const struct health *h, enum health_id id)
{
	return h->fact[id].state == HEALTH_KNOWN;
}

/* The fact's text; "unknown", or who may read it if it is hidden. */
static inline const char *
health_value(const struct health *h, enum health_id id)
{
	return h->fact[id].state == HEALTH_UNKNOWN ? "unknown" :
	    h->fact[id].text;
}

#endif
