/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads the state of a machine from /proc and /sys, or from copies of these
 * below another folder: a container's view of its host, another machine's, a
 * test's.  Reads only plain files, and each only up to a fixed length.
 */
#ifndef HOST_HOST_H
#define HOST_HOST_H

#include <stdbool.h>
#include <stddef.h>

#include "host/proc.h"

enum {
	HOST_NAME = 256,	/* bytes of a name, with the final NUL */
	HOST_ITEMS = 64,	/* most sensors or disks kept */
};

/* A temperature in degrees Celsius, power in watts, or the used share of a disk
 * in percent. */
struct host_item {
	char name[HOST_NAME];	/* cut if longer */
	double value;
};

struct host_items {
	struct host_item item[HOST_ITEMS];
	size_t n;
};

/* Returns whether name is in list, such as "a,b,c". */
bool host_in_list(const char *list, const char *name);

/* root is "" for this machine, or else the folder with another machine's proc
 * and sys.  Error messages begin with the path of the file. */
int host_read_name(const char *root, char name[HOST_NAME],
    struct npu_err *err);
int host_read_cpu(const char *root, struct host_cpu *c, struct npu_err *err);
int host_read_memory(const char *root, struct host_memory *m,
    struct npu_err *err);
int host_read_load(const char *root, double *load, struct npu_err *err);
/* Reads the disks found by host_parse_mounts() that are folders, in the same
 * order. */
int host_read_disks(const char *root, struct host_items *disks,
    struct npu_err *trouble, struct npu_err *err);

/*
 * Add temperatures: host_read_zones() the thermal zones in numerical order,
 * named by their type without a final "-thermal"; host_read_hwmon() the sensors
 * of hwmon, named "chip/label".  If sensors have the same name, only the
 * hottest is kept.  Sensors that do not answer, or report a temperature that no
 * machine survives (below -100 or above 300), are left out.  If the folder does
 * not exist, nothing is added.
 */
void host_read_zones(const char *root, struct host_items *temps,
    struct npu_err *trouble);
void host_read_hwmon(const char *root, struct host_items *temps,
    struct npu_err *trouble);

/*
 * Add power: host_read_power() the power sensors of hwmon (power1_input) in
 * watts, named "chip/label", with sensors of the same name one after the other;
 * host_read_supplies() the supplies that power the machine now and are measured
 * (power_now, or voltage_now times current_now).  A battery that discharges
 * counts even if a charger is connected.  Supplies work in parallel, so their
 * sum is the machine's power; a chip's sensor may include another chip's power.
 * The limit of a USB-C contract is not a measurement and is left out.
 */
void host_read_power(const char *root, struct host_items *power,
    struct npu_err *trouble);
void host_read_supplies(const char *root, struct host_items *power,
    struct npu_err *trouble);

/* ---- Failures to read --------------------------------------------------- */

/*
 * Readers skip what a machine does not have.  This must not be confused with a
 * file that could not be read because memory or descriptors are short or a disk
 * fails.  *trouble, zeroed before the first call, therefore keeps the first
 * such error; code 0: none.  trouble may be NULL.
 */

/*
 * Keeps err in *trouble, unless *trouble already has an error, err concerns a
 * file's contents, or err is a valid answer: nothing exists there, the file has
 * no value, or we may not read it.  The message of err begins with the file's
 * path.
 */
void host_note(struct npu_err *trouble, const struct npu_err *err);
/* Does the same for an errno. */
void host_note_error(struct npu_err *trouble, const char *root,
    const char *path, int error);

/* ---- Shared by the files of this folder -------------------------------- */

/* Reads less than size bytes of the plain file at root + path, and adds a NUL.
 * Returns the number of bytes, or negative with errno as the detail. */
int host_read_file(const char *root, const char *path, char *p, size_t size,
    struct npu_err *err);
/* Does the same with a buffer of the size that the file needs.  The caller
 * frees *text; it is NULL on failure. */
int host_load_file(const char *root, const char *path, size_t size, char **text,
    struct npu_err *err);

#endif
