/* SPDX-License-Identifier: Apache-2.0 */
/* Platform devices, which no bus can list: devices described by ACPI or a
 * device tree. */
#ifndef HOST_PLATFORM_H
#define HOST_PLATFORM_H

#include <stdbool.h>
#include <stddef.h>

#include "host/sys.h"

/*
 * Finds the first platform device, by name, whose modalias contains one of the
 * words, which NULL ends; sets its name and modalias.  Returns false if none
 * does.
 */
bool host_find_platform(const char *root, const char *const *words,
    char name[SYS_NAME], char modalias[SYS_WORD], struct npu_err *trouble);

/* Returns the number of names in a folder that begin with prefix; 0 also
 * without a folder. */
size_t host_count_names(const char *root, const char *path,
    const char *prefix, struct npu_err *trouble);

/* Copies the last part of a link's target; returns false if path is not a
 * link. */
bool host_link_name(const char *root, const char *path, char name[SYS_NAME],
    struct npu_err *trouble);

/* Returns whether a file or folder exists, even if we may not read it. */
bool host_exists(const char *root, const char *path, struct npu_err *trouble);

/* Writes who may read a file that we may not read: "group render", "user root";
 * "" if everybody may, or the file does not exist. */
void host_read_readers(const char *root, const char *path, char *who,
    size_t size);

/* Writes the same as a sentence: "group render may read /dev/aipu". */
void host_describe_readers(const char *root, const char *path, char *text,
    size_t size);

#endif
