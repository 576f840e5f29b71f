// SPDX-License-Identifier: Apache-2.0
#include <errno.h>
#include <sha2.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "catalogue.h"

/* ---- Fingerprints ------------------------------------------------------ */

static void
hash_file(struct model_name *m, SHA2_CTX *sha, const char *path)
{
	uint8_t chunk[1 << 16];
	int fd = cmd_try_open_file(path);
	struct stat st = { 0 };
	int64_t n = -1;

	if (fd >= 0 && fstat(fd, &st) == 0 && st.st_mtime > m->modified)
		m->modified = st.st_mtime;
	m->size += (uint64_t)st.st_size;
	while (fd >= 0 && (n = cmd_try_read(fd, chunk, sizeof(chunk))) > 0)
		SHA256Update(sha, chunk, (size_t)n);
	if (n < 0)
		cmd_die("%s: %s", path, strerror(errno));
	close(fd);
}

static void
hash_text(SHA2_CTX *sha, const char *text)
{
	SHA256Update(sha, (const uint8_t *)text, strlen(text));
}

/* Over the model files, then the vocabulary, which its own SHA-256 stands for,
 * then how texts and pictures become inputs. */
static void
fingerprint(struct model_name *m)
{
	char hex[SHA256_DIGEST_STRING_LENGTH];
	SHA2_CTX sha;

	SHA256Init(&sha);
	for (int k = 0; k < ROLES; k++)
		if (m->role[k] != NULL)
			hash_file(m, &sha, m->role[k]->path);
	if (m->role[ROLE_TEXT] != NULL)
		hash_text(&sha, npu_bpe_sha256(m->role[ROLE_TEXT]->clip.bpe));
	for (int k = ROLE_TEXT; k <= ROLE_IMAGE; k++)
		if (m->role[k] != NULL)
			hash_text(&sha, m->role[k]->clip.preprocessing.p);
	SHA256End(&sha, hex);
	snprintf(m->fingerprint, sizeof(m->fingerprint), "sha256:%s", hex);
}

/* ---- Names ------------------------------------------------------------- */

const struct model_name *
catalogue_find_part(const struct catalogue *c, const char *name, size_t n)
{
	for (size_t i = 0; i < c->n; i++)
		if (strlen(c->name[i].name) == n &&
		    memcmp(c->name[i].name, name, n) == 0)
			return &c->name[i];
	return NULL;
}

const struct model_name *
catalogue_find(const struct catalogue *c, const char *name)
{
	return catalogue_find_part(c, name, strlen(name));
}

bool
model_embeds(const struct model_name *m)
{
	return m->role[ROLE_TEXT] != NULL || m->role[ROLE_IMAGE] != NULL;
}

/* A new last name. */
static struct model_name *
add(struct catalogue *c, char *name)
{
	struct model_name *m;

	if (catalogue_find(c, name) != NULL)
		cmd_usage("two models are called '%s'; give one another "
		    "file name, or leave it out", name);
	c->name = cmd_realloc(c->name, (c->n + 1) * sizeof(*c->name));
	m = &c->name[c->n++];
	*m = (struct model_name){ .name = name };
	return m;
}

static struct role *
loaded(struct catalogue *c, enum role_kind kind)
{
	return c->role[kind].path != NULL ? &c->role[kind] : NULL;
}

void
catalogue_open(struct catalogue *c)
{
	struct role *text = loaded(c, ROLE_TEXT);
	struct role *image = loaded(c, ROLE_IMAGE);
	struct model_name *m;

	if (text != NULL && image != NULL) {
		clip_same_width(&text->clip, &image->clip);
		m = add(c, cmd_copy("clip"));
		m->role[ROLE_TEXT] = text;
		m->role[ROLE_IMAGE] = image;
	}
	for (int k = 0; k < ROLES; k++) {
		if (loaded(c, (enum role_kind)k) == NULL)
			continue;
		m = add(c, cmd_copy(c->role[k].name));
		m->role[k] = &c->role[k];
	}
	for (size_t i = 0; i < c->n; i++)
		fingerprint(&c->name[i]);
}

void
catalogue_close(struct catalogue *c)
{
	for (size_t i = 0; i < c->n; i++)
		free(c->name[i].name);
	free(c->name);
	for (int k = 0; k < ROLES; k++)
		role_free(&c->role[k]);
}

/* ---- Aliases ----------------------------------------------------------- */

/* The model that a role's word or a name means; NULL: none is loaded. */
static const struct model_name *
meant(const struct catalogue *c, const char *word)
{
	const struct model_name *m = catalogue_find(c, word);

	for (int k = 0; m == NULL && role_words[k] != NULL; k++)
		if (strcmp(word, role_words[k]) == 0 &&
		    c->role[k].name != NULL)
			m = catalogue_find(c, c->role[k].name);
	return m;
}

static void
add_alias(struct catalogue *c, char *name, const struct model_name *of)
{
	struct model_name copy = *of, *m = add(c, name);

	copy.name = name;
	copy.alias = true;
	*m = copy;
}

void
catalogue_alias(struct catalogue *c, const char *arg)
{
	const char *equals = strchr(arg, '=');
	const struct model_name *m;

	if (equals == NULL || equals == arg || equals[1] == '\0')
		cmd_usage("--alias: '%s' is not NAME=ROLE", arg);
	if ((m = meant(c, equals + 1)) == NULL)
		cmd_usage("--alias: no model is loaded for '%s'; it is clip, "
		    "text, image, detect, or the name of a model", equals + 1);
	add_alias(c, cmd_text("%.*s", (int)(equals - arg), arg), m);
}

void
catalogue_known_aliases(struct catalogue *c)
{
	static const char immich[] = "ViT-B-32__openai";
	enum { WIDTH = 512 };		/* of ViT-B/32 */
	const struct model_name *clip = catalogue_find(c, "clip");

	/* The pair that the vendor's hub ships has these names. */
	if (clip == NULL || catalogue_find(c, immich) != NULL ||
	    strcmp(clip->role[ROLE_TEXT]->name, "clip_txt") != 0 ||
	    strcmp(clip->role[ROLE_IMAGE]->name, "clip_visual") != 0 ||
	    role_dim(clip->role[ROLE_TEXT]) != WIDTH)
		return;
	add_alias(c, cmd_copy(immich), clip);
}
