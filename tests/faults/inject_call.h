/* SPDX-License-Identifier: Apache-2.0 */
/* How a function of the C library in our place is written: inject.h. */
#ifndef TESTS_TORTURE_INJECT_CALL_H
#define TESTS_TORTURE_INJECT_CALL_H

#include <errno.h>

#include "inject.h"

/* A jump, so that LeakSanitizer sees the caller: memory the loader keeps for
 * itself is no leak, but ours would be. */
#if defined(__has_attribute)
#if __has_attribute(musttail)
#define TAIL __attribute__((musttail))
#endif
#endif
#ifndef TAIL
#define TAIL
#endif

#define CALLER __builtin_return_address(0)

/* The call of the real one, found once. */
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

/* params: its parameters; args: the arguments of the real call. */
#define CALL(type, f, params, args, kind, error, value) \
	type f params \
	{ \
		FAILS(kind, f, error, value); \
		TAIL return REAL(f) args; \
	}

#endif
