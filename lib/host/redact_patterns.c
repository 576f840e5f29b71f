// SPDX-License-Identifier: Apache-2.0
#include <stdbool.h>
#include <string.h>
#include <strings.h>

#include "host/redact_patterns.h"

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

/* Returns whether a word ends before s[i]. */
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

/* Returns the number of bytes of groups of hexadecimal digits with '-' between
 * them: a UUID, or an Ethernet address in one of its forms. */
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

/*
 * Matches "enx0a1b2c3d4e5f" (systemd.net-naming-scheme(7)).  Twelve digits
 * without "enx" are kept, because they are the address of a crash in a program.
 */
static size_t
ethernet(const char *s, size_t n, size_t i)
{
	return n - i > 3 && strncmp(s + i, "enx", 3) == 0 &&
	    hex_run(s, n, i + 3) == 12 && ends(s, n, i + 15) ? 15 : 0;
}

/* Returns the number of bytes of ".2.3" at s[at], after the first part of an
 * IPv4 address. */
static size_t
dotted_rest(const char *s, size_t n, size_t at)
{
	size_t from = at;

	while (at + 1 < n && s[at] == '.' && is_digit(s[at + 1]))
		for (at++; at < n && is_digit(s[at]); at++)
			;
	return at - from;
}

/* Matches "aa:bb:cc:dd:ee:ff" and "fe80::1": with more colons than a time or a
 * PCI address has, or with two colons in a row. */
static size_t
colon_address(const char *s, size_t n, size_t i)
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
	if (pair && at > i && is_digit(s[at - 1]))
		at += dotted_rest(s, n, at);	/* "::ffff:10.1.2.3" */
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

/* Returns the end of the words before a serial number; 0 without such words. */
static size_t
serial_head(const char *s, size_t n, size_t i)
{
	static const char *const heads[] = { "serial number", "serial-number",
	    "serial_number", "serialnumber", "serial no", "serialno",
	    "serial", "s/n", "sn" };

	for (size_t k = 0; k < sizeof(heads) / sizeof(*heads); k++) {
		size_t end = i + strlen(heads[k]);

		if (end <= n && ends(s, n, end) &&
		    strncasecmp(s + i, heads[k], end - i) == 0)
			return end;
	}
	return 0;
}

/* Returns whether a number like "00c0ffee12" is at s[i].  No word that follows
 * "serial" looks like that. */
static bool
like_number(const char *s, size_t n, size_t i)
{
	size_t at = i, digits = 0;

	for (; at < n && is_word(s[at]); at++)
		digits += is_digit(s[at]);
	return at - i >= 6 && digits > 0;
}

/* Returns the number of bytes of "serial number: X", "SerialNumber=X" or "S/N
 * X". */
static size_t
serial(const char *s, size_t n, size_t i)
{
	size_t at = serial_head(s, n, i), sign = at, from;

	while (at > 0 && at < n && s[at] != '\0' &&
	    strchr(" .:=#", s[at]) != NULL)
		at++;
	if (at == sign)
		return 0;
	/* (not "serial port") */
	if (at == sign + 1 && s[sign] == ' ' && (sign - i == strlen("sn") ||
	    (sign - i == strlen("serial") && !like_number(s, n, at))))
		return 0;
	for (from = at; at < n && s[at] > ' ' && s[at] != '"'; at++)
		;
	return at > from ? at - i : 0;
}

size_t
redact_pattern(const char *s, size_t n, size_t i, const char **instead)
{
	size_t len;

	*instead = "(address)";
	if ((len = dashed(s, n, i, "222222")) > 0 ||
	    (len = colon_address(s, n, i)) > 0 ||
	    (len = ethernet(s, n, i)) > 0 || (len = dotted(s, n, i)) > 0)
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
