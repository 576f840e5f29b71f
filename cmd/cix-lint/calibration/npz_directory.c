// SPDX-License-Identifier: Apache-2.0
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "cmd.h"
#include "npz_directory.h"
#include "tensor/npz.h"

enum {
	MOST_COMMENT = 65535,	/* bytes, after the end of the directory */
	AT_VERSION = 6,		/* of zip that an entry needs, in tenths */
	MOST_VERSION = 63,	/* limit of Python's zipfile */
};

struct directory {
	int fd;
	uint64_t size;		/* of the file */
	uint64_t at, end;	/* of the entries that are left */
};

int
npz_read_at(int fd, void *p, size_t n, uint64_t at, struct npu_err *err)
{
	uint8_t *to = p;
	ssize_t got;

	while (n > 0) {
		got = pread(fd, to, n, (off_t)at);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return npu_fail(err, NPU_ESYSTEM, "%s",
			    strerror(errno));
		if (got == 0)
			return npu_fail(err, NPU_EFORMAT, "the file ends at "
			    "byte %" PRIu64 "; is it cut?", at);
		to += got;
		at += (uint64_t)got;
		n -= (size_t)got;
	}
	return 0;
}

/* ---- The end of the directory ------------------------------------------- */

static bool
is_part(const uint8_t *p, enum npz_part part)
{
	return npz_part(p) == part;
}

/* Returns the position of the last end in the n bytes of a file's tail, or -1.
 * A comment after the end may contain anything. */
static int64_t
find_end(const uint8_t *tail, size_t n)
{
	for (size_t at = n - NPZ_END + 1; at-- > 0;)
		if (is_part(tail + at, NPZ_IS_END) &&
		    npz_comment_size(NPZ_IS_END, tail + at) <=
		    n - NPZ_END - at)
			return (int64_t)at;
	return -1;
}

/* Reads the end of a large archive, if the locator before the end, which is at
 * byte at, shows where it is. */
static int
read_end64(struct directory *d, uint64_t at, struct npu_err *err)
{
	uint8_t locator[NPZ_LOCATOR64], end[NPZ_END64];
	uint64_t size, offset;
	int rc;

	if (at < NPZ_LOCATOR64)
		return 0;
	if ((rc = npz_read_at(d->fd, locator, sizeof(locator),
	    at - NPZ_LOCATOR64, err)) < 0)
		return rc;
	if (!is_part(locator, NPZ_IS_LOCATOR64))
		return 0;
	memcpy(&offset, locator + 8, sizeof(offset));
	if (offset > d->size || d->size - offset < NPZ_END64)
		return npu_fail(err, NPU_EFORMAT, "npz: the end of the "
		    "directory is at byte %" PRIu64 " of %" PRIu64, offset,
		    d->size);
	if ((rc = npz_read_at(d->fd, end, sizeof(end), offset, err)) < 0)
		return rc;
	if (!is_part(end, NPZ_IS_END64))
		return npu_fail(err, NPU_EFORMAT, "npz: the end of the "
		    "directory is not at byte %" PRIu64, offset);
	memcpy(&size, end + 40, sizeof(size));
	memcpy(&d->at, end + 48, sizeof(d->at));
	d->end = d->at + size;
	if (d->end < size)
		d->end = UINT64_MAX;
	return 0;
}

/* Finds the directory. */
static int
read_end(struct directory *d, struct npu_err *err)
{
	size_t n = d->size < NPZ_END + MOST_COMMENT ? (size_t)d->size :
	    NPZ_END + MOST_COMMENT;
	uint8_t *tail = NULL;
	uint32_t size, offset;
	int64_t at = -1;
	int rc = 0;

	if (n >= NPZ_END)
		tail = cmd_alloc(n);
	if (tail != NULL && (rc = npz_read_at(d->fd, tail, n, d->size - n,
	    err)) == 0)
		at = find_end(tail, n);
	if (at >= 0) {
		memcpy(&size, tail + at + 12, sizeof(size));
		memcpy(&offset, tail + at + 16, sizeof(offset));
		d->at = offset;
		d->end = (uint64_t)offset + size;
		rc = read_end64(d, d->size - n + (uint64_t)at, err);
	}
	free(tail);
	if (rc == 0 && at < 0)
		return npu_fail(err, NPU_EFORMAT, "npz: the archive has no "
		    "directory at its end; is it cut?");
	if (rc == 0 && d->end > d->size)
		return npu_fail(err, NPU_EFORMAT, "npz: the directory ends at "
		    "byte %" PRIu64 " of %" PRIu64, d->end, d->size);
	return rc;
}

