// SPDX-License-Identifier: Apache-2.0
#include <stdio.h>
#include <string.h>

#include "base/shell.h"
#include "base/utf8.h"

/* Characters that no shell changes. */
#define PLAIN "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz" \
	"0123456789./_-+,:@%"

static bool
has_control(const char *s)
{
	size_t n = strlen(s);

	for (size_t i = 0; i < n; i++)
		if (utf8_control(s + i, n - i) > 0)
			return true;
	return false;
}

/* Adds the n bytes of s.  Returns false if they and a NUL do not fit. */
static bool
add(char *to, size_t size, size_t *at, const char *s, size_t n)
{
	if (n >= size - *at)
		return false;
	memcpy(to + *at, s, n);
	to[*at += n] = '\0';
	return true;
}

/* Between single quotes only the single quote is special: it ends them.  Each
 * single quote of the name is written outside the quotes, after a backslash. */
static bool
add_quoted(char *to, size_t size, const char *name)
{
	size_t at = 0, n;

	if (!add(to, size, &at, "'", 1) ||
	    (*name == '-' && !add(to, size, &at, "./", 2)))
		return false;
	for (; *name != '\0'; name += n) {
		n = *name == '\'' ? 1 : strcspn(name, "'");
		if (*name == '\'' ? !add(to, size, &at, "'\\''", 4) :
		    !add(to, size, &at, name, n))
			return false;
	}
	return add(to, size, &at, "'", 1);
}

bool
shell_word(char *to, size_t size, const char *name)
{
	if (size == 0 || has_control(name))
		return false;
	if (*name != '\0' && *name != '-' && name[strspn(name, PLAIN)] == '\0')
		return (size_t)snprintf(to, size, "%s", name) < size;
	return add_quoted(to, size, name);
}
