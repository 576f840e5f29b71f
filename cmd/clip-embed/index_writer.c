// SPDX-License-Identifier: Apache-2.0
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "device.h"
#include "index_writer.h"

/* Converts 64 hexadecimal digits to 32 bytes. */
static void
from_hex(const char *hex, uint8_t sha256[INDEX_SHA256])
{
	for (size_t i = 0; i < INDEX_SHA256; i++)
		sscanf(hex + 2 * i, "%2hhx", &sha256[i]);
}

void
index_writer_open(struct index_writer *x, struct clip *c, bool normalised)
{
	struct index_header h = { .dim = (uint32_t)c->dim,
	    .norm = normalised ? INDEX_NORM_L2 : INDEX_NORM_NONE,
	    .kind = strcmp(c->kind, "text") == 0 ? INDEX_TEXT : INDEX_IMAGE,
	    .model = c->name, .preprocessing = c->preprocessing.p };
	struct npu_err err;

	clip_hash(c);
	from_hex(c->sha256, h.model_sha256);
	if (index_open(&x->index, x->path, &h, &err) < 0)
		cmd_die_err(x->path, &err);
	pthread_mutex_init(&x->lock, NULL);
	x->found = cmd_alloc(c->dim * sizeof(*x->found));
}

bool
index_writer_wanted(void *arg, const uint8_t sha256[32])
{
	struct index_writer *x = arg;
	bool known;

	pthread_mutex_lock(&x->lock);
	known = index_content(x->index, sha256, x->found);
	pthread_mutex_unlock(&x->lock);
	return !known;
}

/* ---- Absolute paths ---------------------------------------------------- */

/* Returns the absolute path of the folder that the first n bytes of file name,
 * or NULL with errno.  The last result is kept, since most pictures are in the
 * same folder as the previous picture. */
static const char *
folder_path(struct index_writer *x, const char *file, size_t n)
{
	char path[PATH_MAX];
	char *folder = n > 0 ? cmd_text("%.*s", (int)n, file) : cmd_copy(".");

	if (x->folder != NULL && strcmp(x->folder, folder) == 0) {
		free(folder);
		return x->folder_path;
	}
	free(x->folder);
	free(x->folder_path);
	x->folder = folder;
	x->folder_path = realpath(folder, path) != NULL ? cmd_copy(path) :
	    NULL;
	return x->folder_path;
}

/*
 * Returns the absolute path of the picture, owned by the caller.  Symbolic
 * links in the path of the folder are resolved; the picture itself may be a
 * symbolic link.  Returns NULL for stdin, for a picture of a stream, and if the
 * folder does not exist any more.
 */
static char *
absolute_path(struct index_writer *x, const struct clip_result *r)
{
	const char *slash, *name, *folder;

	if (r->file == NULL || r->number > 0)
		return NULL;
	slash = strrchr(r->file, '/');
	name = slash != NULL ? slash + 1 : r->file;
	folder = folder_path(x, r->file, (size_t)(name - r->file));
	if (folder == NULL)
		return NULL;
	return cmd_text("%s/%s", strcmp(folder, "/") == 0 ? "" : folder, name);
}

/* ---- Vectors ----------------------------------------------------------- */

static int
add(struct index_writer *x, const struct clip_result *r,
    const struct index_row *row, struct npu_err *err)
{
	if (r->known && !index_content(x->index, r->sha256, r->x))
		return npu_fail(err, NPU_EFORMAT, "the vector of the same "
		    "content is damaged");
	return index_add(x->index, row, err);
}

int
index_writer_put(struct index_writer *x, const struct clip_result *r,
    struct npu_err *err)
{
	char *path = absolute_path(x, r);
	const struct index_row row = { .id = r->id, .n = r->id_n,
	    .path = path, .path_n = path != NULL ? strlen(path) : 0,
	    .sha256 = r->sha256, .x = r->x };
	bool there, more = false;
	uint64_t before;
	int rc = 0;

	pthread_mutex_lock(&x->lock);
	there = index_has(x->index, &row);
	if (!there) {
		before = index_count(x->index);
		rc = add(x, r, &row, err);
		more = index_count(x->index) > before;
	}
	pthread_mutex_unlock(&x->lock);
	free(path);
	cmd_end_if_stopped();
	if (rc < 0 && rc != NPU_EUSAGE)
		cmd_die_err(x->path, err);
	if (there)
		x->known++;
	else if (rc == 0 && r->known && !more)
		x->renamed++;
	else if (rc == 0)
		x->made++;
	return rc;
}

void
index_writer_close(struct index_writer *x)
{
	uint64_t n = index_count(x->index);
	struct npu_err err;

	if (index_close(x->index, &err) < 0)
		cmd_die_err(x->path, &err);
	pthread_mutex_destroy(&x->lock);
	free(x->found);
	free(x->folder);
	free(x->folder_path);
	cmd_note("%s: %" PRIu64 " vector%s added, %" PRIu64 " renamed, %"
	    PRIu64 " unchanged; %" PRIu64 " in the index", x->path, x->made,
	    x->made == 1 ? "" : "s", x->renamed, x->known, n);
}
