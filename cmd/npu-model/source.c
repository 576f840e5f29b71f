// SPDX-License-Identifier: Apache-2.0
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "cmd.h"
#include "relative.h"
#include "source.h"

static const struct {
	const char *name;	/* before the first ':' */
	const char *base, *revision;	/* the default ones */
} hubs[] = {
	[HUB_MODELSCOPE] = { "modelscope", "https://modelscope.cn", "master" },
	[HUB_HUGGINGFACE] = { "huggingface", "https://huggingface.co", "main" },
};

enum { HUBS = sizeof(hubs) / sizeof(*hubs) };

/* Short names of the vendor's hubs on ModelScope. */
static const struct {
	const char *name, *repository;
} short_names[] = {
	{ "cix-25q1", "cix/ai_model_hub_25_Q1" },
	{ "cix-25q3", "cix/ai_model_hub_25_Q3" },
	{ "cix-26q1", "cix/ai_model_hub" },
	{ "cix-26q2", "cix/ai_model_hub_26_Q2" },
};

enum { SHORT_NAMES = sizeof(short_names) / sizeof(*short_names) };

void
source_free(struct model_source *s)
{
	free(s->repository);
	free(s->revision);
	free(s->path);
	free(s->url);
	*s = (struct model_source){ 0 };
}

/* ---- URLs ---------------------------------------------------------------- */

static bool
is_plain(unsigned char c)
{
	return isalnum(c) || strchr("-._~/", c) != NULL;
}

/* Adds text as it is written in the path of a URL. */
static void
put_encoded(struct buf *b, const char *s)
{
	for (; *s != '\0'; s++) {
		if (is_plain((unsigned char)*s))
			buf_add(b, s, 1);
		else
			buf_printf(b, "%%%02X", (unsigned char)*s);
	}
}

static int
digit(char c)
{
	const char *digits = "0123456789abcdef";
	const char *p = c != '\0' ? strchr(digits, tolower(c)) : NULL;

	return p != NULL ? (int)(p - digits) : -1;
}

/* Decodes %XX in place. */
static void
decode(char *s)
{
	char *to = s;
	int high, low;

	for (; *s != '\0'; s++) {
		if (*s == '%' && (high = digit(s[1])) >= 0 &&
		    (low = digit(s[2])) >= 0) {
			*to++ = (char)(high << 4 | low);
			s += 2;
		} else {
			*to++ = *s;
		}
	}
	*to = '\0';
}

char *
source_local_path(const char *url)
{
	char *path;

	if (strncmp(url, "file:///", 8) != 0)
		return NULL;
	path = cmd_text("%.*s", (int)strcspn(url + 7, "?#"), url + 7);
	decode(path);
	return path;
}

/* Returns the base without '/' at its end. */
static void
put_base(struct buf *b, const struct model_source *s, const char *base)
{
	size_t n;

	if (base == NULL)
		base = hubs[s->hub].base;
	for (n = strlen(base); n > 0 && base[n - 1] == '/'; n--)
		;
	buf_add(b, base, n);
}

static char *
finish(struct buf *b)
{
	buf_add(b, "", 1);
	cmd_check_buf(b);
	return b->p;
}

/* Adds the folder that the source is, or is in; "" is the whole hub. */
static void
put_folder(struct buf *b, const struct model_source *s)
{
	const char *slash = strrchr(s->path, '/');
	char *path = cmd_copy(s->path);

	if (!s->is_folder)
		path[slash != NULL ? slash - s->path : 0] = '\0';
	put_encoded(b, path);
	free(path);
}

char *
source_listing(const struct model_source *s, const char *base)
{
	struct buf b = { 0 };

	put_base(&b, s, base);
	buf_printf(&b, s->hub == HUB_MODELSCOPE ? "/api/v1/models/%s/repo/"
	    "files?Revision=" : "/api/models/%s/tree/", s->repository);
	put_encoded(&b, s->revision);
	buf_puts(&b, s->hub == HUB_MODELSCOPE ? "&Recursive=true&Root=" : "/");
	put_folder(&b, s);
	if (s->hub == HUB_HUGGINGFACE)
		buf_puts(&b, "?recursive=true");
	return finish(&b);
}

char *
source_file(const struct model_source *s, const char *path, const char *base)
{
	struct buf b = { 0 };

	put_base(&b, s, base);
	buf_printf(&b, s->hub == HUB_MODELSCOPE ? "/models/%s/resolve/" :
	    "/%s/resolve/", s->repository);
	put_encoded(&b, s->revision);
	buf_puts(&b, "/");
	put_encoded(&b, path);
	return finish(&b);
}

/* ---- Operands ------------------------------------------------------------ */

/* Checks the path, and takes the '/' off that marks a folder. */
static int
take_path(struct model_source *s, const char *path, struct npu_err *err)
{
	size_t n = strlen(path);
	const char *fault;

	s->path = cmd_copy(path);
	s->is_folder = n > 0 && path[n - 1] == '/';
	if (s->is_folder)
		s->path[n - 1] = '\0';
	fault = relative_fault(s->path, strlen(s->path));
	return fault != NULL ? npu_fail(err, NPU_EUSAGE, "the path '%.100s' %s",
	    path, fault) : 0;
}

