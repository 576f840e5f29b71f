// SPDX-License-Identifier: Apache-2.0
/* layout.c - writes and checks the bytes of an index file. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/err.h"
#include "store/layout.h"

static const char record_magic[4] = "VREC";

static uint64_t
rounded(uint64_t n)
{
	return (n + LAYOUT_ALIGN - 1) / LAYOUT_ALIGN * LAYOUT_ALIGN;
}

/* ---- Header ------------------------------------------------------------ */

static const char *
text(const char *s)
{
	return s != NULL ? s : "";
}

static int
check_header(const struct index_header *h, struct npu_err *err)
{
	if (h->dim < 1 || h->dim > INDEX_MAX_DIM)
		return npu_fail(err, NPU_EUSAGE, "%u numbers a vector; 1 to %d "
		    "are possible", h->dim, INDEX_MAX_DIM);
	if (strlen(text(h->model)) > INDEX_MAX_TEXT ||
	    strlen(text(h->preprocessing)) > INDEX_MAX_TEXT)
		return npu_fail(err, NPU_EUSAGE, "the model's name or the "
		    "preprocessing is longer than %d bytes", INDEX_MAX_TEXT);
	return 0;
}

int
layout_put_header(struct buf *b, const struct index_header *h,
    struct npu_err *err)
{
	struct layout_header f = { .version = LAYOUT_VERSION, .dim = h->dim,
	    .norm = h->norm, .kind = h->kind };
	static const char zeros[LAYOUT_ALIGN];
	size_t used, from = b->n;
	int rc;

	if ((rc = check_header(h, err)) < 0)
		return rc;
	memcpy(f.magic, INDEX_MAGIC, sizeof(f.magic));
	f.model_bytes = (uint32_t)strlen(text(h->model));
	f.preprocessing_bytes = (uint32_t)strlen(text(h->preprocessing));
	used = LAYOUT_FIXED + f.model_bytes + f.preprocessing_bytes;
	f.size = (uint32_t)rounded(used);
	memcpy(f.model_sha256, h->model_sha256, INDEX_SHA256);
	buf_add(b, &f, sizeof(f));
	buf_puts(b, text(h->model));
	buf_puts(b, text(h->preprocessing));
	buf_add(b, zeros, f.size - used);
	if (b->failed)
		return npu_fail(err, NPU_ESYSTEM, "out of memory");
	f.checksum = layout_checksum(b->p + from, f.size);
	memcpy(b->p + from, &f, sizeof(f));
	return 0;
}

/* Checks that the numbers in the fixed part agree with each other and with the
 * file's size. */
static int
check_fixed(struct bytes file, const struct layout_header *f,
    struct npu_err *err)
{
	uint64_t used = (uint64_t)LAYOUT_FIXED + f->model_bytes +
	    f->preprocessing_bytes;

	if (f->version < 1 || f->version > LAYOUT_VERSION)
		return npu_fail(err, NPU_EFORMAT, "version %u of the format; "
		    "this program reads 1 to %d", f->version,
		    LAYOUT_VERSION);
	if (f->model_bytes > INDEX_MAX_TEXT ||
	    f->preprocessing_bytes > INDEX_MAX_TEXT || f->size != rounded(used))
		return npu_fail(err, NPU_EFORMAT, "header: texts of %u and %u "
		    "bytes in %u bytes", f->model_bytes,
		    f->preprocessing_bytes, f->size);
	if (f->size > file.n)
		return npu_fail(err, NPU_EFORMAT, "header: %u bytes, and the "
		    "file has %zu", f->size, file.n);
	return 0;
}

