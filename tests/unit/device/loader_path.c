// SPDX-License-Identifier: Apache-2.0
/* Where the loader looks for a file name: as described in ld.so(8), and as
 * dlopen() does. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "device/loader_path.h"
#include "tap.h"

#define ONE(name) (&(const char *const){ name }), 1

static void
in_working_directory(void)
{
	char folder[] = "/tmp/loader_path.XXXXXX";
	FILE *f;

	if (!ok(mkdtemp(folder) != NULL && chdir(folder) == 0,
	    "the test has a working directory"))
		return;
	ok(!loader_may_find(ONE("libno-such.so.9")), "a name that is not in "
	    "the working directory is not found");
	f = fopen("libno-such.so.9", "w");
	if (f != NULL)
		fclose(f);
	ok(loader_may_find(ONE("libno-such.so.9")),
	    "a file in the working directory may be found, and dlopen() "
	    "explains it");
	unlink("libno-such.so.9");
	rmdir(folder);
}

int
main(void)
{
	const char *const several[] = { "/usr/lib/libc.so.6",
	    "libno-such.so.9", "libm.so.6" };
	char longer[5000] = "";

	memset(longer, 'x', sizeof(longer) - 1);
	ok(loader_may_find(ONE("libc.so.6")), "a library of the system is "
	    "found");
	ok(loader_may_find(several, 3),
	    "of several names, the last may be found");
	ok(!loader_may_find(several, 2), "a name with a / is not looked for");
	ok(!loader_may_find(NULL, 0), "without any name, nothing is found");
	ok(loader_may_find(ONE(longer)),
	    "a name that is too long for a path is left to dlopen()");
	in_working_directory();
	return done();
}
