/* SPDX-License-Identifier: Apache-2.0 */
/* Small files and folders of /sys, for the files of this folder. */
#ifndef HOST_SYS_H
#define HOST_SYS_H

#include <dirent.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "npu.h"

enum {
	SYS_FOLDERS = 1024,	/* zones, chips, policies that are looked at */
	SYS_NAMES = 64,		/* supplies or devices that are */
	SYS_NAME = 64,		/* bytes of such a name */
	SYS_WORD = 128,		/* bytes of a type, label or number */
	SYS_PATH = 160,
};

struct sys_numbers {
	unsigned long v[SYS_FOLDERS];
	size_t n;
};

struct sys_names {
	char v[SYS_NAMES][SYS_NAME];
	size_t n;
};

/* trouble: host.h, What could not be read.  NULL, and errno: it cannot be
 * opened. */
DIR *sys_open_folder(const char *root, const char *path,
    struct npu_err *trouble);
/* The next name in it; NULL at the end, or if it cannot be read any further,
 * and if d is NULL. */
const char *sys_next_name(DIR *d, const char *root, const char *path,
    struct npu_err *trouble);

/* The numbers between prefix and suffix in the names of a folder, sorted. */
void sys_list_numbers(const char *root, const char *path, const char *prefix,
    const char *suffix, struct sys_numbers *found, struct npu_err *trouble);
/* All names of a folder but those that begin with '.' or are too long, sorted.
 */
void sys_list_names(const char *root, const char *path,
    struct sys_names *found, struct npu_err *trouble);

/* The first line of a file; false if there is none. */
bool sys_word(const char *root, const char *path, char word[SYS_WORD],
    struct npu_err *trouble);
/* The number that a file holds; false if it holds none. */
bool sys_number(const char *root, const char *path, int64_t *v,
    struct npu_err *trouble);

#endif
