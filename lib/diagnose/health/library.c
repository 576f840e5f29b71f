// SPDX-License-Identifier: Apache-2.0
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device/noe.h"
#include "diagnose/health/impl.h"
#include "host/host.h"
#include "host/platform.h"
#include "host/sys.h"

/* Folders that the loader searches on the boards' systems, for a tree of
 * another machine. */
static const char *const folders[] = { "/usr/local/lib",
    "/usr/lib/aarch64-linux-gnu", "/usr/lib", "/usr/share/cix/lib" };

#define NFOLDERS (sizeof(folders) / sizeof(*folders))

/* Returns the generation in the library's name (noe-abi 10); 0 if the name does
 * not show it.  libnoe.so.0 belongs to packages 2.0.x. */
static unsigned
generation_of(const char *path)
{
	const char *name = strrchr(path, '/');
	unsigned long v;
	char *end;

	name = name != NULL ? name + 1 : path;
	if (strncmp(name, "libnoe.so.", 10) != 0 || name[10] < '0' ||
	    name[10] > '9')
		return 0;
	v = strtoul(name + 10, &end, 10);
	if (v > 99 || (*end != '\0' && *end != '.'))
		return 0;
	return v == 0 ? 2 : (unsigned)v;
}

/* Finds the first of the vendor's paths that exists in the tree; "" if none
 * exists. */
static void
find_file(const struct health_reader *r, bool versioned, char path[HEALTH_TEXT])
{
	const char *place;

	for (size_t i = 0; (place = noe_search_path(i)) != NULL; i++) {
		if (versioned && generation_of(place) == 0)
			continue;
		if (*place == '/') {
			snprintf(path, HEALTH_TEXT, "%s", place);
			if (host_exists(r->root, path, r->trouble))
				return;
			continue;
		}
		for (size_t k = 0; k < NFOLDERS; k++) {
			snprintf(path, HEALTH_TEXT, "%s/%s", folders[k],
			    place);
			if (host_exists(r->root, path, r->trouble))
				return;
		}
	}
	path[0] = '\0';
}

/* Prefers a name with a version, which packages install beside "libnoe.so". */
static void
look_for_library(const struct health_reader *r)
{
	const char *by_user = *r->root == '\0' ? noe_named_library(r->opt) :
	    NULL;
	char path[HEALTH_TEXT], named[HEALTH_TEXT] = "";

	if (by_user != NULL) {
		if (host_exists("", by_user, r->trouble))
			health_set_text(r->h, HEALTH_LIBRARY, by_user);
		if (generation_of(by_user) != 0)
			health_set_number(r->h, HEALTH_LIBRARY_GENERATION,
			    generation_of(by_user));
		return;
	}
	find_file(r, false, path);
	find_file(r, true, named);
	health_set_text(r->h, HEALTH_LIBRARY, named[0] != '\0' ? named : path);
	if (generation_of(named) != 0)
		health_set_number(r->h, HEALTH_LIBRARY_GENERATION,
		    generation_of(named));
}

int
health_inspect_library(const struct npu_options *opt, struct health_library *l)
{
	struct noe_about a;
	int rc = noe_inspect(opt, &a);

	if (rc < 0)
		return rc;
	snprintf(l->path, sizeof(l->path), "%s", a.path);
	snprintf(l->lacks, sizeof(l->lacks), "%s", a.lacks);
	l->emulator = a.emulator;
	l->generation = generation_of(a.path);
	if (l->generation == 0)
		l->generation = a.has_device_status ? 3 : 2;
	return 0;
}

static void
adopt_library(const struct health_reader *r)
{
	const struct health_library *l = r->library;

	health_set_text(r->h, HEALTH_LIBRARY, l->path);
	health_set_text(r->h, HEALTH_LIBRARY_LACKS, l->lacks[0] != '\0' ?
	    l->lacks : "nothing");
	health_set_number(r->h, HEALTH_LIBRARY_GENERATION, l->generation);
}

