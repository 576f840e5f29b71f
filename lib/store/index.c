// SPDX-License-Identifier: Apache-2.0
/* index.c - an index file as its writers see it. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/err.h"
#include "store/create.h"
#include "store/layout.h"
#include "store/table.h"

struct index {
	int fd;
	struct index_header header;
	uint64_t end;		/* of the last whole record */
	/* The mapped file; only bytes below end may be touched. */
	uint8_t *map;
	size_t mapped;
	struct index_table ids, contents;
	struct buf record;	/* the one being added */
};

static struct bytes
file(const struct index *ix, uint64_t n)
{
	return (struct bytes){ ix->map, (size_t)n };
}

static int
out_of_memory(struct npu_err *err)
{
	return npu_fail(err, NPU_ESYSTEM, "out of memory");
}

/* ---- Lookup ------------------------------------------------------------ */

struct wanted {
	const struct index *ix;
	const void *p;
	size_t n;
};

static bool
same_id(const void *arg, uint64_t at)
{
	const struct wanted *w = arg;
	struct layout_head head;

	memcpy(&head, w->ix->map + at, sizeof(head));
	return head.id_bytes == w->n && memcmp(layout_id(file(w->ix,
	    w->ix->end), w->ix->header.dim, at), w->p, w->n) == 0;
}

static bool
same_content(const void *arg, uint64_t at)
{
	const struct wanted *w = arg;

	return memcmp(w->ix->map + at + offsetof(struct layout_head, sha256),
	    w->p, w->n) == 0;
}

static struct table_slot *
find_id(const struct index *ix, const char *id, size_t n)
{
	struct wanted w = { ix, id, n };

	return table_find(&ix->ids, table_hash(&ix->ids, id, n), same_id, &w);
}

static struct table_slot *
find_content(const struct index *ix, const uint8_t *sha256)
{
	struct wanted w = { ix, sha256, INDEX_SHA256 };

	return table_find(&ix->contents, table_hash(&ix->contents, sha256,
	    INDEX_SHA256), same_content, &w);
}

/* Whether the record at at is undamaged. */
static bool
whole(const struct index *ix, uint64_t at)
{
	struct layout_head head;

	memcpy(&head, ix->map + at, sizeof(head));
	return layout_whole(file(ix, ix->end), ix->header.dim, at, &head);
}

bool
index_has(const struct index *ix, const char *id, size_t n,
    const uint8_t sha256[INDEX_SHA256])
{
	const struct table_slot *s = find_id(ix, id, n);
	struct wanted w = { ix, sha256, INDEX_SHA256 };

	return s != NULL && s->at != 0 && same_content(&w, s->at) &&
	    whole(ix, s->at);
}

bool
index_content(const struct index *ix, const uint8_t sha256[INDEX_SHA256],
    float *x)
{
	const struct table_slot *s = find_content(ix, sha256);

	if (s == NULL || s->at == 0 || !whole(ix, s->at))
		return false;
	memcpy(x, ix->map + s->at + LAYOUT_HEAD, ix->header.dim * sizeof(*x));
	return true;
}

uint64_t
index_count(const struct index *ix)
{
	return ix->ids.n;
}

/* ---- Records of other writers ------------------------------------------ */

/* Maps at least the first n bytes of the file, with room for more. */
static int
map_bytes(struct index *ix, uint64_t n, struct npu_err *err)
{
	size_t size = (size_t)n + (size_t)n / 2 + (1 << 20);
	void *p;

	if (n <= ix->mapped)
		return 0;
	if (ix->map != NULL)
		p = mremap(ix->map, ix->mapped, size, MREMAP_MAYMOVE);
	else
		p = mmap(NULL, size, PROT_READ, MAP_SHARED, ix->fd, 0);
	if (p == MAP_FAILED)
		return npu_fail(err, NPU_ESYSTEM, "%s", strerror(errno));
	ix->map = p;
	ix->mapped = size;
	return 0;
}

static void
put(struct index_table *t, struct table_slot *s, uint64_t hash, uint64_t at)
{
	t->n += s->at == 0;
	*s = (struct table_slot){ hash, at };
}

