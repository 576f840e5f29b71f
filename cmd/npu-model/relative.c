// SPDX-License-Identifier: Apache-2.0
#include <stdbool.h>
#include <string.h>

#include "base/utf8.h"
#include "part.h"
#include "record.h"
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

static bool
ends_with(const char *name, size_t n, const char *end)
{
	size_t k = strlen(end);

	return n > k && memcmp(name + n - k, end, k) == 0;
}

/* True if this program gives the name to its own files: the record, a part and
 * its note, and each while it is written. */
static bool
is_own(const char *name, size_t n)
{
	const size_t k = strlen(RECORD_NAME), new = strlen(".new");

	if (ends_with(name, n, ".new"))
		n -= new;
	return (n == k && memcmp(name, RECORD_NAME, k) == 0) ||
	    (name[0] == '.' && (ends_with(name, n, PART_END) ||
	    ends_with(name, n, PART_NOTE_END)));
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
	if (is_own(part, n))
		return "has a name that npu-model gives to its own files";
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
