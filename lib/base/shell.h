/* SPDX-License-Identifier: Apache-2.0 */
/* Names in commands that a user is to type. */
#ifndef BASE_SHELL_H
#define BASE_SHELL_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Writes a file's name as one word of a POSIX shell: quoted where it must be,
 * and not as an option.  False, and to is undefined: there is no room, or the
 * name has a control character, which could not be shown.
 */
bool shell_word(char *to, size_t size, const char *name);

#endif
