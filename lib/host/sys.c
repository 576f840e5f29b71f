// SPDX-License-Identifier: Apache-2.0
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/host.h"
#include "host/sys.h"

DIR *
sys_open_folder(const char *root, const char *path)
{
	char *full;
	DIR *d;

	if (asprintf(&full, "%s%s", root, path) < 0)
		return NULL;
	d = opendir(full);
	free(full);
	return d;
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
    const char *suffix, struct sys_numbers *found)
{
	DIR *d = sys_open_folder(root, path);
	const struct dirent *e;
	char *end;

	found->n = 0;
	while (d != NULL && found->n < SYS_FOLDERS &&
	    (e = readdir(d)) != NULL) {
		const char *digits = e->d_name + strlen(prefix);

		if (strncmp(e->d_name, prefix, strlen(prefix)) != 0 ||
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
sys_list_names(const char *root, const char *path, struct sys_names *found)
{
	DIR *d = sys_open_folder(root, path);
	const struct dirent *e;

	found->n = 0;
	while (d != NULL && found->n < SYS_NAMES && (e = readdir(d)) != NULL)
		if (e->d_name[0] != '.' && strlen(e->d_name) < SYS_NAME)
			strcpy(found->v[found->n++], e->d_name);
	if (d != NULL)
		closedir(d);
	qsort(found->v, found->n, sizeof(*found->v), by_name);
}

bool
sys_word(const char *root, const char *path, char word[SYS_WORD])
{
	if (host_read_file(root, path, word, SYS_WORD, NULL) < 0)
		return false;
	word[strcspn(word, "\n")] = '\0';
	return word[0] != '\0';
}

bool
sys_number(const char *root, const char *path, int64_t *v)
{
	char word[SYS_WORD];
	int n = host_read_file(root, path, word, SYS_WORD, NULL);

	return n >= 0 && host_parse_number((struct bytes){ (uint8_t *)word,
	    (size_t)n }, v, NULL) == 0;
}
