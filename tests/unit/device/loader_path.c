// SPDX-License-Identifier: Apache-2.0
/* Where the loader finds a name: as ld.so(8) says, and dlopen() does. */
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

	if (!ok(mkdtemp(folder) != NULL && chdir(folder) == 0, "a folder"))
		return;
	ok(!loader_may_find(ONE("libno-such.so.9")), "not in it");
	f = fopen("libno-such.so.9", "w");
	if (f != NULL)
		fclose(f);
	ok(loader_may_find(ONE("libno-such.so.9")),
	    "a file in the working directory is left to dlopen() to explain");
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
	ok(loader_may_find(ONE("libc.so.6")), "a library of the system");
	ok(loader_may_find(several, 3), "the last of several");
	ok(!loader_may_find(several, 2), "a path is not looked at");
	ok(!loader_may_find(NULL, 0), "none of none");
	ok(loader_may_find(ONE(longer)),
	    "what fits no path is left to dlopen()");
	in_working_directory();
	return done();
}
