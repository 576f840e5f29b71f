// SPDX-License-Identifier: Apache-2.0
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cmd.h"
#include "project.h"

/*
 * The endings of the files that aiecc writes, as in STEM_mem_topology.json.
 * STEM is the design's name in older versions, and "main" or the device's name
 * in newer versions; some versions write names without "STEM_".
 */
enum { MEMORIES, KERNELS, PARTITION, PARTS };
static const char *const endings[PARTS] = { "mem_topology.json",
    "kernels.json", "aie_partition.json" };

struct candidates {
	char **name;		/* the array and names are owned; sorted */
	size_t n;
};

/* ---- The folder -------------------------------------------------------- */

/* Returns the number of bytes before the ending, "STEM_"; -1 if the name does
 * not have the ending. */
static int
stem_of(const char *name, int part)
{
	size_t n = strlen(name), end = strlen(endings[part]);

	if (n < end || strcmp(name + n - end, endings[part]) != 0 ||
	    (n > end && name[n - end - 1] != '_'))
		return -1;
	return (int)(n - end);
}

static void
add_candidate(struct candidates all[PARTS], const char *name)
{
	for (int i = 0; i < PARTS; i++) {
		struct candidates *c = &all[i];

		if (stem_of(name, i) < 0)
			continue;
		c->name = cmd_realloc(c->name, (c->n + 1) * sizeof(*c->name));
		c->name[c->n++] = cmd_copy(name);
	}
}

static int
by_name(const void *p, const void *q)
{
	return strcmp(*(char *const *)p, *(char *const *)q);
}

static void
read_folder(struct candidates all[PARTS], const char *folder)
{
	DIR *d = opendir(folder);
	struct dirent *e;

	if (d == NULL)
		cmd_die("--project: %s: %s", cmd_visible_name(folder),
		    strerror(errno));
	while (errno = 0, (e = readdir(d)) != NULL)
		add_candidate(all, e->d_name);
	if (errno != 0)
		cmd_die("--project: %s: %s", folder, strerror(errno));
	closedir(d);
	for (int i = 0; i < PARTS; i++)
		if (all[i].n > 0)
			qsort(all[i].name, all[i].n, sizeof(*all[i].name),
			    by_name);
}

/* ---- The choice -------------------------------------------------------- */

/* Returns the candidate that begins with the n bytes of stem, or NULL. */
static const char *
find_stem(const struct candidates *c, int part, const char *stem, int n)
{
	for (size_t i = 0; i < c->n; i++)
		if (stem_of(c->name[i], part) == n &&
		    strncmp(c->name[i], stem, (size_t)n) == 0)
			return c->name[i];
	return NULL;
}

/* Chooses the files of the first stem that has all three.  Returns the number
 * of such stems. */
static int
choose_stem(const struct candidates all[PARTS], const char *chosen[PARTS])
{
	const struct candidates *first = &all[MEMORIES];
	const char *one[PARTS];
	int found = 0;

	for (size_t i = 0; i < first->n; i++) {
		int n = stem_of(first->name[i], MEMORIES), parts = 0;

		for (int k = 0; k < PARTS; k++) {
			one[k] = find_stem(&all[k], k, first->name[i], n);
			parts += one[k] != NULL;
		}
		if (parts == PARTS && ++found == 1)
			memcpy(chosen, one, sizeof(one));
	}
	return found;
}

static _Noreturn void
refuse_missing(const char *folder, int part)
{
	cmd_die("--project: %s: has no file *%s; aiecc of mlir-aie writes it",
	    folder, endings[part]);
}

static _Noreturn void
refuse_several(const char *folder, const struct candidates *c)
{
	struct buf names = { 0 };

	for (size_t i = 0; i < c->n; i++)
		buf_printf(&names, "%s%s", i > 0 ? ", " : "", c->name[i]);
	cmd_check_buf(&names);
	cmd_die("--project: %s: has more than one design: %.*s; name the files "
	    "of one with --add-section and --add-kernel", folder,
	    (int)names.n, names.p);
}

static void
choose(const struct candidates all[PARTS], const char *folder,
    const char *chosen[PARTS])
{
	for (int i = 0; i < PARTS; i++)
		if (all[i].n == 0)
			refuse_missing(folder, i);
	if (choose_stem(all, chosen) == 1)
		return;
	for (int i = 0; i < PARTS; i++) {
		if (all[i].n > 1)
			refuse_several(folder, &all[i]);
		chosen[i] = all[i].name[0];
	}
}

void
project_find(struct project *p, const char *folder)
{
	struct candidates all[PARTS] = { { 0 } };
	const char *chosen[PARTS];

	read_folder(all, folder);
	choose(all, folder, chosen);
	p->memories = cmd_text("%s/%s", folder, chosen[MEMORIES]);
	p->kernels = cmd_text("%s/%s", folder, chosen[KERNELS]);
	p->partition = cmd_text("%s/%s", folder, chosen[PARTITION]);
	for (int i = 0; i < PARTS; i++) {
		for (size_t k = 0; k < all[i].n; k++)
			free(all[i].name[k]);
		free(all[i].name);
	}
}

void
project_free(struct project *p)
{
	free(p->memories);
	free(p->kernels);
	free(p->partition);
}