static int
check_fields(const struct layout_header *f, struct npu_err *err)
{
	static const uint8_t zeros[sizeof(f->reserved)];

	if (f->dim < 1 || f->dim > INDEX_MAX_DIM)
		return npu_fail(err, NPU_EFORMAT, "header: %u numbers a "
		    "vector; 1 to %d are possible", f->dim, INDEX_MAX_DIM);
	if (f->norm > INDEX_NORM_L2 || f->kind > INDEX_IMAGE)
		return npu_fail(err, NPU_EFORMAT, "header: norm %u and kind "
		    "%u; at most %d and %d are known", f->norm, f->kind,
		    INDEX_NORM_L2, INDEX_IMAGE);
	if (memcmp(f->reserved, zeros, sizeof(f->reserved)) != 0 ||
	    memcmp(f->unused, zeros, sizeof(f->unused)) != 0)
		return npu_fail(err, NPU_EFORMAT, "header: something is in "
		    "the bytes that are reserved");
	return 0;
}

/* Checks the header's checksum, over a copy in which the checksum is 0. */
static int
check_sum(struct bytes file, const struct layout_header *f,
    struct npu_err *err)
{
	struct layout_header plain = *f;
	uint64_t got;
	uint8_t *copy;

	if ((copy = malloc(f->size)) == NULL)
		return npu_fail(err, NPU_ESYSTEM, "out of memory");
	plain.checksum = 0;
	memcpy(copy, file.p, f->size);
	memcpy(copy, &plain, sizeof(plain));
	got = layout_checksum(copy, f->size);
	free(copy);
	if (got != f->checksum)
		return npu_fail(err, NPU_EFORMAT, "header: checksum %016" PRIx64
		    ", not %016" PRIx64 " as at offset 96", got, f->checksum);
	return 0;
}

int
layout_get_header(struct bytes file, struct index_header *h, uint64_t *size,
    struct npu_err *err)
{
	const char *texts = (const char *)file.p + LAYOUT_FIXED;
	struct index_header new = { 0 };
	struct layout_header f;
	int rc;

	if (file.n < sizeof(f.magic) ||
	    memcmp(file.p, INDEX_MAGIC, sizeof(f.magic)) != 0)
		return npu_fail(err, NPU_EFORMAT, "not an index: it does not "
		    "begin with " INDEX_MAGIC);
	if (!bytes_get(file, 0, &f, sizeof(f)))
		return npu_fail(err, NPU_EFORMAT, "header: %d bytes, and the "
		    "file has %zu", LAYOUT_FIXED, file.n);
	if ((rc = check_fixed(file, &f, err)) < 0 ||
	    (rc = check_sum(file, &f, err)) < 0 ||
	    (rc = check_fields(&f, err)) < 0)
		return rc;
	new.version = f.version;
	new.dim = f.dim;
	new.norm = f.norm;
	new.kind = f.kind;
	memcpy(new.model_sha256, f.model_sha256, INDEX_SHA256);
	new.model = strndup(texts, f.model_bytes);
	new.preprocessing = strndup(texts + f.model_bytes,
	    f.preprocessing_bytes);
	if (new.model == NULL || new.preprocessing == NULL) {
		layout_free_header(&new);
		return npu_fail(err, NPU_ESYSTEM, "out of memory");
	}
	*h = new;
	*size = f.size;
	return 0;
}

void
layout_free_header(struct index_header *h)
{
	free((char *)h->model);
	free((char *)h->preprocessing);
	h->model = h->preprocessing = NULL;
}

/* ---- Records ----------------------------------------------------------- */

uint64_t
layout_replaces(const struct layout_head *head)
{
	return head->replaces_path & (((uint64_t)1 << 48) - 1);
}

static uint32_t
bytes_of_path(const struct layout_head *head)
{
	return (uint32_t)(head->replaces_path >> 48);
}

uint64_t
layout_record(uint32_t dim, uint64_t text_bytes)
{
	return LAYOUT_HEAD + rounded((uint64_t)dim * sizeof(float) +
	    text_bytes);
}

uint64_t
layout_size(uint32_t dim, const struct layout_head *head)
{
	return layout_record(dim, (uint64_t)head->id_bytes +
	    bytes_of_path(head));
}

