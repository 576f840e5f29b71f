// SPDX-License-Identifier: Apache-2.0
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "host/redact.h"
#include "host/redact_patterns.h"

/* Words that many machines share, or that also mean something else. */
static const char *const public_words[] = {
	"admin", "aipu", "bin", "cix", "daemon", "debian", "default", "dev",
	"linux", "live", "localhost", "nobody", "noe", "none", "npu",
	"orange", "orangepi", "pi", "radxa", "root", "service", "system",
	"ubuntu", "unknown", "user", "usr", "to be filled by o.e.m.",
	"default string", "not specified", "system serial number"
};

/* Folders that do not contain users' folders. */
static const char *const system_folders[] = { "/boot/", "/dev/", "/etc/",
	"/lib/", "/proc/", "/sys/", "/usr/", "/var/lib/dpkg/", "/var/log/" };

static bool
is_word(char c)
{
	return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
	    (c >= 'A' && c <= 'Z') || c == '_';
}

/* Returns whether s[0..n) is a path of the system.  A path with "/..", such as
 * "/usr/../srv", may lead anywhere, and /dev/shm is for users. */
static bool
is_system_path(const char *s, size_t n)
{
	if (memmem(s, n, "/..", 3) != NULL || (n >= 8 &&
	    memcmp(s, "/dev/shm", 8) == 0))
		return false;
	for (size_t i = 0; i < sizeof(system_folders) /
	    sizeof(*system_folders); i++) {
		size_t have = strlen(system_folders[i]);

		if (n >= have && memcmp(s, system_folders[i], have) == 0)
			return true;
		/* (the folder itself, without its '/') */
		if (n == have - 1 && memcmp(s, system_folders[i], n) == 0)
			return true;
	}
	return false;
}

/* ---- Words ------------------------------------------------------------- */

static void
add(struct redact *r, const char *text, size_t n, const char *instead,
    bool folder)
{
	struct redact_word *more = realloc(r->word,
	    (r->n + 1) * sizeof(*more));

	if (more == NULL) {
		r->failed = true;
		return;
	}
	r->word = more;
	more[r->n] = (struct redact_word){ strndup(text, n), instead,
	    folder };
	if (more[r->n].text == NULL)
		r->failed = true;
	else
		r->n++;
}

void
redact_add(struct redact *r, const char *text,
    const char *instead)
{
	if (strlen(text) < 2)
		return;
	for (size_t i = 0; i < sizeof(public_words) / sizeof(*public_words);
	    i++)
		if (strcasecmp(text, public_words[i]) == 0)
			return;
	add(r, text, strlen(text), instead, false);
}

void
redact_add_folder(struct redact *r, const char *path)
{
	size_t n = strlen(path);

	while (n > 0 && path[n - 1] == '/')
		n--;
	if (n == 0 || strspn(path, "./") >= n || is_system_path(path, n))
		return;
	add(r, path, n, "(folder)", true);
}

void
redact_free(struct redact *r)
{
	for (size_t i = 0; i < r->n; i++)
		free(r->word[i].text);
	free(r->word);
	*r = (struct redact){ 0 };
}

/* ---- Texts ------------------------------------------------------------- */

/* Returns whether a word may begin at s[i].  "\x0a" in the kernel's log ends a
 * word. */
static bool
starts_word(const char *s, size_t i)
{
	return i == 0 || !is_word(s[i - 1]) || (i >= 4 && s[i - 4] == '\\' &&
	    s[i - 3] == 'x');
}

/* Returns whether the word w is at s[i].  A folder must be followed by '/'.  If
 * its name is too long to be another word, the end of a word is enough. */
static bool
matches_at(const struct redact_word *w, const char *s, size_t n, size_t i)
{
	size_t len = strlen(w->text);

	if (len > n - i || strncasecmp(s + i, w->text, len) != 0)
		return false;
	if (i + len == n)
		return !w->folder || len > 3 || i == 0;
	if (w->folder && len <= 3)
		return s[i + len] == '/';
	return !is_word(s[i + len]);
}

/* Returns the number of bytes of the path at s[i] without its last part; sets
 * *end to the end of the path. */
static size_t
path_folders(const char *s, size_t n, size_t i, size_t *end)
{
	size_t last = i, at = i;

	for (; at < n && (uint8_t)s[at] > ' ' &&
	    strchr("\"'`;,<>()", s[at]) == NULL; at++)
		if (s[at] == '/')
			last = at;
	*end = at - i;
	return last - i;
}

/* Returns the number of bytes of the longest word at s[i], where a word begins.
 * For a folder, the bytes include the folders below it. */
static size_t
longest_word(const struct redact *r, const char *s, size_t n, size_t i,
    const char **instead)
{
	size_t best = 0, end;
	bool folder = false;

	for (size_t k = 0; k < r->n; k++) {
		size_t len = strlen(r->word[k].text);

		if (len > best && matches_at(&r->word[k], s, n, i)) {
			best = len;
			folder = r->word[k].folder;
			*instead = r->word[k].instead;
		}
	}
	if (folder && i + best < n && s[i + best] == '/')
		best += path_folders(s, n, i + best, &end);
	return best;
}

/* Returns the number of bytes of an absolute path at s[i] without its last
 * part; 0 without such a path, or for a path of the system. */
static size_t
folders_of_path(const char *s, size_t n, size_t i)
{
	size_t last, end;

	if (s[i] != '/' || (i > 0 && (is_word(s[i - 1]) ||
	    memchr("./~-)", s[i - 1], 5) != NULL)))
		return 0;
	last = path_folders(s, n, i, &end);
	return end < 2 || is_system_path(s + i, end) ? 0 : last;
}

void
redact_text(const struct redact *r, const char *s, size_t n,
    struct buf *out)
{
	for (size_t i = 0; i < n;) {
		const char *instead = NULL;
		size_t len = 0;

		if (starts_word(s, i)) {
			len = longest_word(r, s, n, i, &instead);
			if (len == 0)
				len = redact_pattern(s, n, i, &instead);
		}
		if (len == 0 && (len = folders_of_path(s, n, i)) > 0)
			instead = "(folder)";
		if (len > 0)
			buf_puts(out, instead);
		else
			buf_add(out, s + i, len = 1);
		i += len;
	}
}
