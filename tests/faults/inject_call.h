/* SPDX-License-Identifier: Apache-2.0 */
/* Macros that define replacements for functions of the C library: inject.h. */
#ifndef TESTS_TORTURE_INJECT_CALL_H
#define TESTS_TORTURE_INJECT_CALL_H

#include <errno.h>

#include "inject.h"

/*
 * A call that becomes a jump: LeakSanitizer must see our caller as the caller.
 * It does not report memory that the loader keeps for itself, but would report
 * it as a leak if we had allocated it.
 */
#if defined(__has_attribute)
#if __has_attribute(musttail)
#define TAIL __attribute__((musttail))
#endif
#endif
#ifndef TAIL
#define TAIL
#endif

#define CALLER __builtin_return_address(0)

/* Calls the real function, which is looked up once. */
#define REAL(f) \
	(*__extension__ ({ \
		static __typeof__(&f) real_##f; \
		if (real_##f == NULL) \
			*(void **)&real_##f = inject_real(#f); \
		&real_##f; \
	}))

#define FAILS(kind, f, error, value) do { \
	if (inject_fails(kind, #f, CALLER)) { \
		errno = error; \
		return value; \
	} \
} while (0)

/*
 * Defines a replacement.  params: the parameters of f; args: the arguments of
 * the call of the real function.
 */
#define CALL(type, f, params, args, kind, error, value) \
	type f params \
	{ \
		FAILS(kind, f, error, value); \
		TAIL return REAL(f) args; \
	}

#endif