/* Finds "libaipudrv.so" in the library's folder. */
static bool
find_backend_beside(const struct health_reader *r, char path[HEALTH_TEXT])
{
	const char *library = r->h->fact[HEALTH_LIBRARY].text;
	const char *slash = strrchr(library, '/');

	if (slash == NULL)
		return false;
	snprintf(path, HEALTH_TEXT, "%.*s/libaipudrv.so",
	    (int)(slash - library), library);
	return host_exists(r->root, path, r->trouble);
}

/* Finds the back end, which libraries from 3.x on load (noe-abi 10). */
static void
look_for_backend(const struct health_reader *r)
{
	const char *named = *r->root == '\0' ? getenv("AIPU_LIB_PATH") : NULL;
	char path[HEALTH_TEXT];

	if (named != NULL && *named != '\0' && host_exists("", named,
	    r->trouble)) {
		health_set_text(r->h, HEALTH_LIBRARY_BACKEND, named);
		return;
	}
	if (find_backend_beside(r, path)) {
		health_set_text(r->h, HEALTH_LIBRARY_BACKEND, path);
		return;
	}
	for (size_t k = 0; k < NFOLDERS; k++) {
		snprintf(path, sizeof(path), "%s/libaipudrv.so", folders[k]);
		if (host_exists(r->root, path, r->trouble)) {
			health_set_text(r->h, HEALTH_LIBRARY_BACKEND, path);
			return;
		}
	}
}

/* Returns whether a configuration file of the loader has a line with exactly
 * this folder. */
static bool
names_folder(const struct health_reader *r, const char *file,
    const char *folder)
{
	char text[4096], *line, *rest;
	struct npu_err err;

	if (host_read_file(r->root, file, text, sizeof(text), &err) < 0) {
		host_note(r->trouble, &err);
		return false;
	}
	for (line = strtok_r(text, "\n", &rest); line != NULL;
	    line = strtok_r(NULL, "\n", &rest))
		if (strcmp(line, folder) == 0)
			return true;
	return false;
}

/*
 * Returns whether the loader searches the folder: its built-in folders
 * (ld.so(8)), and the folders that /etc/ld.so.conf includes on Debian and
 * Fedora.
 */
static bool
loader_looks_in(const struct health_reader *r, const char *folder)
{
	static const char *const own[] = { "/lib", "/usr/lib",
	    "/usr/local/lib", "/lib/aarch64-linux-gnu",
	    "/usr/lib/aarch64-linux-gnu" };
	struct sys_names names;
	char path[SYS_PATH];

	for (size_t i = 0; i < sizeof(own) / sizeof(*own); i++)
		if (strcmp(folder, own[i]) == 0)
			return true;
	if (names_folder(r, "/etc/ld.so.conf", folder))
		return true;
	sys_list_names(r->root, "/etc/ld.so.conf.d", &names, r->trouble);
	for (size_t i = 0; i < names.n; i++) {
		snprintf(path, sizeof(path), "/etc/ld.so.conf.d/%s",
		    names.v[i]);
		if (names_folder(r, path, folder))
			return true;
	}
	return false;
}

/* Reads whether other programs also find a library that we found by search. */
static void
read_listed(const struct health_reader *r)
{
	const struct health_fact *f = &r->h->fact[HEALTH_LIBRARY];
	char folder[HEALTH_TEXT], *slash;

	if (f->state != HEALTH_KNOWN || f->text[0] != '/' ||
	    (*r->root == '\0' && noe_named_library(r->opt) != NULL))
		return;
	snprintf(folder, sizeof(folder), "%s", f->text);
	slash = strrchr(folder, '/');
	*slash = '\0';
	health_set_text(r->h, HEALTH_LIBRARY_LISTED,
	    loader_looks_in(r, folder) ? "yes" : "no");
}

void
health_read_library(const struct health_reader *r)
{
	if (r->library != NULL && r->library->emulator) {
		snprintf(r->h->emulator, sizeof(r->h->emulator), "%s",
		    r->library->path);
		return;
	}
	if (r->library != NULL)
		adopt_library(r);
	else
		look_for_library(r);
	read_listed(r);
	look_for_backend(r);
}
