/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The C locale for reading and writing numbers, in a program that has set
 * another (setlocale(3)), in some of which 0.5 is "0,5".  It applies to the
 * calling thread, between the two calls; neither can fail.
 */
#ifndef BASE_LOCALE_H
#define BASE_LOCALE_H

#include <locale.h>

/* Returns the locale that locale_end() restores. */
static inline locale_t
locale_begin_c(void)
{
	/* Needs no memory: glibc and musl have this locale built in. */
	return uselocale(newlocale(LC_ALL_MASK, "C", (locale_t)0));
}

static inline void
locale_end(locale_t before)
{
	uselocale(before);
}

#endif
