// SPDX-License-Identifier: Apache-2.0
/* map.c - an index file for readers. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "base/err.h"
#include "base/file.h"
#include "base/mapped_file.h"
#include "store/layout.h"

/* A flag in the offset of a record, which is a multiple of LAYOUT_ALIGN. */
enum { REPLACED = 1 };

struct index_map {
	struct index_header header;
	struct bytes file;
	bool mapped;
	uint64_t *at;			/* offsets of the records; owned */
	uint64_t n, cap;
	uint64_t next;			/* offset of the first record after
					   these */
	int locked;			/* locked descriptor, or -1 */
	struct mapped_file window;		/* of a scan */
};

/* ---- Records ----------------------------------------------------------- */

static int
room(struct index_map *m, struct npu_err *err)
{
	const uint64_t cap = m->cap == 0 ? 256 : m->cap * 2;
	uint64_t *more;

	if (m->n < m->cap)
		return 0;
	if ((more = realloc(m->at, cap * sizeof(*more))) == NULL)
		return npu_fail(err, NPU_ESYSTEM, "out of memory");
	m->at = more;
	m->cap = cap;
	return 0;
}

/* Returns the record that begins at at, or NULL. */
static uint64_t *
record_at(const struct index_map *m, uint64_t at)
{
	uint64_t least = 0, most = m->n, i;

	while (least < most) {
		i = least + (most - least) / 2;
		if ((m->at[i] & ~(uint64_t)REPLACED) < at)
			least = i + 1;
		else
			most = i;
	}
	if (least == m->n || (m->at[least] & ~(uint64_t)REPLACED) != at)
		return NULL;
	return &m->at[least];
}

/* Marks an older record as replaced by the record at at. */
static int
replace(struct index_map *m, uint64_t at, uint64_t older, struct npu_err *err)
{
	uint64_t *old = record_at(m, older);

	if (old == NULL || (*old & REPLACED) != 0)
		return npu_fail(err, NPU_EFORMAT, "record at %" PRIu64 ": it "
		    "replaces one at %" PRIu64 ", where no such is", at, older);
	*old |= REPLACED;
	return 0;
}

/* Prefetches later headers while this one is checked: most records are as long
 * as the record before. */
static void
fetch_ahead(const struct index_map *m, uint64_t at, uint64_t size)
{
	if (m->file.n - at > 8 * size)
		__builtin_prefetch(m->file.p + at + 8 * size);
}

/* Adds the record at m->next to the known records.  Returns 1, or 0 at the
 * end. */
static int
step(struct index_map *m, struct npu_err *err)
{
	const uint64_t at = m->next;
	struct layout_head head;
	uint64_t size;
	int rc;

	if ((rc = layout_get_head(m->file, m->header.dim, at, &head,
	    err)) <= 0)
		return rc;
	size = layout_size(m->header.dim, &head);
	fetch_ahead(m, at, size);
	if (at + size == m->file.n &&
	    !layout_whole(m->file, m->header.dim, at, &head))
		return 0;
	if ((rc = room(m, err)) < 0 || (layout_replaces(&head) != 0 &&
	    (rc = replace(m, at, layout_replaces(&head), err)) < 0))
		return rc;
	m->at[m->n++] = at;
	m->next = at + size;
	return 1;
}

/* Reads all remaining records, then drops the replaced records. */
static int
walk(struct index_map *m, struct npu_err *err)
{
	uint64_t kept = 0;
	int rc;

	while ((rc = step(m, err)) > 0)
		;
	if (rc < 0)
		return rc;
	for (uint64_t i = 0; i < m->n; i++)
		if ((m->at[i] & REPLACED) == 0)
			m->at[kept++] = m->at[i];
	m->n = kept;
	return 0;
}

/* ---- File -------------------------------------------------------------- */

/* Reads the header; file is unmapped even on failure. */
static int
begin(struct index_map **map, struct bytes file, bool mapped,
    struct npu_err *err)
{
	struct index_map *m = calloc(1, sizeof(*m));
	int rc;

	if (m == NULL) {
		if (mapped)
			munmap((void *)file.p, file.n);
		return npu_fail(err, NPU_ESYSTEM, "out of memory");
	}
	m->file = file;
	m->mapped = mapped;
	m->locked = -1;
	if ((rc = layout_get_header(file, &m->header, &m->next, err)) < 0) {
		index_unmap(m);
		return rc;
	}
	*map = m;
	return 0;
}

