// SPDX-License-Identifier: Apache-2.0
/*
 * mktxn - writes an instruction stream for an AMD XDNA NPU, or a damaged one.
 *
 *	mktxn			prints the names, one on each line
 *	mktxn FOLDER		writes each to FOLDER/NAME, and in version 1.0
 *				to FOLDER/NAME.old
 *	mktxn NAME [old] >FILE
 */
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "txngen/txn_rows.h"

static int
make(size_t i, bool old, FILE *f)
{
	struct buf b = { 0 };
	bool failed;

	txn_row_make(i, old, &b);
	failed = b.failed || fwrite(b.p, 1, b.n, f) != b.n || fflush(f) != 0;
	buf_free(&b);
	return failed;
}

static int
make_file(size_t i, bool old)
{
	char name[100];
	int failed;
	FILE *f;

	snprintf(name, sizeof(name), "%s%s", txn_row_name(i),
	    old ? ".old" : "");
	if ((f = fopen(name, "wb")) == NULL)
		return 1;
	failed = make(i, old, f);
	fclose(f);
	return failed;
}

static int
make_all(const char *folder)
{
	int failed = chdir(folder);

	for (size_t i = 0; txn_row_name(i) != NULL && failed == 0; i++)
		failed = make_file(i, false) || make_file(i, true);
	return failed;
}

int
main(int argc, char *argv[])
{
	struct stat st;

	if (argc == 2 && stat(argv[1], &st) == 0 && S_ISDIR(st.st_mode))
		return make_all(argv[1]);
	for (size_t i = 0; txn_row_name(i) != NULL; i++)
		if (argc == 1)
			puts(txn_row_name(i));
		else if (strcmp(txn_row_name(i), argv[1]) == 0)
			return make(i, argc > 2, stdout);
	if (argc == 1)
		return 0;
	fprintf(stderr, "mktxn: no such name; mktxn alone lists them\n");
	return 2;
}
