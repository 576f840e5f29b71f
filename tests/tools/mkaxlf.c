// SPDX-License-Identifier: Apache-2.0
/*
 * mkaxlf - write an xclbin container, or a damaged one.
 *
 *	mkaxlf			prints the names, one on each line
 *	mkaxlf FOLDER		writes each container to FOLDER/NAME
 *	mkaxlf NAME >FILE	writes one container
 */
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "axlfgen/axlf.h"

static int
make(const char *name, FILE *f)
{
	struct buf b = { 0 };
	bool failed;

	axlfgen_named(name, &b);
	failed = b.failed || fwrite(b.p, 1, b.n, f) != b.n || fflush(f) != 0;
	buf_free(&b);
	return failed;
}

static int
make_all(const char *folder)
{
	int failed = chdir(folder);
	FILE *f;

	for (size_t i = 0; axlfgen_name(i) != NULL && failed == 0; i++) {
		if ((f = fopen(axlfgen_name(i), "wb")) == NULL)
			return 1;
		failed = make(axlfgen_name(i), f);
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
	if (argc == 2)
		return make(argv[1], stdout);
	for (size_t i = 0; axlfgen_name(i) != NULL; i++)
		puts(axlfgen_name(i));
	return 0;
}
