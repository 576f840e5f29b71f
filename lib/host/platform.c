// SPDX-License-Identifier: Apache-2.0
#include <dirent.h>
#include <errno.h>
#include <grp.h>
#include <limits.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "host/host.h"
#include "host/platform.h"
#include "host/sys.h"

#define PLATFORM "/sys/bus/platform/devices"

enum { ENTRIES = 1 << 16 };	/* most names read from a folder */

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
    char name[SYS_NAME], char modalias[SYS_WORD], struct npu_err *trouble)
{
	DIR *d = sys_open_folder(root, PLATFORM, trouble);
	char path[SYS_PATH], alias[SYS_WORD];
	const char *next;
	bool found = false;

	for (int n = 0; n < ENTRIES &&
	    (next = sys_next_name(d, root, PLATFORM, trouble)) != NULL; n++) {
		if (next[0] == '.' || strlen(next) >= SYS_NAME ||
		    (found && strcmp(next, name) >= 0))
			continue;
		snprintf(path, sizeof(path), PLATFORM "/%.63s/modalias",
		    next);
		if (!sys_word(root, path, alias, trouble) || !has_word(alias,
		    words))
			continue;
		strcpy(name, next);
		strcpy(modalias, alias);
		found = true;
	}
	if (d != NULL)
		closedir(d);
	return found;
}

size_t
host_count_names(const char *root, const char *path, const char *prefix,
    struct npu_err *trouble)
{
	DIR *d = sys_open_folder(root, path, trouble);
	const char *name;
	size_t count = 0;

	for (int n = 0; n < ENTRIES &&
	    (name = sys_next_name(d, root, path, trouble)) != NULL; n++)
		count += strncmp(name, prefix, strlen(prefix)) == 0;
	if (d != NULL)
		closedir(d);
	return count;
}

bool
host_link_name(const char *root, const char *path, char name[SYS_NAME],
    struct npu_err *trouble)
{
	char target[PATH_MAX], *full, *last;
	ssize_t n;

	if (asprintf(&full, "%s%s", root, path) < 0) {
		host_note_error(trouble, root, path, ENOMEM);
		return false;
	}
	n = readlink(full, target, sizeof(target) - 1);
	if (n < 0)
		host_note_error(trouble, root, path, errno);
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
stat_file(const char *root, const char *path, struct stat *st,
    struct npu_err *trouble)
{
	char *full;
	int rc;

	if (asprintf(&full, "%s%s", root, path) < 0) {
		host_note_error(trouble, root, path, ENOMEM);
		return false;
	}
	rc = stat(full, st);
	if (rc < 0)
		host_note_error(trouble, root, path, errno);
	free(full);
	return rc == 0;
}

bool
host_exists(const char *root, const char *path, struct npu_err *trouble)
{
	struct stat st;

	return stat_file(root, path, &st, trouble);
}

void
host_read_readers(const char *root, const char *path, char *who, size_t size)
{
	char text[4096];
	struct passwd pw, *user = NULL;
	struct group gr, *group = NULL;
	struct stat st;

	*who = '\0';
	if (!stat_file(root, path, &st, NULL) || (st.st_mode & S_IROTH) != 0)
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
host_describe_readers(const char *root, const char *path, char *text,
    size_t size)
{
	char who[80];

	host_read_readers(root, path, who, sizeof(who));
	if (who[0] != '\0')
		snprintf(text, size, "%s may read %s", who, path);
	else
		snprintf(text, size, "the system does not let us read %s",
		    path);
}
