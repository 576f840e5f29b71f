/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sets the C locale for reading and writing numbers in a program that has set
 * another locale (setlocale(3)), where 0.5 may be "0,5".  It applies to the
 * calling thread, between the two calls; neither can fail.
 */
#ifndef BASE_LOCALE_H
#define BASE_LOCALE_H

#include <locale.h>

/* Returns the previous locale, which locale_end() restores. */
static inline locale_t
locale_begin_c(void)
{
	/* Needs no memory: this locale is built into glibc and musl. */
	return uselocale(newlocale(LC_ALL_MASK, "C", (locale_t)0));
}

static inline void
locale_end(locale_t before)
{
	uselocale(before);
}

#endif
