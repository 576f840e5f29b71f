// SPDX-License-Identifier: Apache-2.0
#include <stdbool.h>
#include <string.h>
#include <strings.h>

#include "host/private_marks.h"

static bool
is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool
is_hex(char c)
{
	return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

static bool
is_word(char c)
{
	return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')
	    || c == '_';
}

/* The end of a word: no more of one behind it. */
static bool
ends(const char *s, size_t n, size_t i)
{
	return i >= n || !is_word(s[i]);
}

static size_t
hex_run(const char *s, size_t n, size_t i)
{
	size_t len = 0;

	while (i + len < n && is_hex(s[i + len]))
		len++;
	return len;
}

/* Groups of hexadecimal digits with '-' between: of a UUID, or of an Ethernet
 * address as some write it. */
static size_t
dashed(const char *s, size_t n, size_t i, const char *groups)
{
	size_t at = i;

	for (const char *g = groups; *g != '\0'; g++) {
		size_t want = *g == 'c' ? 12 : (size_t)(*g - '0');

		if (g > groups && (at >= n || s[at++] != '-'))
			return 0;
		if (hex_run(s, n, at) != want)
			return 0;
		at += want;
	}
	return ends(s, n, at) ? at - i : 0;
}

/* "aa:bb:cc:dd:ee:ff", "fe80::1": more colons than a time or a PCI address
 * has, or two together. */
static size_t
coloned(const char *s, size_t n, size_t i)
{
	size_t at = i, colons = 0, digits = 0;
	bool pair = false;

	for (; at < n && (is_hex(s[at]) || s[at] == ':'); at++) {
		pair |= s[at] == ':' && at > i && s[at - 1] == ':';
		colons += s[at] == ':';
		digits += s[at] != ':';
	}
	if (at > i && s[at - 1] == ':' && !(at > i + 1 && s[at - 2] == ':'))
		colons--, at--;
	return digits > 0 && ends(s, n, at) && (colons >= 3 || pair) ?
	    at - i : 0;
}

static size_t
dotted(const char *s, size_t n, size_t i)
{
	size_t at = i;

	if (i > 0 && (s[i - 1] == '.' || s[i - 1] == '-'))
		return 0;
	for (int part = 0; part < 4; part++) {
		unsigned v = 0, digits = 0;

		if (part > 0 && (at >= n || s[at++] != '.'))
			return 0;
		for (; at < n && is_digit(s[at]) && digits < 4; at++, digits++)
			v = v * 10 + (unsigned)(s[at] - '0');
		if (digits == 0 || digits > 3 || v > 255)
			return 0;
	}
	if (at + 1 < n && s[at] == '.' && is_digit(s[at + 1]))
		return 0;
	return ends(s, n, at) ? at - i : 0;
}

static size_t
mail(const char *s, size_t n, size_t i)
{
	size_t at = i, host;

	while (at < n && (is_word(s[at]) || strchr(".+-", s[at]) != NULL) &&
	    s[at] != '\0')
		at++;
	if (at == i || at >= n || s[at] != '@')
		return 0;
	for (host = ++at; at < n && (is_word(s[at]) || s[at] == '.' ||
	    s[at] == '-'); at++)
		;
	return at > host ? at - i : 0;
}

/* "serial number: X", "SerialNumber=X", "S/N X": all of it. */
static size_t
serial(const char *s, size_t n, size_t i)
{
	static const char *const heads[] = { "serial number", "serial-number",
	    "serial_number", "serialnumber", "serial no", "serial", "s/n" };
	size_t at = 0, sign, from;

	for (size_t k = 0; k < 7 && at == 0; k++)
		if (strlen(heads[k]) <= n - i &&
		    strncasecmp(s + i, heads[k], strlen(heads[k])) == 0)
			at = i + strlen(heads[k]);
	if (at == 0 || !ends(s, n, at))
		return 0;
	for (sign = at; at < n && strchr(" .:=#", s[at]) != NULL &&
	    s[at] != '\0'; at++)
		;
	/* "serial port" is none. */
	if (at == sign || (at == sign + 1 && s[sign] == ' ' &&
	    sign - i == strlen("serial")))
		return 0;
	for (from = at; at < n && s[at] > ' ' && s[at] != '"'; at++)
		;
	return at > from ? at - i : 0;
}

size_t
private_mark(const char *s, size_t n, size_t i, const char **instead)
{
	size_t len;

	*instead = "(address)";
	if ((len = dashed(s, n, i, "222222")) > 0 ||
	    (len = coloned(s, n, i)) > 0 || (len = dotted(s, n, i)) > 0)
		return len;
	*instead = "(mail)";
	if ((len = mail(s, n, i)) > 0)
		return len;
	*instead = "(serial)";
	if ((len = serial(s, n, i)) > 0)
		return len;
	*instead = "(id)";
	if ((len = dashed(s, n, i, "8444c")) > 0)
		return len;
	len = hex_run(s, n, i);
	return len >= 32 && ends(s, n, i + len) ? len : 0;
}