/* True if s[0..n) is OWNER/NAME with letters, digits and . _ - only. */
static bool
is_repository(const char *s, size_t n)
{
	const char *slash = memchr(s, '/', n);

	if (relative_fault(s, n) != NULL || slash == NULL ||
	    memchr(slash + 1, '/', n - (size_t)(slash + 1 - s)) != NULL)
		return false;
	for (size_t i = 0; i < n; i++)
		if (s[i] == '~' || !is_plain((unsigned char)s[i]))
			return false;
	return true;
}

/* Reads OWNER/NAME[@REVISION], which ends at s[n]. */
static int
take_repository(struct model_source *s, const char *text, size_t n,
    struct npu_err *err)
{
	const char *at = memchr(text, '@', n);
	size_t len = at != NULL ? (size_t)(at - text) : n;

	if (!is_repository(text, len))
		return npu_fail(err, NPU_EUSAGE, "'%.*s' is not OWNER/NAME "
		    "with letters, digits and ._-", (int)(len < 100 ? len :
		    100), text);
	s->repository = cmd_text("%.*s", (int)len, text);
	s->revision = at != NULL ? cmd_text("%.*s", (int)(n - len - 1),
	    at + 1) : cmd_copy(hubs[s->hub].revision);
	if (relative_fault(s->revision, strlen(s->revision)) != NULL)
		return npu_fail(err, NPU_EUSAGE, "'%.100s' is not a revision",
		    s->revision);
	return 0;
}

/* Reads "modelscope:OWNER/NAME@REVISION"; without a hub of this name, returns
 * 1. */
static int
take_hub(struct model_source *s, const char *text, size_t n,
    struct npu_err *err)
{
	size_t len;

	for (int i = 0; i < HUBS; i++) {
		len = strlen(hubs[i].name);
		if (n <= len || strncmp(text, hubs[i].name, len) != 0 ||
		    text[len] != ':')
			continue;
		s->hub = (enum hub)i;
		return take_repository(s, text + len + 1, n - len - 1, err);
	}
	return 1;
}

static int
take_model(struct model_source *s, const struct model *m, struct npu_err *err)
{
	int rc;

	s->model = m;
	if ((rc = take_hub(s, m->hub, strlen(m->hub), err)) < 0)
		return rc;
	return take_path(s, m->path, err);
}

/* Returns the ':' between HUB and PATH, which may have more of them; NULL if
 * there is not any. */
static const char *
find_path_colon(const char *word)
{
	const char *colon = strchr(word, ':');

	for (int i = 0; i < HUBS && colon != NULL; i++)
		if (strlen(hubs[i].name) == (size_t)(colon - word) &&
		    strncmp(word, hubs[i].name, (size_t)(colon - word)) == 0)
			return strchr(colon + 1, ':');
	return colon;
}

/* Reads HUB:PATH; without such a HUB, returns 1. */
static int
take_hub_path(struct model_source *s, const char *word, struct npu_err *err)
{
	const char *colon = find_path_colon(word);
	int rc;

	if (colon == NULL)
		return 1;
	for (int i = 0; i < SHORT_NAMES; i++) {
		if (strncmp(word, short_names[i].name, (size_t)(colon - word))
		    != 0 || short_names[i].name[colon - word] != '\0')
			continue;
		s->hub = HUB_MODELSCOPE;
		s->repository = cmd_copy(short_names[i].repository);
		s->revision = cmd_copy(hubs[HUB_MODELSCOPE].revision);
		return take_path(s, colon + 1, err);
	}
	if ((rc = take_hub(s, word, (size_t)(colon - word), err)) != 0)
		return rc;
	return take_path(s, colon + 1, err);
}

/* Reads a URL: its last part is the name of the file. */
static int
take_url(struct model_source *s, const char *word, struct npu_err *err)
{
	const char *begin = strstr(word, "://") + 3;
	size_t n = strcspn(begin, "?#");
	char *path = cmd_text("%.*s", (int)n, begin), *slash;
	char *local = source_local_path(word);
	int rc;

	s->is_url = true;
	s->url = local != NULL ? cmd_text("file://%s", local) : cmd_copy(word);
	free(local);
	slash = strrchr(path, '/');
	if (slash == NULL || slash[1] == '\0') {
		rc = npu_fail(err, NPU_EUSAGE, "the URL does not end with the "
		    "name of a file");
	} else {
		decode(slash + 1);
		rc = strchr(slash + 1, '/') != NULL ? npu_fail(err, NPU_EUSAGE,
		    "the name of the file has a '/'") :
		    take_path(s, slash + 1, err);
	}
	free(path);
	return rc;
}

int
source_parse(struct model_source *s, const char *word,
    const struct model_catalogue *c, struct npu_err *err)
{
	const struct model *m = catalogue_find(c, word);
	int rc;

	*s = (struct model_source){ .word = word };
	if (m != NULL)
		return take_model(s, m, err);
	if (strstr(word, "://") != NULL)
		return take_url(s, word, err);
	if ((rc = take_hub_path(s, word, err)) <= 0)
		return rc;
	return npu_fail(err, NPU_EUSAGE, "no model has this name; 'npu-model "
	    "list' has them, or name HUB:PATH or a URL");
}
