/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The state of a machine, from its /proc and /sys, or from those below another
 * folder: a container's view of its host, a copy, a test's own.  No file is
 * read further than a fixed length, and nothing but plain files is.
 */
#ifndef HOST_HOST_H
#define HOST_HOST_H

#include <stdbool.h>
#include <stddef.h>

#include "host/proc.h"

enum {
	HOST_NAME = 256,	/* bytes of a name, with the final NUL */
	HOST_ITEMS = 64,	/* sensors or disks that are kept */
};

/* A temperature in degrees Celsius, power in watts, or how full a disk is in
 * percent. */
struct host_item {
	char name[HOST_NAME];	/* longer ones are cut */
	double value;
};

struct host_items {
	struct host_item item[HOST_ITEMS];
	size_t n;
};

/* Whether name is one of list, "a,b,c". */
bool host_in_list(const char *list, const char *name);

/*
 * root is "" for this machine, else the folder that holds proc and sys.  The
 * messages of failures begin with the path of the file.
 */
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
 * Adds the thermal zones in the order of their numbers, named by their type
 * without a final "-thermal"; or the sensors of hwmon, "chip/label".  Sensors
 * of one name are one, the hottest.  Those that do not answer, or with what no
 * machine survives (below -100 or above 300), are left out.  No folder: none.
 */
void host_read_zones(const char *root, struct host_items *temps,
    struct npu_err *trouble);
void host_read_hwmon(const char *root, struct host_items *temps,
    struct npu_err *trouble);

/*
 * Adds the sensors of power of hwmon (power1_input), "chip/label", in watts,
 * those of one name one after the other; or the supplies that feed the machine
 * now and are measured (power_now, or voltage_now times current_now): a
 * battery that discharges, whatever else is on.  Supplies feed side by side, so
 * their sum is the machine's; chips may measure parts of one another.  What a
 * USB-C contract only allows is no measurement and left out.
 */
void host_read_power(const char *root, struct host_items *power,
    struct npu_err *trouble);
void host_read_supplies(const char *root, struct host_items *power,
    struct npu_err *trouble);

/* ---- What could not be read --------------------------------------------- */

/*
 * Who reads a machine leaves out what is not there.  What could not be read,
 * for want of memory or of descriptors or because a disk fails, must not be
 * taken for that: *trouble, zeroed before the first of them, keeps the first
 * such reason; code 0: there was none.  trouble may be NULL.
 */

/* Keeps err unless trouble has a reason; or err is of a file's contents, or an
 * answer: nothing is there, or it does not tell, or not us.  Its message begins
 * with the file's path. */
void host_note(struct npu_err *trouble, const struct npu_err *err);
/* The same of errno. */
void host_note_error(struct npu_err *trouble, const char *root,
    const char *path, int error);

/* ---- Shared by the files of this folder -------------------------------- */

/*
 * Less than size bytes of the plain file at root + path, followed by a NUL:
 * their number, or negative with errno as the detail.
 */
int host_read_file(const char *root, const char *path, char *p, size_t size,
    struct npu_err *err);

#endif
