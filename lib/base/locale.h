/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The C locale for numbers that are read or written, in a program that has
 * set another (setlocale(3)): there 0.5 is "0,5" in some.  For the calling
 * thread, between the two calls; neither can fail.
 */
#ifndef BASE_LOCALE_H
#define BASE_LOCALE_H

#include <locale.h>

/* Returns what locale_end() is to put back. */
static inline locale_t
locale_begin_c(void)
{
	/* Takes no memory: glibc and musl have this one in themselves. */
	return uselocale(newlocale(LC_ALL_MASK, "C", (locale_t)0));
}

static inline void
locale_end(locale_t before)
{
	uselocale(before);
}

#endif
