// SPDX-License-Identifier: Apache-2.0
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "device.h"
#include "index_writer.h"

/* 64 digits to 32 bytes. */
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
	    .model = c->name, .preprocessing = c->how.p };
	struct npu_err err;

	clip_hash(c);
	from_hex(c->sha256, h.model_sha256);
	if (index_open(&x->index, x->path, &h, &err) < 0)
		cmd_die_err(x->path, &err);
	pthread_mutex_init(&x->lock, NULL);
	x->found = cmd_alloc(c->dim * sizeof(*x->found));
}

bool
index_writer_wanted(void *arg, const char *id, size_t n,
    const uint8_t sha256[32])
{
	struct index_writer *x = arg;
	bool known;

	pthread_mutex_lock(&x->lock);
	known = index_has(x->index, id, n, sha256) ||
	    index_content(x->index, sha256, x->found);
	pthread_mutex_unlock(&x->lock);
	return !known;
}

static int
add(struct index_writer *x, const struct clip_result *r, struct npu_err *err)
{
	if (r->known && !index_content(x->index, r->sha256, r->x))
		return npu_fail(err, NPU_EFORMAT, "the vector of the same "
		    "content is damaged");
	return index_add(x->index, r->id, r->id_n, r->sha256, r->x, err);
}

int
index_writer_put(struct index_writer *x, const struct clip_result *r,
    struct npu_err *err)
{
	bool there;
	int rc = 0;

	pthread_mutex_lock(&x->lock);
	there = index_has(x->index, r->id, r->id_n, r->sha256);
	if (!there)
		rc = add(x, r, err);
	pthread_mutex_unlock(&x->lock);
	cmd_end_if_stopped();
	if (rc < 0 && rc != NPU_EUSAGE)
		cmd_die_err(x->path, err);
	if (there)
		x->known++;
	else if (rc == 0 && r->known)
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
	cmd_note("%s: %" PRIu64 " new vectors, %" PRIu64 " known ones under "
	    "new names, %" PRIu64 " there before, %" PRIu64 " now", x->path,
	    x->made, x->renamed, x->known, n);
}
