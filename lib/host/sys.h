/* SPDX-License-Identifier: Apache-2.0 */
/* Reads small files and folders of /sys, for the files of this folder. */
#ifndef HOST_SYS_H
#define HOST_SYS_H

#include <dirent.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "npu.h"

enum {
	SYS_FOLDERS = 1024,	/* most zones, chips or policies read */
	SYS_NAMES = 64,		/* most supplies or devices read */
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

/* trouble: see host.h, Failures to read.  Returns NULL with errno if the folder
 * cannot be opened. */
DIR *sys_open_folder(const char *root, const char *path,
    struct npu_err *trouble);
/* Returns the next name in a folder; NULL at the end, after a read error, or if
 * d is NULL. */
const char *sys_next_name(DIR *d, const char *root, const char *path,
    struct npu_err *trouble);

/* Lists the numbers between prefix and suffix in the names of a folder,
 * sorted. */
void sys_list_numbers(const char *root, const char *path, const char *prefix,
    const char *suffix, struct sys_numbers *found, struct npu_err *trouble);
/* Lists the names in a folder, sorted, except names that begin with '.' or are
 * too long. */
void sys_list_names(const char *root, const char *path,
    struct sys_names *found, struct npu_err *trouble);

/* Reads the first line of a file; returns false if the file does not exist or
 * the line is empty. */
bool sys_word(const char *root, const char *path, char word[SYS_WORD],
    struct npu_err *trouble);
/* Reads the number in a file; returns false if it has none. */
bool sys_number(const char *root, const char *path, int64_t *v,
    struct npu_err *trouble);

#endif