uint64_t
layout_head_checksum(const struct layout_head *head, uint64_t at)
{
	struct layout_head h = *head;

	h.head_checksum = at;
	return layout_checksum(&h, sizeof(h));
}

void
layout_put_record(struct buf *b, uint32_t dim, uint64_t at,
    uint64_t replaces, const struct index_row *row)
{
	struct layout_head h = { .id_bytes = (uint32_t)row->n,
	    .replaces_path = (uint64_t)row->path_n << 48 | replaces };
	const size_t vector = dim * sizeof(*row->x);
	const size_t body = (size_t)layout_size(dim, &h) - LAYOUT_HEAD;
	static const char zeros[LAYOUT_ALIGN];
	size_t from = b->n;

	memcpy(h.magic, record_magic, sizeof(h.magic));
	memcpy(h.sha256, row->sha256, INDEX_SHA256);
	buf_add(b, &h, sizeof(h));
	buf_add(b, row->x, vector);
	buf_add(b, row->id, row->n);
	if (row->path_n > 0)
		buf_add(b, row->path, row->path_n);
	buf_add(b, zeros, body - vector - row->n - row->path_n);
	if (b->failed)
		return;
	h.body_checksum = layout_checksum(b->p + from + LAYOUT_HEAD, body);
	h.head_checksum = layout_head_checksum(&h, at);
	memcpy(b->p + from, &h, sizeof(h));
}

/* A file system that lost power may leave zeros instead of a record. */
static bool
all_zero(struct bytes b)
{
	for (size_t i = 0; i < b.n; i++)
		if (b.p[i] != 0)
			return false;
	return true;
}

bool
layout_is_head(struct bytes file, uint64_t at, struct layout_head *head)
{
	return bytes_get(file, at, head, sizeof(*head)) &&
	    memcmp(head->magic, record_magic, sizeof(head->magic)) == 0 &&
	    head->head_checksum == layout_head_checksum(head, at);
}

int
layout_get_head(struct bytes file, uint32_t dim, uint64_t at,
    struct layout_head *head, struct npu_err *err)
{
	struct bytes rest;

	if (!bytes_sub(file, at, file.n - at, &rest) ||
	    !bytes_get(rest, 0, head, sizeof(*head)))
		return 0;
	if (!layout_is_head(file, at, head)) {
		if (all_zero(rest))
			return 0;
		return npu_fail(err, NPU_EFORMAT, "record at %" PRIu64 ": its "
		    "header is damaged: checksum %016" PRIx64 ", not %016"
		    PRIx64, at, layout_head_checksum(head, at),
		    head->head_checksum);
	}
	if (head->id_bytes > INDEX_MAX_ID)
		return npu_fail(err, NPU_EFORMAT, "record at %" PRIu64 ": a "
		    "name of %u bytes; the limit is %d", at, head->id_bytes,
		    INDEX_MAX_ID);
	if (layout_replaces(head) % LAYOUT_ALIGN != 0 ||
	    layout_replaces(head) >= at)
		return npu_fail(err, NPU_EFORMAT, "record at %" PRIu64 ": it "
		    "replaces one at %" PRIu64 ", where none can be", at,
		    layout_replaces(head));
	return layout_size(dim, head) <= rest.n;
}

bool
layout_whole(struct bytes file, uint32_t dim, uint64_t at,
    const struct layout_head *head)
{
	struct bytes body;

	return bytes_sub(file, at + LAYOUT_HEAD, layout_size(dim, head) -
	    LAYOUT_HEAD, &body) &&
	    layout_checksum(body.p, body.n) == head->body_checksum;
}

void
layout_get_names(struct bytes file, uint32_t dim, uint64_t at,
    const struct layout_head *head, struct index_row *row)
{
	row->id = (const char *)file.p + at + LAYOUT_HEAD + (size_t)dim *
	    sizeof(float);
	row->n = head->id_bytes;
	row->path_n = bytes_of_path(head);
	row->path = row->path_n > 0 ? row->id + row->n : NULL;
}
