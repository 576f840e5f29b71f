// SPDX-License-Identifier: Apache-2.0
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/host.h"
#include "host/sys.h"

DIR *
sys_open_folder(const char *root, const char *path, struct npu_err *trouble)
{
	char *full;
	int error;
	DIR *d;

	if (asprintf(&full, "%s%s", root, path) < 0) {
		host_note_error(trouble, root, path, errno = ENOMEM);
		return NULL;
	}
	d = opendir(full);
	error = errno;
	if (d == NULL)
		host_note_error(trouble, root, path, error);
	free(full);
	errno = error;
	return d;
}

const char *
sys_next_name(DIR *d, const char *root, const char *path,
    struct npu_err *trouble)
{
	const struct dirent *e;

	if (d == NULL)
		return NULL;
	errno = 0;
	if ((e = readdir(d)) != NULL)
		return e->d_name;
	if (errno != 0)
		host_note_error(trouble, root, path, errno);
	return NULL;
}

static int
by_value(const void *a, const void *b)
{
	unsigned long x = *(const unsigned long *)a;
	unsigned long y = *(const unsigned long *)b;

	return x < y ? -1 : x > y;
}

void
sys_list_numbers(const char *root, const char *path, const char *prefix,
    const char *suffix, struct sys_numbers *found, struct npu_err *trouble)
{
	DIR *d = sys_open_folder(root, path, trouble);
	const char *name, *digits;
	char *end;

	found->n = 0;
	while (found->n < SYS_FOLDERS &&
	    (name = sys_next_name(d, root, path, trouble)) != NULL) {
		digits = name + strlen(prefix);
		if (strncmp(name, prefix, strlen(prefix)) != 0 ||
		    *digits < '0' || *digits > '9')
			continue;
		found->v[found->n] = strtoul(digits, &end, 10);
		found->n += strcmp(end, suffix) == 0;
	}
	if (d != NULL)
		closedir(d);
	qsort(found->v, found->n, sizeof(*found->v), by_value);
}

static int
by_name(const void *a, const void *b)
{
	return strcmp(a, b);
}

void
sys_list_names(const char *root, const char *path, struct sys_names *found,
    struct npu_err *trouble)
{
	DIR *d = sys_open_folder(root, path, trouble);
	const char *name;

	found->n = 0;
	while (found->n < SYS_NAMES &&
	    (name = sys_next_name(d, root, path, trouble)) != NULL)
		if (name[0] != '.' && strlen(name) < SYS_NAME)
			strcpy(found->v[found->n++], name);
	if (d != NULL)
		closedir(d);
	qsort(found->v, found->n, sizeof(*found->v), by_name);
}

static int
read_small(const char *root, const char *path, char word[SYS_WORD],
    struct npu_err *trouble)
{
	struct npu_err err;
	int n = host_read_file(root, path, word, SYS_WORD, &err);

	if (n < 0)
		host_note(trouble, &err);
	return n;
}

bool
sys_word(const char *root, const char *path, char word[SYS_WORD],
    struct npu_err *trouble)
{
	if (read_small(root, path, word, trouble) < 0)
		return false;
	word[strcspn(word, "\n")] = '\0';
	return word[0] != '\0';
}

bool
sys_number(const char *root, const char *path, int64_t *v,
    struct npu_err *trouble)
{
	char word[SYS_WORD];
	int n = read_small(root, path, word, trouble);

	return n >= 0 && host_parse_number((struct bytes){ (uint8_t *)word,
	    (size_t)n }, v, NULL) == 0;
}
