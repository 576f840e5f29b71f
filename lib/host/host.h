/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The state of a machine, from its /proc and /sys, or from those below another
 * folder: a container's view of its host, a copy, a test's.  Only plain files
 * are read, and each only up to a fixed length.
 */
#ifndef HOST_HOST_H
#define HOST_HOST_H

#include <stdbool.h>
#include <stddef.h>

#include "host/proc.h"

enum {
	HOST_NAME = 256,	/* bytes of a name, with the final NUL */
	HOST_ITEMS = 64,	/* sensors or disks, kept at most */
};

/* A temperature in degrees Celsius, power in watts, or the used share of a disk
 * in percent. */
struct host_item {
	char name[HOST_NAME];	/* longer ones are cut */
	double value;
};

struct host_items {
	struct host_item item[HOST_ITEMS];
	size_t n;
};

/* Whether name is in list, "a,b,c". */
bool host_in_list(const char *list, const char *name);

/* root is "" for this machine, else the folder with its proc and sys.  Error
 * messages begin with the path of the file. */
int host_read_name(const char *root, char name[HOST_NAME],
    struct npu_err *err);
int host_read_cpu(const char *root, struct host_cpu *c, struct npu_err *err);
int host_read_memory(const char *root, struct host_memory *m,
    struct npu_err *err);
int host_read_load(const char *root, double *load, struct npu_err *err);
/* The disks of host_parse_mounts() that are folders, in their order. */
int host_read_disks(const char *root, struct host_items *disks,
    struct npu_err *trouble, struct npu_err *err);

/*
 * Add the thermal zones in the order of their numbers, named by their type
 * without a final "-thermal"; or the sensors of hwmon, "chip/label".  Of
 * sensors with the same name, the hottest is kept.  Sensors that do not answer,
 * or report a temperature that no machine survives (below -100 or above 300),
 * are left out.  No folder: none.
 */
void host_read_zones(const char *root, struct host_items *temps,
    struct npu_err *trouble);
void host_read_hwmon(const char *root, struct host_items *temps,
    struct npu_err *trouble);

/*
 * Add the power sensors of hwmon (power1_input), "chip/label", in watts, those
 * of one name one after the other; or the supplies that power the machine now
 * and are measured (power_now, or voltage_now times current_now): a battery
 * that discharges counts even beside a charger.  Supplies work side by side, so
 * their sum is the machine's power; chips may measure parts of one another.
 * The limit of a USB-C contract is not a measurement and is left out.
 */
void host_read_power(const char *root, struct host_items *power,
    struct npu_err *trouble);
void host_read_supplies(const char *root, struct host_items *power,
    struct npu_err *trouble);

/* ---- Failures to read --------------------------------------------------- */

/*
 * Readers leave out what a machine does not have.  A file that could not be
 * read, because memory or descriptors are short or a disk fails, must not be
 * mistaken for that: *trouble, zeroed before the first call, keeps the first
 * such error; code 0: none.  trouble may be NULL.
 */

/*
 * Keeps err in *trouble, unless it has one already, or err concerns a file's
 * contents, or is an answer: that nothing is there, that there is no value, or
 * that we may not read it.  err's message begins with the file's path.
 */
void host_note(struct npu_err *trouble, const struct npu_err *err);
/* The same for an errno. */
void host_note_error(struct npu_err *trouble, const char *root,
    const char *path, int error);

/* ---- Shared by the files of this folder -------------------------------- */

/* Reads less than size bytes of the plain file at root + path, and adds a NUL.
 * Returns their number, or negative with errno as the detail. */
int host_read_file(const char *root, const char *path, char *p, size_t size,
    struct npu_err *err);
/* The same into *text, which takes what the file needs and is to be freed; NULL
 * on failure. */
int host_load_file(const char *root, const char *path, size_t size, char **text,
    struct npu_err *err);

#endif
