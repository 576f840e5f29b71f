// SPDX-License-Identifier: Apache-2.0
/*
 * mkko - write a kernel module's file, or a damaged one.
 *
 *	mkko			prints the names, one on each line
 *	mkko FOLDER		writes each module to FOLDER/NAME
 *	mkko NAME [RELEASE] >FILE	writes one for this kernel (6.6.89-cix)
 */
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "kogen/ko.h"

#define RELEASE "6.6.89-cix"

static int
make(size_t i, const char *release, FILE *f)
{
	struct buf b = { 0 };
	bool failed;

	ko_make(i, release, &b);
	failed = b.failed || fwrite(b.p, 1, b.n, f) != b.n || fflush(f) != 0;
	buf_free(&b);
	return failed;
}

static int
make_all(const char *folder)
{
	int failed = chdir(folder);
	FILE *f;

	for (size_t i = 0; ko_name(i) != NULL && failed == 0; i++) {
		if ((f = fopen(ko_name(i), "wb")) == NULL)
			return 1;
		failed = make(i, RELEASE, f);
		fclose(f);
	}
	return failed;
}

int
main(int argc, char *argv[])
{
	struct stat st;

	if (argc == 2 && stat(argv[1], &st) == 0 && S_ISDIR(st.st_mode))
		return make_all(argv[1]);
	for (size_t i = 0; ko_name(i) != NULL; i++)
		if (argc == 1)
			puts(ko_name(i));
		else if (strcmp(ko_name(i), argv[1]) == 0)
			return make(i, argc > 2 ? argv[2] : RELEASE, stdout);
	if (argc == 1)
		return 0;
	fprintf(stderr, "mkko: no such name; mkko alone lists them\n");
	return 2;
}
