/* SPDX-License-Identifier: Apache-2.0 */
/* Names in commands that a user is to type. */
#ifndef BASE_SHELL_H
#define BASE_SHELL_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Writes a file's name as one word of a POSIX shell: quoted if necessary, and
 * never an option.  Returns false, with to undefined, if the word does not fit,
 * or if the name has a control character, which cannot be shown.
 */
bool shell_word(char *to, size_t size, const char *name);

#endif
