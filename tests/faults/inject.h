/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A fault injector for LD_PRELOAD: counts the calls that can fail and that are
 * made by modules of ours, and fails one of them.
 *
 *	TORTURE_TREE	a call counts if the code that makes it is of a module
 *			below this folder (not ONNX Runtime, which is brought)
 *	TORTURE_ALSO	or of one whose name has one of these words
 *	TORTURE_ONLY	the name of a function: only its calls count
 *	TORTURE_COUNT	a file of 8 bytes: the count, of all processes of a run
 *	TORTURE_LOG	a file to which a line is added: of each call that is
 *			counted, "N NAME MODULE+OFFSET"; where one is failed,
 *			only of that
 *	TORTURE_FRAMES	the lines have one more number: of the code making the
 *			call and of so many callers of it; only where all that
 *			is ours keeps frame pointers, as without optimisation
 *	TORTURE_FAIL	fail call N; N+: and each like it from there on; 0 or
 *			not set: only count
 *	TORTURE_KILL	end the process group before call N, by SIGKILL
 *	TORTURE_SIGNAL	or by this signal, a number
 *
 * The C library's own calls are not seen, as it is no module of ours: what it
 * allocates for us (strdup, getline, opendir) is failed as a whole instead.
 */
#ifndef TESTS_TORTURE_INJECT_H
#define TESTS_TORTURE_INJECT_H

#include <stdbool.h>

/* Calls are alike if they may fail for the same reason. */
enum kind {
	K_MEMORY,	/* malloc and what allocates */
	K_OPEN,		/* a descriptor more */
	K_READ,
	K_WRITE,
	K_CLOSE,
	K_MAP,
	K_NAME,		/* rename, link: of the folder */
	K_SYNC,
	K_LOAD,		/* dlopen */
	K_THREAD,
	K_PROCESS,
	K_LOOK,		/* stat and other questions */
	K_SIGNAL,	/* EINTR */
	K_DEVICE,	/* of the NPU's library */
};

/* Whether this call, made by the code at caller, is the one to fail. */
bool inject_fails(enum kind kind, const char *name, const void *caller);
/* Called when the modules may have changed. */
void inject_look(void);
/* The next definition of a name; ends the process if there is none. */
void *inject_real(const char *name);
/* The function to call in place of f, which has that name. */
void *inject_noe(const char *name, void *f);

#endif
