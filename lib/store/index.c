// SPDX-License-Identifier: Apache-2.0
/* index.c - an index file for writers. */
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
#include "store/index_impl.h"

static int
out_of_memory(struct npu_err *err)
{
	return npu_fail(err, NPU_ESYSTEM, "out of memory");
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

/* Does what index_catch_up() does, without locking; *size is the file's
 * size. */
static int
catch_up(struct index *ix, uint64_t *size, struct npu_err *err)
{
	struct layout_head head;
	struct stat st;
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
	while ((rc = layout_get_head(index_file(ix, *size), ix->header.dim,
	    ix->end, &head, err)) > 0) {
		if (ix->end + layout_size(ix->header.dim, &head) == *size &&
		    !layout_whole(index_file(ix, *size), ix->header.dim,
		    ix->end, &head))
			return 0;
		if ((rc = index_note_record(ix, err)) < 0)
			break;
	}
	return rc;
}

static int reopen(struct index *ix, struct npu_err *err);

/* A signal handler without SA_RESTART ends the wait. */
static int
lock(const struct index *ix, int how, struct npu_err *err)
{
	if (flock(ix->fd, how) == 0)
		return 0;
	return npu_fail(err, errno == EINTR ? NPU_ESTOPPED : NPU_ESYSTEM,
	    "while waiting for the lock: %s", strerror(errno));
}

/* Locks the file that path leads to now: another process may have replaced the
 * file (index_lock()). */
static int
lock_current(struct index *ix, int how, struct npu_err *err)
{
	int rc;

	while ((rc = lock(ix, how, err)) == 0 &&
	    (rc = create_is_current(ix->fd, ix->path, err)) == 0)
		if ((rc = reopen(ix, err)) < 0)
			break;
	return rc < 0 ? rc : 0;
}

/* Takes the lock, so no writer truncates the records that are being read. */
int
index_catch_up(struct index *ix, struct npu_err *err)
{
	uint64_t size;
	int rc;

	if ((rc = lock_current(ix, LOCK_SH, err)) < 0)
		return rc;
	rc = catch_up(ix, &size, err);
	flock(ix->fd, LOCK_UN);
	return rc;
}

/* ---- Adding ------------------------------------------------------------ */

static int
check_new(const struct index *ix, const struct index_row *row,
    struct npu_err *err)
{
	if (row->n > INDEX_MAX_ID)
		return npu_fail(err, NPU_EUSAGE, "a name of %zu bytes; the "
		    "limit is %d", row->n, INDEX_MAX_ID);
	if (row->path_n > INDEX_MAX_PATH)
		return npu_fail(err, NPU_EUSAGE, "a path of %zu bytes; the "
		    "limit is %d", row->path_n, INDEX_MAX_PATH);
	for (uint32_t i = 0; i < ix->header.dim; i++)
		if (!isfinite(row->x[i]))
			return npu_fail(err, NPU_EUSAGE, "number %u of %u is "
			    "not finite", i + 1, ix->header.dim);
	return 0;
}

/* Writes the whole record or nothing: removes a part that was written. */
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
append(struct index *ix, const struct index_row *row, struct npu_err *err)
{
	uint64_t size;
	int rc;

	if ((rc = catch_up(ix, &size, err)) < 0)
		return rc;
	if (size > ix->end && ftruncate(ix->fd, (off_t)ix->end) < 0)
		return npu_fail(err, NPU_ESYSTEM, "%s", strerror(errno));
	/* Before the record is written, because a record that cannot be found
	 * must not exist. */
	if (!table_room(&ix->ids) || !table_room(&ix->contents))
		return out_of_memory(err);
	buf_clear(&ix->record);
	layout_put_record(&ix->record, ix->header.dim, ix->end,
	    index_older(ix, row), row);
	if (ix->record.failed)
		return out_of_memory(err);
	if ((rc = map_bytes(ix, ix->end + ix->record.n, err)) < 0 ||
	    (rc = write_record(ix, err)) < 0)
		return rc;
	return index_note_record(ix, err);
}

int
index_add(struct index *ix, const struct index_row *row, struct npu_err *err)
{
	int rc;

	if ((rc = check_new(ix, row, err)) < 0 ||
	    (rc = lock_current(ix, LOCK_EX, err)) < 0)
		return rc;
	rc = append(ix, row, err);
	flock(ix->fd, LOCK_UN);
	return rc;
}

/* ---- Opening ----------------------------------------------------------- */

static int
differ(const char *what, const char *there, const char *here,
    struct npu_err *err)
{
	return npu_fail(err, NPU_EUSAGE, "its vectors have %s %.300s, these "
	    "have %.300s: an index has one; name another", what, there, here);
}

static int
check_kind(const struct index_header *a, const struct index_header *b,
    struct npu_err *err)
{
	static const char *const names[] = { [INDEX_ANY] = "any kind",
	    [INDEX_TEXT] = "texts", [INDEX_IMAGE] = "pictures" };

	if (a->kind == b->kind)
		return 0;
	return npu_fail(err, NPU_EUSAGE, "it holds vectors of %s, not of %s: "
	    "an index holds one kind; name another, and vec-nearest compares "
	    "the two", names[a->kind], names[b->kind]);
}

/* Compares models by name and by the first digits of their hashes. */
static int
check_model(const struct index_header *a, const struct index_header *b,
    struct npu_err *err)
{
	char there[65], here[65];

	if (memcmp(a->model_sha256, b->model_sha256, INDEX_SHA256) == 0)
		return 0;
	index_hex(a->model_sha256, there);
	index_hex(b->model_sha256, here);
	return npu_fail(err, NPU_EUSAGE, "its vectors are by model %.300s "
	    "(%.12s), these by %.300s (%.12s): an index has vectors of one; "
	    "name another", a->model, there, b->model != NULL ? b->model : "",
	    here);
}

/* Checks that an existing index has the kind of vectors of *h. */
static int
check_same(const struct index_header *a, const struct index_header *b,
    struct npu_err *err)
{
	const char *text = b->preprocessing != NULL ? b->preprocessing : "";
	int rc;

	if ((rc = check_kind(a, b, err)) < 0)
		return rc;
	if (a->dim != b->dim)
		return npu_fail(err, NPU_EUSAGE, "its vectors have %u "
		    "numbers, these have %u", a->dim, b->dim);
	if ((rc = check_model(a, b, err)) < 0)
		return rc;
	if (strcmp(a->preprocessing, text) != 0)
		return differ("preprocessing", a->preprocessing, text, err);
	if (a->norm != b->norm)
		return differ("norm", index_norm_name(a->norm),
		    index_norm_name(b->norm), err);
	return 0;
}

/* Writes the header again, in the format of this version.  Only the version and
 * the checksum in its first sector change, in one call. */
static int
upgrade(struct index *ix, struct npu_err *err)
{
	struct buf b = { 0 };
	int rc;

	if ((rc = lock(ix, LOCK_EX, err)) < 0)
		return rc;
	rc = layout_put_header(&b, &ix->header, err);
	errno = ENOSPC;		/* after a short write */
	if (rc == 0 && pwrite(ix->fd, b.p, LAYOUT_FIXED, 0) != LAYOUT_FIXED)
		rc = npu_fail(err, NPU_ESYSTEM, "%s", strerror(errno));
	buf_free(&b);
	return rc;
}

/* Reads the header, and converts an old header to this version. */
static int
read_header(struct index *ix, const struct index_header *h,
    struct npu_err *err)
{
	struct stat st;
	int rc;

	if (fstat(ix->fd, &st) < 0)
		return npu_fail(err, NPU_ESYSTEM, "%s", strerror(errno));
	if (!S_ISREG(st.st_mode))
		return npu_fail(err, NPU_EFORMAT, "not a regular file");
	if ((rc = map_bytes(ix, (uint64_t)st.st_size, err)) < 0 ||
	    (rc = layout_get_header(index_file(ix, (uint64_t)st.st_size),
	    &ix->header, &ix->end, err)) < 0 ||
	    (rc = check_same(&ix->header, h, err)) < 0)
		return rc;
	return ix->header.version < LAYOUT_VERSION ? upgrade(ix, err) : 0;
}

/* Opens ix->path and reads its header and records. */
static int
read_file(struct index *ix, const struct index_header *h,
    struct npu_err *err)
{
	uint64_t size;
	int rc;

	table_begin(&ix->ids);
	table_begin(&ix->contents);
	if ((rc = ix->fd = create_or_open(ix->path, h, err)) < 0 ||
	    (rc = lock(ix, LOCK_SH, err)) < 0)
		return rc;
	if ((rc = read_header(ix, h, err)) == 0)
		rc = catch_up(ix, &size, err);
	flock(ix->fd, LOCK_UN);
	return rc;
}

/* Undoes read_index(), except for the header. */
static void
forget_file(struct index *ix)
{
	if (ix->fd >= 0)
		close(ix->fd);
	if (ix->map != NULL)
		munmap(ix->map, ix->mapped);
	free(ix->ids.slot);
	free(ix->contents.slot);
	ix->fd = -1;
	ix->map = NULL;
	ix->mapped = 0;
	ix->ids = ix->contents = (struct index_table){ 0 };
}

/*
 * Replaces an index that does not agree with *h but has no records, which a
 * failed run may have left, by an index with *h.  Returns 1 if ix->path must be
 * read again, 0 if it has records.
 */
static int
replace_vacant(struct index *ix, const struct index_header *h,
    struct npu_err *err)
{
	const uint64_t begin = ix->end;
	uint64_t size;
	int rc;

	if ((rc = lock(ix, LOCK_EX, err)) < 0 ||
	    (rc = create_is_current(ix->fd, ix->path, err)) <= 0)
		return rc < 0 ? rc : 1;
	if (catch_up(ix, &size, NULL) < 0 || ix->end > begin)
		return 0;
	rc = create_over(ix->fd, ix->path, h, err);
	return rc < 0 ? rc : 1;
}

static int
read_index(struct index *ix, const struct index_header *h,
    struct npu_err *err)
{
	int rc, again;

	while ((rc = read_file(ix, h, err)) == NPU_EUSAGE && ix->fd >= 0) {
		if ((again = replace_vacant(ix, h, err)) <= 0) {
			flock(ix->fd, LOCK_UN);
			return again < 0 ? again : rc;
		}
		forget_file(ix);
		layout_free_header(&ix->header);
	}
	return rc;
}

/* Opens the index again after another file took its place.  Fails with
 * NPU_EFORMAT if that file does not agree, because it is not our index then. */
static int
reopen(struct index *ix, struct npu_err *err)
{
	struct index_header h = ix->header;
	int rc;

	forget_file(ix);
	ix->header = (struct index_header){ 0 };
	rc = read_index(ix, &h, err);
	layout_free_header(&h);
	return rc == NPU_EUSAGE ? NPU_EFORMAT : rc;
}

int
index_open(struct index **index, const char *path,
    const struct index_header *h, struct npu_err *err)
{
	struct index *ix = calloc(1, sizeof(*ix));
	int rc;

	if (ix == NULL)
		return out_of_memory(err);
	ix->fd = -1;
	if ((ix->path = strdup(path)) == NULL)
		rc = out_of_memory(err);
	else
		rc = read_index(ix, h, err);
	if (rc < 0) {
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
	/* EINVAL: not on a disk. */
	if (ix->fd >= 0 && fsync(ix->fd) < 0 && errno != EINVAL)
		rc = npu_fail(err, NPU_ESYSTEM, "%s", strerror(errno));
	forget_file(ix);
	layout_free_header(&ix->header);
	buf_free(&ix->record);
	free(ix->path);
	free(ix);
	return rc;
}
