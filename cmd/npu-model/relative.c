// SPDX-License-Identifier: Apache-2.0
#include <stdbool.h>
#include <string.h>

#include "base/utf8.h"
#include "relative.h"

/* True if s[0..n) is UTF-8 without control characters. */
static bool
is_printable(const char *s, size_t n)
{
	uint32_t c;
	size_t len;

	for (; n > 0; s += len, n -= len)
		if ((len = utf8_decode(s, n, &c)) == 0 || utf8_is_control(c))
			return false;
	return true;
}

static const char *
part_fault(const char *part, size_t n)
{
	if (n == 0)
		return "has an empty part: '//', or '/' at an end";
	if (n == 1 && part[0] == '.')
		return "has a part '.'";
	if (n == 2 && part[0] == '.' && part[1] == '.')
		return "has a part '..'";
	if (n > RELATIVE_NAME_LONGEST)
		return "has a name of more than 200 bytes";
	return NULL;
}

const char *
relative_fault(const char *path, size_t n)
{
	const char *fault, *slash;
	size_t len;

	if (n == 0)
		return "is empty";
	if (path[0] == '/')
		return "is absolute";
	if (n > RELATIVE_LONGEST)
		return "has more than 1024 bytes";
	if (!is_printable(path, n))
		return "has control characters, or is not UTF-8";
	if (memchr(path, '\\', n) != NULL)
		return "has a backslash";
	for (;;) {
		slash = memchr(path, '/', n);
		len = slash != NULL ? (size_t)(slash - path) : n;
		if ((fault = part_fault(path, len)) != NULL || slash == NULL)
			return fault;
		path += len + 1;
		n -= len + 1;
	}
}