/* ---- Members ------------------------------------------------------------- */

/* Reads the header that begins at byte at, with name and extra fields. */
static int
read_header(const struct directory *d, enum npz_part part, uint64_t at,
    uint8_t head[NPZ_ENTRY + NPZ_MOST_TAIL], size_t *n, struct npu_err *err)
{
	const size_t fixed = part == NPZ_IS_ENTRY ? NPZ_ENTRY : NPZ_HEADER;
	size_t tail;
	int rc;

	if (at > d->size || d->size - at < fixed)
		return npu_fail(err, NPU_EFORMAT, "npz: a header at byte %"
		    PRIu64 " of %" PRIu64, at, d->size);
	if ((rc = npz_read_at(d->fd, head, fixed, at, err)) < 0)
		return rc;
	if (!is_part(head, part))
		return npu_fail(err, NPU_EFORMAT, "npz: no member where one "
		    "must be, at byte %" PRIu64, at);
	if ((rc = npz_tail_size(part, head, &tail, err)) < 0)
		return rc;
	*n = fixed + tail;
	return npz_read_at(d->fd, head + fixed, tail, at + fixed, err);
}

/* Returns the bytes of the name in a header or entry. */
static struct bytes
name_in(enum npz_part part, const uint8_t *head)
{
	const bool entry = part == NPZ_IS_ENTRY;
	const uint8_t *size = head + (entry ? 28 : 26);

	return (struct bytes){ head + (entry ? NPZ_ENTRY : NPZ_HEADER),
	    (size_t)(size[0] | size[1] << 8) };
}

/* Sets the position of the member's bytes, which follow its own header. */
static int
place(const struct directory *d, const uint8_t *entry, struct npz_member *m,
    struct npu_err *err)
{
	uint8_t head[NPZ_ENTRY + NPZ_MOST_TAIL];
	size_t n;
	int rc;

	if ((rc = read_header(d, NPZ_IS_MEMBER, m->offset, head, &n, err)) < 0)
		return rc;
	if (bytes_compare(name_in(NPZ_IS_ENTRY, entry), name_in(NPZ_IS_MEMBER,
	    head)) != 0)
		return npu_fail(err, NPU_EFORMAT, "npz: '%s' in the directory "
		    "has another name at byte %" PRIu64, m->name, m->offset);
	if (entry[AT_VERSION] > MOST_VERSION)
		return npu_fail(err, NPU_EFORMAT, "npz: '%s' needs version "
		    "%u.%u of zip", m->name, entry[AT_VERSION] / 10u,
		    entry[AT_VERSION] % 10u);
	m->offset += n;
	if (m->offset > d->size || d->size - m->offset < m->packed)
		return npu_fail(err, NPU_EFORMAT, "npz: '%s' has %" PRIu64
		    " bytes at byte %" PRIu64 ", and the file has %" PRIu64
		    "; is it cut?", m->name, m->packed, m->offset, d->size);
	return 0;
}

static int
add_member(struct buf *members, const struct npz_member *m,
    struct npu_err *err)
{
	const struct npz_member *old = (const void *)members->p;
	size_t n = members->n / sizeof(*old);

	if (n == NPZ_MOST_ARRAYS)
		return npu_fail(err, NPU_EFORMAT, "npz: more than %d arrays",
		    NPZ_MOST_ARRAYS);
	for (size_t i = 0; i < n; i++)
		if (old[i].name_hash == m->name_hash)
			return npu_fail(err, NPU_EFORMAT, "npz: '%s' is there "
			    "twice", m->name);
	buf_add(members, m, sizeof(*m));
	return members->failed ? npu_fail(err, NPU_ESYSTEM, "out of memory") :
	    0;
}

int
npz_directory(int fd, uint64_t size, struct buf *members, struct npu_err *err)
{
	struct directory d = { .fd = fd, .size = size };
	uint8_t entry[NPZ_ENTRY + NPZ_MOST_TAIL];
	struct npz_member m;
	size_t n;
	int rc;

	if ((rc = read_end(&d, err)) < 0)
		return rc;
	while (d.at < d.end) {
		if ((rc = read_header(&d, NPZ_IS_ENTRY, d.at, entry, &n,
		    err)) < 0 ||
		    (rc = npz_decode(NPZ_IS_ENTRY, (struct bytes){ entry, n },
		    &m, err)) < 0 ||
		    (rc = place(&d, entry, &m, err)) < 0 ||
		    (rc = add_member(members, &m, err)) < 0)
			return rc;
		d.at += n + npz_comment_size(NPZ_IS_ENTRY, entry);
	}
	return 0;
}
