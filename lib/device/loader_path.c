// SPDX-License-Identifier: Apache-2.0
/*
 * Where glibc's dlopen() looks for a name (ld.so(8)): among the loaded objects,
 * in the folders of LD_LIBRARY_PATH, a RUNPATH and the system, and in the
 * cache.  Only one property of the cache's format is used: it contains the name
 * of each of its libraries.
 */
#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "device/loader_path.h"

#define CACHE "/etc/ld.so.cache"

static bool
is_bare(const char *name)
{
	return strchr(name, '/') == NULL;
}

/* ---- Objects that are loaded --------------------------------------------- */

struct bare_names {
	const char *const *name;
	size_t n;
};

/* Matches any libnoe: the loader compares sonames, and a loaded file may have
 * another name than its soname. */
static int
is_loaded(struct dl_phdr_info *info, size_t size, void *arg)
{
	const char *slash = strrchr(info->dlpi_name, '/');

	(void)size;
	(void)arg;
	return slash != NULL && strncmp(slash, "/libnoe", 7) == 0;
}

/* ---- The cache ----------------------------------------------------------- */

/* Returns how long the beginning is that all bare names have, and sets *begin
 * to a name with it.  To search for it takes a fifth of the time that searching
 * for five names takes. */
static size_t
common_begin(const struct bare_names *names, const char **begin)
{
	size_t most = 0, n;

	*begin = NULL;
	for (size_t i = 0; i < names->n; i++) {
		const char *name = names->name[i];

		if (!is_bare(name))
			continue;
		if (*begin == NULL) {
			*begin = name;
			most = strlen(name);
		}
		for (n = 0; n < most && name[n] == (*begin)[n];)
			n++;
		most = n;
	}
	return most;
}

/* Reads small parts: the page faults of a larger buffer would cost more than
 * reading. */
static bool
file_may_have(int fd, const struct bare_names *names)
{
	char part[4096];
	const char *begin;
	size_t length = common_begin(names, &begin), kept = 0, at;
	ssize_t n;

	if (length == 0 || length > sizeof(part) / 2)
		return begin != NULL;
	while ((n = read(fd, part + kept, sizeof(part) - kept)) > 0) {
		at = kept + (size_t)n;
		if (memmem(part, at, begin, length) != NULL)
			return true;
		/* A name may continue in the next part. */
		kept = at < length ? at : length - 1;
		memmove(part, part + at - kept, kept);
	}
	return n < 0;
}

/* Returns true without a cache: such a system is unknown to us. */
static bool
cache_may_have(const struct bare_names *names)
{
	int fd = open(CACHE, O_RDONLY | O_CLOEXEC);
	bool may = fd < 0 || file_may_have(fd, names);

	if (fd >= 0)
		close(fd);
	return may;
}

/* ---- Folders ------------------------------------------------------------- */

static bool
folder_has(const char *folder, const struct bare_names *names)
{
	char path[PATH_MAX];
	int n;

	for (size_t i = 0; i < names->n; i++) {
		if (!is_bare(names->name[i]))
			continue;
		n = snprintf(path, sizeof(path), "%s/%s", folder,
		    names->name[i]);
		if (n >= (int)sizeof(path) || access(path, F_OK) == 0)
			return true;
	}
	return false;
}

/* Returns the folders that the loader searches for this program; NULL if
 * unknown. */
static Dl_serinfo *
search_folders(void *program)
{
	Dl_serinfo size, *info;

	if (dlinfo(program, RTLD_DI_SERINFOSIZE, &size) != 0 ||
	    (info = calloc(1, size.dls_size)) == NULL)
		return NULL;
	info->dls_size = size.dls_size;
	info->dls_cnt = size.dls_cnt;
	if (dlinfo(program, RTLD_DI_SERINFO, info) == 0)
		return info;
	free(info);
	return NULL;
}

static bool
folders_may_have(const struct bare_names *names)
{
	void *program = dlopen(NULL, RTLD_LAZY);
	Dl_serinfo *info = program != NULL ? search_folders(program) : NULL;
	bool may = info == NULL;

	for (unsigned i = 0; info != NULL && i < info->dls_cnt && !may; i++)
		may = folder_has(info->dls_serpath[i].dls_name, names);
	free(info);
	if (program != NULL)
		dlclose(program);
	return may;
}

bool
loader_may_find(const char *const *name, size_t n)
{
	const struct bare_names names = { name, n };

	/* The loader does not search the working directory, but a file there is
	 * reported. */
	return dl_iterate_phdr(is_loaded, NULL) != 0 ||
	    folder_has(".", &names) || folders_may_have(&names) ||
	    cache_may_have(&names);
}
