// SPDX-License-Identifier: Apache-2.0
/* map.c - an index file as a reader sees it. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/err.h"
#include "base/file.h"
#include "store/layout.h"

/* In a place of a record, which is a multiple of LAYOUT_ALIGN. */
enum { REPLACED = 1 };

struct index_map {
	struct index_header header;
	struct bytes file;
	bool mapped;
	uint64_t *at;			/* of the records; owned */
	uint64_t n, cap;
};

/* ---- The records ------------------------------------------------------- */

static int
remember(struct index_map *m, uint64_t at, struct npu_err *err)
{
	uint64_t *more;

	if (m->n == m->cap) {
		m->cap = m->cap == 0 ? 256 : m->cap * 2;
		more = realloc(m->at, m->cap * sizeof(*more));
		if (more == NULL)
			return npu_fail(err, NPU_ESYSTEM, "out of memory");
		m->at = more;
	}
	m->at[m->n++] = at;
	return 0;
}

/* Which of the records begins at at; NULL: none. */
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

static bool
same_id(const struct index_map *m, uint64_t a, uint64_t b)
{
	struct layout_head x, y;

	return bytes_get(m->file, a, &x, sizeof(x)) &&
	    bytes_get(m->file, b, &y, sizeof(y)) && x.id_bytes == y.id_bytes &&
	    memcmp(layout_id(m->file, m->header.dim, a),
	    layout_id(m->file, m->header.dim, b), x.id_bytes) == 0;
}

/* The record at at takes the place of an older one. */
static int
replace(struct index_map *m, uint64_t at, uint64_t older, struct npu_err *err)
{
	uint64_t *old = record_at(m, older);

	if (old == NULL || (*old & REPLACED) != 0 || !same_id(m, at, older))
		return npu_fail(err, NPU_EFORMAT, "record at %" PRIu64 ": it "
		    "replaces one at %" PRIu64 ", where no such is", at, older);
	*old |= REPLACED;
	return 0;
}

/* The next heads come into the cache while this one is looked at: most
 * records are as long as the one before. */
static void
fetch_ahead(const struct index_map *m, uint64_t at, uint64_t size)
{
	if (m->file.n - at > 8 * size)
		__builtin_prefetch(m->file.p + at + 8 * size);
}

static int
walk(struct index_map *m, uint64_t at, struct npu_err *err)
{
	struct layout_head head;
	uint64_t size, kept = 0;
	int rc;

	for (; (rc = layout_get_head(m->file, m->header.dim, at, &head,
	    err)) > 0; at += size) {
		size = layout_record(m->header.dim, head.id_bytes);
		fetch_ahead(m, at, size);
		if (at + size == m->file.n &&
		    !layout_whole(m->file, m->header.dim, at, &head))
			break;
		if ((head.replaces != 0 &&
		    (rc = replace(m, at, head.replaces, err)) < 0) ||
		    (rc = remember(m, at, err)) < 0)
			break;
	}
	if (rc < 0)
		return rc;
	for (uint64_t i = 0; i < m->n; i++)
		if ((m->at[i] & REPLACED) == 0)
			m->at[kept++] = m->at[i];
	m->n = kept;
	return 0;
}

/* ---- The file ---------------------------------------------------------- */

static int
open_bytes(struct index_map **map, struct bytes file, bool mapped,
    struct npu_err *err)
{
	struct index_map *m = calloc(1, sizeof(*m));
	uint64_t first;
	int rc;

	if (m == NULL)
		return npu_fail(err, NPU_ESYSTEM, "out of memory");
	m->file = file;
	if ((rc = layout_get_header(file, &m->header, &first, err)) < 0 ||
	    (rc = walk(m, first, err)) < 0) {
		index_unmap(m);
		return rc;
	}
	m->mapped = mapped;
	*map = m;
	return 0;
}

int
index_map_bytes(struct index_map **map, const void *p, size_t n,
    struct npu_err *err)
{
	return open_bytes(map, (struct bytes){ p, n }, false, err);
}

static int
map_file(struct index_map **map, int fd, struct npu_err *err)
{
	struct bytes file;
	struct stat st;
	void *p;
	int rc;

	if (fstat(fd, &st) < 0)
		return npu_fail(err, NPU_ESYSTEM, "%s", strerror(errno));
	if (!S_ISREG(st.st_mode) || st.st_size < LAYOUT_FIXED)
		return npu_fail(err, NPU_EFORMAT, "not an index: %s",
		    S_ISREG(st.st_mode) ? "shorter than a header" :
		    "not a regular file");
	p = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_SHARED |
	    file_ahead((uint64_t)st.st_size), fd, 0);
	if (p == MAP_FAILED)
		return npu_fail(err, NPU_ESYSTEM, "%s", strerror(errno));
	file = (struct bytes){ p, (size_t)st.st_size };
	if ((rc = open_bytes(map, file, true, err)) < 0)
		munmap(p, file.n);
	return rc;
}

/* A writer that cuts off the rest of a record waits until we know where it
 * begins; a file system without locks has no such writers. */
int
index_map_fd(struct index_map **map, int fd, struct npu_err *err)
{
	bool locked = flock(fd, LOCK_SH) == 0;
	int rc;

	if (!locked && errno == EINTR)
		return npu_fail(err, NPU_ESTOPPED, "while waiting for the "
		    "lock: %s", strerror(errno));
	rc = map_file(map, fd, err);
	if (locked)
		flock(fd, LOCK_UN);
	return rc;
}

int
index_map(struct index_map **map, const char *path, struct npu_err *err)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY), rc;

	if (fd < 0)
		return npu_fail(err, NPU_ESYSTEM, "%s", strerror(errno));
	rc = index_map_fd(map, fd, err);
	close(fd);
	return rc;
}

void
index_unmap(struct index_map *m)
{
	if (m == NULL)
		return;
	if (m->mapped)
		munmap((void *)m->file.p, m->file.n);
	layout_free_header(&m->header);
	free(m->at);
	free(m);
}

/* ---- What it holds ----------------------------------------------------- */

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

int
index_row(const struct index_map *m, uint64_t i, struct index_row *row,
    struct npu_err *err)
{
	const uint64_t at = m->at[i];
	const uint8_t *p = m->file.p + at;
	struct layout_head head;

	/* Its head was sound when the file was opened. */
	memcpy(&head, p, sizeof(head));
	if (!layout_whole(m->file, m->header.dim, at, &head))
		return npu_fail(err, NPU_EFORMAT, "record at %" PRIu64 ": its "
		    "%" PRIu64 " bytes have another checksum than %016" PRIx64,
		    at, layout_record(m->header.dim, head.id_bytes),
		    head.body_checksum);
	row->id = layout_id(m->file, m->header.dim, at);
	row->n = head.id_bytes;
	row->sha256 = p + offsetof(struct layout_head, sha256);
	row->x = (const void *)(p + LAYOUT_HEAD);
	return 0;
}
