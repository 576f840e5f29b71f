/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A fault injector for LD_PRELOAD: counts the calls that can fail and that our
 * modules make, and makes one of these calls fail.
 *
 *	TORTURE_TREE	a call counts if the module whose code makes it lies
 *			below this folder (except ONNX Runtime, which we do not
 *			build)
 *	TORTURE_ALSO	a call also counts if one of these words is in the
 *			module's name
 *	TORTURE_ONLY	the name of a function: only its calls count
 *	TORTURE_COUNT	a file of 8 bytes: the count, which all processes of a
 *			run share
 *	TORTURE_LOG	a file to which each counted call adds a line "N NAME
 *			MODULE+OFFSET"; with TORTURE_FAIL, only the call that
 *			fails does so
 *	TORTURE_FRAMES	N: each line gets a further number, which depends on
 *			the code that makes the call and on its callers, N
 *			places in all; needs frame pointers in all our code, as
 *			without optimisation
 *	TORTURE_FAIL	N: call N fails; N+: also each later call that is like
 *			it; 0 or not set: the calls are only counted
 *	TORTURE_KILL	the process group ends before call N, by SIGKILL
 *	TORTURE_SIGNAL	the number of another signal for TORTURE_KILL
 *
 * Calls that the C library makes itself are not seen, because it is not one of
 * our modules.  The functions that allocate memory for us (strdup, getline,
 * opendir) fail as a whole instead.
 */
#ifndef TESTS_TORTURE_INJECT_H
#define TESTS_TORTURE_INJECT_H

#include <stdbool.h>

/* Calls are alike if they may fail for the same reason. */
enum kind {
	K_MEMORY,	/* malloc and other functions that allocate */
	K_OPEN,		/* opens one more descriptor */
	K_READ,
	K_WRITE,
	K_CLOSE,
	K_MAP,
	K_NAME,		/* rename, link: change a folder */
	K_SYNC,
	K_LOAD,		/* dlopen */
	K_THREAD,
	K_PROCESS,
	K_LOOK,		/* stat and other queries */
	K_SIGNAL,	/* EINTR */
	K_DEVICE,	/* calls of the NPU's library */
};

/* Counts a call made by the code at caller.  Returns true if it must fail. */
bool inject_fails(enum kind kind, const char *name, const void *caller);
/* Call this when modules may have been loaded or removed. */
void inject_look(void);
/* Returns the next definition of name; ends the process if there is not any. */
void *inject_real(const char *name);
/* Returns the function to call in place of f, whose name is name. */
void *inject_noe(const char *name, void *f);

#endif