/* Adds the record at ix->end, of size bytes, to the tables. */
static int
add_record(struct index *ix, uint64_t size, struct npu_err *err)
{
	struct layout_head head;
	struct wanted id = { ix, NULL, 0 }, content = { ix, head.sha256,
	    INDEX_SHA256 };
	const uint64_t at = ix->end;
	uint64_t hash;

	if (!table_room(&ix->ids) || !table_room(&ix->contents))
		return out_of_memory(err);
	memcpy(&head, ix->map + at, sizeof(head));
	id.p = layout_id(file(ix, at + size), ix->header.dim, at);
	id.n = head.id_bytes;
	hash = table_hash(&ix->ids, id.p, id.n);
	put(&ix->ids, table_find(&ix->ids, hash, same_id, &id), hash, at);
	hash = table_hash(&ix->contents, head.sha256, INDEX_SHA256);
	put(&ix->contents, table_find(&ix->contents, hash, same_content,
	    &content), hash, at);
	ix->end += size;
	return 0;
}

/* As index_catch_up(); *size is that of the file. */
static int
catch_up(struct index *ix, uint64_t *size, struct npu_err *err)
{
	struct layout_head head;
	struct stat st;
	uint64_t n;
	int rc;

	if (fstat(ix->fd, &st) < 0)
		return npu_fail(err, NPU_ESYSTEM, "%s", strerror(errno));
	*size = (uint64_t)st.st_size;
	if (*size < ix->end)
		return npu_fail(err, NPU_EFORMAT, "the file has %" PRIu64
		    " bytes, and had %" PRIu64 " before: it was cut",
		    *size, ix->end);
	if ((rc = map_bytes(ix, *size, err)) < 0)
		return rc;
	while ((rc = layout_get_head(file(ix, *size), ix->header.dim, ix->end,
	    &head, err)) > 0) {
		n = layout_record(ix->header.dim, head.id_bytes);
		if (ix->end + n == *size && !layout_whole(file(ix, *size),
		    ix->header.dim, ix->end, &head))
			return 0;
		if ((rc = add_record(ix, n, err)) < 0)
			break;
	}
	return rc;
}

/* A signal handler without SA_RESTART means that the wait is to end. */
static int
lock(const struct index *ix, int how, struct npu_err *err)
{
	if (flock(ix->fd, how) == 0)
		return 0;
	return npu_fail(err, errno == EINTR ? NPU_ESTOPPED : NPU_ESYSTEM,
	    "while waiting for the lock: %s", strerror(errno));
}

/* Locked, so that no writer truncates what is being read. */
int
index_catch_up(struct index *ix, struct npu_err *err)
{
	uint64_t size;
	int rc;

	if ((rc = lock(ix, LOCK_SH, err)) < 0)
		return rc;
	rc = catch_up(ix, &size, err);
	flock(ix->fd, LOCK_UN);
	return rc;
}

/* ---- Adding ------------------------------------------------------------ */

static int
check_new(const struct index *ix, size_t n, const float *x,
    struct npu_err *err)
{
	if (n > INDEX_MAX_ID)
		return npu_fail(err, NPU_EUSAGE, "a name of %zu bytes; the "
		    "limit is %d", n, INDEX_MAX_ID);
	for (uint32_t i = 0; i < ix->header.dim; i++)
		if (!isfinite(x[i]))
			return npu_fail(err, NPU_EUSAGE, "number %u of %u is "
			    "not finite", i + 1, ix->header.dim);
	return 0;
}

/* Writes all of the record or none: a part is truncated again. */
static int
write_record(struct index *ix, struct npu_err *err)
{
	size_t done = 0;
	ssize_t r;

	while (done < ix->record.n) {
		r = pwrite(ix->fd, ix->record.p + done, ix->record.n - done,
		    (off_t)(ix->end + done));
		if (r < 0 && errno == EINTR)
			continue;
		if (r <= 0) {
			r = errno;
			if (ftruncate(ix->fd, (off_t)ix->end) < 0)
				return npu_fail(err, NPU_ESYSTEM, "%s, and a "
				    "part of a record stays", strerror((int)r));
			return npu_fail(err, NPU_ESYSTEM, "%s",
			    strerror((int)r));
		}
		done += (size_t)r;
	}
	return 0;
}

