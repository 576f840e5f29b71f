// SPDX-License-Identifier: Apache-2.0
/*
 * mkko - write a kernel module's file, or a damaged one.
 *
 *	mkko			the names, one a line
 *	mkko NAME [RELEASE] >FILE	for that kernel (6.6.89-cix)
 */
#include <stdio.h>
#include <string.h>

#include "kogen/ko.h"

int
main(int argc, char *argv[])
{
	struct buf b = { 0 };
	size_t i = 0;
	bool failed;

	for (; ko_name(i) != NULL; i++)
		if (argc == 1)
			puts(ko_name(i));
		else if (strcmp(ko_name(i), argv[1]) == 0)
			break;
	if (argc == 1)
		return 0;
	if (ko_name(i) == NULL) {
		fprintf(stderr, "mkko: no such name; mkko alone lists them\n");
		return 2;
	}
	ko_make(i, argc > 2 ? argv[2] : "6.6.89-cix", &b);
	failed = b.failed || fwrite(b.p, 1, b.n, stdout) != b.n ||
	    fflush(stdout) != 0;
	buf_free(&b);
	return failed;
}
