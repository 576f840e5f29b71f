// SPDX-License-Identifier: Apache-2.0
/* ini_line.c - lines of a configuration. */
#include "base/utf8.h"
#include "ini_line.h"

/* The characters for which Python's str.isspace() is true. */
static bool
is_space(uint32_t c)
{
	return (c >= 0x09 && c <= 0x0d) || (c >= 0x1c && c <= 0x20) ||
	    c == 0x85 || c == 0xa0 || c == 0x1680 ||
	    (c >= 0x2000 && c <= 0x200a) || c == 0x2028 || c == 0x2029 ||
	    c == 0x202f || c == 0x205f || c == 0x3000;
}

char *
ini_skip_space(char *p, const char *end, size_t *characters)
{
	size_t n;
	uint32_t c = 0;

	*characters = 0;
	while ((n = utf8_decode(p, (size_t)(end - p), &c)) > 0 && is_space(c)) {
		p += n;
		(*characters)++;
	}
	return p;
}

/* Returns the beginning of the last character of p..end. */
static char *
last_character(const char *p, char *end)
{
	char *q = end - 1;

	while (q > p && end - q < 4 && utf8_continues((unsigned char)*q))
		q--;
	return q;
}

char *
ini_trim_end(const char *p, char *end)
{
	char *q;
	uint32_t c = 0;

	while (end > p) {
		q = last_character(p, end);
		if (utf8_decode(q, (size_t)(end - q), &c) !=
		    (size_t)(end - q) || !is_space(c))
			break;
		end = q;
	}
	return end;
}

bool
ini_next_line(struct ini_line *l, char **at, char *end)
{
	char *p = *at, *stop = p;

	if (p == end)
		return false;
	while (stop < end && *stop != '\n' && *stop != '\r')
		stop++;
	*at = stop;
	if (*at < end && *(*at)++ == '\r' && *at < end && **at == '\n')
		(*at)++;
	l->number++;
	l->p = ini_skip_space(p, stop, &l->indent);
	l->n = (size_t)(ini_trim_end(l->p, stop) - l->p);
	return true;
}

bool
ini_is_comment(const struct ini_line *l)
{
	return l->n > 0 && (*l->p == '#' || *l->p == ';');
}