/* Appends a record while the lock is held. */
static int
append(struct index *ix, const char *id, size_t n, const uint8_t *sha256,
    const float *x, struct npu_err *err)
{
	const struct table_slot *old;
	uint64_t size;
	int rc;

	if ((rc = catch_up(ix, &size, err)) < 0)
		return rc;
	if (size > ix->end && ftruncate(ix->fd, (off_t)ix->end) < 0)
		return npu_fail(err, NPU_ESYSTEM, "%s", strerror(errno));
	/* Before it is written, because a record that cannot be found must not
	 * be there. */
	if (!table_room(&ix->ids) || !table_room(&ix->contents))
		return out_of_memory(err);
	old = find_id(ix, id, n);
	buf_clear(&ix->record);
	layout_put_record(&ix->record, ix->header.dim, ix->end, old != NULL ?
	    old->at : 0, sha256, id, n, x);
	if (ix->record.failed)
		return out_of_memory(err);
	if ((rc = map_bytes(ix, ix->end + ix->record.n, err)) < 0 ||
	    (rc = write_record(ix, err)) < 0)
		return rc;
	return add_record(ix, ix->record.n, err);
}

int
index_add(struct index *ix, const char *id, size_t n,
    const uint8_t sha256[INDEX_SHA256], const float *x, struct npu_err *err)
{
	int rc;

	if ((rc = check_new(ix, n, x, err)) < 0 ||
	    (rc = lock(ix, LOCK_EX, err)) < 0)
		return rc;
	rc = append(ix, id, n, sha256, x, err);
	flock(ix->fd, LOCK_UN);
	return rc;
}

/* ---- Opening ----------------------------------------------------------- */

static int
differ(const char *what, const char *there, const char *here,
    struct npu_err *err)
{
	return npu_fail(err, NPU_EUSAGE, "its vectors have %s %.300s, these "
	    "have %.300s: they cannot be compared; use another index", what,
	    there, here);
}

/* Checks that an existing index has the kind of vectors of *h. */
static int
check_same(const struct index_header *a, const struct index_header *b,
    struct npu_err *err)
{
	const char *text = b->preprocessing != NULL ? b->preprocessing : "";
	char there[65], here[65];

	if (a->dim != b->dim)
		return npu_fail(err, NPU_EUSAGE, "its vectors have %u "
		    "numbers, these have %u", a->dim, b->dim);
	index_hex(a->model_sha256, there);
	index_hex(b->model_sha256, here);
	if (strcmp(there, here) != 0)
		return differ("model", there, here, err);
	if (a->kind != b->kind)
		return differ("kind", index_kind_name(a->kind),
		    index_kind_name(b->kind), err);
	if (strcmp(a->preprocessing, text) != 0)
		return differ("preprocessing", a->preprocessing, text, err);
	if (a->norm != b->norm)
		return differ("norm", index_norm_name(a->norm),
		    index_norm_name(b->norm), err);
	return 0;
}

static int
read_index(struct index *ix, const struct index_header *h,
    struct npu_err *err)
{
	struct stat st;
	int rc;

	if (fstat(ix->fd, &st) < 0)
		return npu_fail(err, NPU_ESYSTEM, "%s", strerror(errno));
	if (!S_ISREG(st.st_mode))
		return npu_fail(err, NPU_EFORMAT, "not a regular file");
	if ((rc = map_bytes(ix, (uint64_t)st.st_size, err)) < 0 ||
	    (rc = layout_get_header(file(ix, (uint64_t)st.st_size),
	    &ix->header, &ix->end, err)) < 0 ||
	    (rc = check_same(&ix->header, h, err)) < 0)
		return rc;
	return index_catch_up(ix, err);
}

int
index_open(struct index **index, const char *path,
    const struct index_header *h, struct npu_err *err)
{
	struct index *ix = calloc(1, sizeof(*ix));
	int rc;

	if (ix == NULL)
		return out_of_memory(err);
	table_begin(&ix->ids);
	table_begin(&ix->contents);
	if ((rc = ix->fd = create_or_open(path, h, err)) < 0 ||
	    (rc = read_index(ix, h, err)) < 0) {
		index_close(ix, NULL);
		return rc;
	}
	*index = ix;
	return 0;
}

int
index_close(struct index *ix, struct npu_err *err)
{
	int rc = 0;

	if (ix == NULL)
		return 0;
	/* EINVAL: not a disk. */
	if (ix->fd >= 0 && fsync(ix->fd) < 0 && errno != EINVAL)
		rc = npu_fail(err, NPU_ESYSTEM, "%s", strerror(errno));
	if (ix->fd >= 0)
		close(ix->fd);
	if (ix->map != NULL)
		munmap(ix->map, ix->mapped);
	layout_free_header(&ix->header);
	free(ix->ids.slot);
	free(ix->contents.slot);
	buf_free(&ix->record);
	free(ix);
	return rc;
}
