// SPDX-License-Identifier: Apache-2.0
/*
 * mkpic - draws pictures of every kind, sound and damaged.
 *
 *	mkpic --list	prints name, a tab, and "sound" or lib/image's message
 *	mkpic FOLDER	writes all pictures except the large ones into FOLDER
 *	mkpic NAME >FILE
 */
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "picgen/pic.h"

static const struct pic *const tables[] = { jpeg_pics, jpeg_damages, png_pics,
    png_damages, ppm_pics, ppm_damages };

#define NTABLES (sizeof(tables) / sizeof(*tables))

static int
make(const struct pic *p, const char *path)
{
	FILE *f = path == NULL ? stdout : fopen(path, "wb");
	struct buf b = { 0 };
	int ok;

	if (f == NULL)
		return 1;
	p->make(&b, p);
	if (p->edit != NULL)
		p->edit(&b);
	ok = fwrite(b.p, 1, b.n, f) == b.n && fflush(f) == 0;
	if (f != stdout)
		fclose(f);
	buf_free(&b);
	return !ok;
}

static void
list(const struct pic *p)
{
	printf("%s\t%s\n", p->name, p->refused == NULL ? "sound" : p->refused);
}

static int
make_all(const char *folder)
{
	int failed = chdir(folder);

	for (size_t i = 0; i < NTABLES; i++)
		for (const struct pic *p = tables[i]; p->name != NULL; p++)
			if (strncmp(p->name, "big", 3) != 0)
				failed |= make(p, p->name);
	return failed;
}

int
main(int argc, char **argv)
{
	const char *what = argc == 2 ? argv[1] : "";
	struct stat st;

	if (stat(what, &st) == 0 && S_ISDIR(st.st_mode))
		return make_all(what);
	for (size_t i = 0; i < NTABLES; i++)
		for (const struct pic *p = tables[i]; p->name != NULL; p++)
			if (strcmp(what, "--list") == 0)
				list(p);
			else if (strcmp(what, p->name) == 0)
				return make(p, NULL);
	return strcmp(what, "--list") != 0;
}