static int
begin_file(struct index_map **map, int fd, bool ahead, struct npu_err *err)
{
	struct stat st;
	void *p;

	if (fstat(fd, &st) < 0)
		return npu_fail(err, NPU_ESYSTEM, "%s", strerror(errno));
	if (!S_ISREG(st.st_mode) || st.st_size < LAYOUT_FIXED)
		return npu_fail(err, NPU_EFORMAT, "not an index: %s",
		    S_ISREG(st.st_mode) ? "shorter than a header" :
		    "not a regular file");
	p = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_SHARED |
	    (ahead ? file_map_flags((uint64_t)st.st_size) : 0), fd, 0);
	if (p == MAP_FAILED)
		return npu_fail(err, NPU_ESYSTEM, "%s", strerror(errno));
	return begin(map, (struct bytes){ p, (size_t)st.st_size }, true, err);
}

/* Takes the lock: a writer that truncates an incomplete record waits until we
 * know where it begins.  A file system without locks has no such writers. */
static int
begin_locked(struct index_map **map, int fd, bool ahead, struct npu_err *err)
{
	bool locked = flock(fd, LOCK_SH) == 0;
	int rc;

	if (!locked && errno == EINTR)
		return npu_fail(err, NPU_ESTOPPED, "while waiting for the "
		    "lock: %s", strerror(errno));
	rc = begin_file(map, fd, ahead, err);
	if (rc == 0 && locked)
		(*map)->locked = fd;
	else if (locked)
		flock(fd, LOCK_UN);
	return rc;
}

static void
unlock(struct index_map *m)
{
	if (m->locked >= 0)
		flock(m->locked, LOCK_UN);
	m->locked = -1;
}

/* Completes *map with all its records. */
static int
finish(struct index_map **map, struct npu_err *err)
{
	struct index_map *m = *map;
	int rc;

	if ((rc = index_scan_end(m, err)) < 0) {
		*map = NULL;
		index_unmap(m);
	}
	return rc;
}

int
index_map_bytes(struct index_map **map, const void *p, size_t n,
    struct npu_err *err)
{
	int rc = index_scan_bytes(map, p, n, err);

	return rc < 0 ? rc : finish(map, err);
}

int
index_map_fd(struct index_map **map, int fd, struct npu_err *err)
{
	int rc = begin_locked(map, fd, true, err);

	return rc < 0 ? rc : finish(map, err);
}

int
index_map_locked(struct index_map **map, int fd, struct npu_err *err)
{
	int rc = begin_file(map, fd, true, err);

	return rc < 0 ? rc : finish(map, err);
}

void
index_unmap(struct index_map *m)
{
	if (m == NULL)
		return;
	unlock(m);
	if (m->mapped)
		munmap((void *)m->file.p, m->file.n);
	layout_free_header(&m->header);
	free(m->at);
	free(m);
}

/* ---- Scanning ---------------------------------------------------------- */

int
index_scan_bytes(struct index_map **map, const void *p, size_t n,
    struct npu_err *err)
{
	return begin(map, (struct bytes){ p, n }, false, err);
}

int
index_scan_fd(struct index_map **map, int fd, struct npu_err *err)
{
	int rc = begin_locked(map, fd, false, err);

	if (rc == 0)
		mapped_file_begin(&(*map)->window, (*map)->file.p,
		    (*map)->file.n);
	return rc;
}

int
index_scan_next(struct index_map *m, struct index_row *row,
    struct npu_err *err)
{
	int rc;

	mapped_file_reach(&m->window, m->next, layout_record(m->header.dim, 0));
	if ((rc = step(m, err)) <= 0 ||
	    (rc = index_row(m, m->n - 1, row, err)) < 0)
		return rc;
	return 1;
}

bool
index_scan_counts(const struct index_map *m, uint64_t i)
{
	return (m->at[i] & REPLACED) == 0;
}

int
index_scan_end(struct index_map *m, struct npu_err *err)
{
	int rc = walk(m, err);

	unlock(m);
	return rc;
}

/* ---- Contents ---------------------------------------------------------- */

const struct index_header *
index_map_header(const struct index_map *m)
{
	return &m->header;
}

uint64_t
index_rows(const struct index_map *m)
{
	return m->n;
}

uint64_t
index_tail(const struct index_map *m)
{
	return m->file.n - m->next;
}

int
index_row(const struct index_map *m, uint64_t i, struct index_row *row,
    struct npu_err *err)
{
	const uint64_t at = m->at[i] & ~(uint64_t)REPLACED;
	const uint8_t *p = m->file.p + at;
	struct layout_head head;

	/* Its header was valid when the file was opened. */
	memcpy(&head, p, sizeof(head));
	if (!layout_whole(m->file, m->header.dim, at, &head))
		return npu_fail(err, NPU_EFORMAT, "record at %" PRIu64 ": its "
		    "%" PRIu64 " bytes have another checksum than %016" PRIx64,
		    at, layout_size(m->header.dim, &head),
		    head.body_checksum);
	layout_get_names(m->file, m->header.dim, at, &head, row);
	row->sha256 = p + offsetof(struct layout_head, sha256);
	row->x = (const void *)(p + LAYOUT_HEAD);
	return 0;
}
