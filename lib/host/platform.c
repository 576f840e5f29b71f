// SPDX-License-Identifier: Apache-2.0
#include <dirent.h>
#include <grp.h>
#include <limits.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "host/platform.h"
#include "host/sys.h"

#define PLATFORM "/sys/bus/platform/devices"

enum { ENTRIES = 1 << 16 };	/* names of a folder that are looked at */

static bool
has_word(const char *text, const char *const *words)
{
	for (; *words != NULL; words++)
		if (strstr(text, *words) != NULL)
			return true;
	return false;
}

bool
host_find_platform(const char *root, const char *const *words,
    char name[SYS_NAME], char modalias[SYS_WORD])
{
	DIR *d = sys_open_folder(root, PLATFORM);
	char path[SYS_PATH], alias[SYS_WORD];
	const struct dirent *e;
	bool found = false;

	for (int n = 0; d != NULL && n < ENTRIES && (e = readdir(d)) != NULL;
	    n++) {
		if (e->d_name[0] == '.' || strlen(e->d_name) >= SYS_NAME ||
		    (found && strcmp(e->d_name, name) >= 0))
			continue;
		snprintf(path, sizeof(path), PLATFORM "/%.63s/modalias",
		    e->d_name);
		if (!sys_word(root, path, alias) || !has_word(alias, words))
			continue;
		strcpy(name, e->d_name);
		strcpy(modalias, alias);
		found = true;
	}
	if (d != NULL)
		closedir(d);
	return found;
}

size_t
host_count_names(const char *root, const char *path, const char *prefix)
{
	DIR *d = sys_open_folder(root, path);
	const struct dirent *e;
	size_t count = 0;

	for (int n = 0; d != NULL && n < ENTRIES && (e = readdir(d)) != NULL;
	    n++)
		count += strncmp(e->d_name, prefix, strlen(prefix)) == 0;
	if (d != NULL)
		closedir(d);
	return count;
}

bool
host_link_name(const char *root, const char *path, char name[SYS_NAME])
{
	char target[PATH_MAX], *full, *last;
	ssize_t n;

	if (asprintf(&full, "%s%s", root, path) < 0)
		return false;
	n = readlink(full, target, sizeof(target) - 1);
	free(full);
	if (n <= 0)
		return false;
	target[n] = '\0';
	last = strrchr(target, '/');
	last = last != NULL ? last + 1 : target;
	if (*last == '\0' || strlen(last) >= SYS_NAME)
		return false;
	strcpy(name, last);
	return true;
}

static bool
stat_file(const char *root, const char *path, struct stat *st)
{
	char *full;
	int rc;

	if (asprintf(&full, "%s%s", root, path) < 0)
		return false;
	rc = stat(full, st);
	free(full);
	return rc == 0;
}

bool
host_exists(const char *root, const char *path)
{
	struct stat st;

	return stat_file(root, path, &st);
}

void
host_read_readers(const char *root, const char *path, char *who, size_t size)
{
	char text[4096];
	struct passwd pw, *user = NULL;
	struct group gr, *group = NULL;
	struct stat st;

	*who = '\0';
	if (!stat_file(root, path, &st) || (st.st_mode & S_IROTH) != 0)
		return;
	if ((st.st_mode & S_IRGRP) != 0 && st.st_gid != 0) {
		if (getgrgid_r(st.st_gid, &gr, text, sizeof(text), &group) ==
		    0 && group != NULL)
			snprintf(who, size, "group %s", group->gr_name);
		else
			snprintf(who, size, "group %lu",
			    (unsigned long)st.st_gid);
		return;
	}
	if (getpwuid_r(st.st_uid, &pw, text, sizeof(text), &user) == 0 &&
	    user != NULL)
		snprintf(who, size, "user %s", user->pw_name);
	else
		snprintf(who, size, "user %lu", (unsigned long)st.st_uid);
}

void
host_say_readers(const char *root, const char *path, char *text, size_t size)
{
	char who[80];

	host_read_readers(root, path, who, sizeof(who));
	if (who[0] != '\0')
		snprintf(text, size, "%s may read %s", who, path);
	else
		snprintf(text, size, "the system does not let us read %s",
		    path);
}
