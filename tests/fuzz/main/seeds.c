/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TARGET DIR - runs a fuzz target once on each file of a folder, and prints how
 * many there were.  This is the main function of fuzz targets in trees without
 * libFuzzer: that of the sanitizers, and aarch64, where char is unsigned.
 */
#include <dirent.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n);
size_t LLVMFuzzerMutate(uint8_t *p, size_t n, size_t max);

/* Targets with a mutator of their own refer to it; seeds are not mutated. */
size_t
LLVMFuzzerMutate(uint8_t *p, size_t n, size_t max)
{
	(void)p;
	(void)n;
	(void)max;
	abort();
}

static _Noreturn void
fail(const char *what)
{
	fprintf(stderr, "seeds: %s\n", what);
	exit(2);
}

/* Gives the target a copy with no byte to spare, so that a sanitizer sees every
 * read beyond the end. */
static void
run(const char *path)
{
	struct npu_err err;
	struct buf b = { 0 };
	uint8_t *copy;

	if (file_load(path, SIZE_MAX, &b, &err) < 0)
		fail(err.msg);
	if ((copy = malloc(b.n > 0 ? b.n : 1)) == NULL)
		fail("out of memory");
	if (b.n > 0)
		memcpy(copy, b.p, b.n);
	LLVMFuzzerTestOneInput(copy, b.n);
	free(copy);
	buf_free(&b);
}

/* Targets with a program's code print what it prints. */
static FILE *
silence(void)
{
	FILE *out = fdopen(dup(STDOUT_FILENO), "w");
	int null = open("/dev/null", O_WRONLY);

	if (out == NULL || null < 0 || dup2(null, STDOUT_FILENO) < 0 ||
	    dup2(null, STDERR_FILENO) < 0)
		fail("cannot silence the target");
	close(null);
	return out;
}

int
main(int argc, char *argv[])
{
	struct dirent **list;
	char path[4096];
	int n, seeds = 0;
	FILE *out;

	if (argc != 2)
		fail("usage: TARGET DIR");
	if ((n = scandir(argv[1], &list, NULL, alphasort)) < 0)
		fail("cannot read the folder");
	out = silence();
	for (int i = 0; i < n; i++) {
		if (list[i]->d_name[0] != '.') {
			/* The last name is the culprit if the target ends. */
			fprintf(out, "%s\n", list[i]->d_name);
			fflush(out);
			snprintf(path, sizeof(path), "%s/%s", argv[1],
			    list[i]->d_name);
			run(path);
			seeds++;
		}
		free(list[i]);
	}
	free(list);
	fprintf(out, "%d seeds\n", seeds);
	return fclose(out) == 0 ? 0 : 2;
}
