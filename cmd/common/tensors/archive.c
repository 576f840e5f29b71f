// SPDX-License-Identifier: Apache-2.0
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "archive.h"
#include "base/err.h"
#include "npz_bytes.h"
#include "stream_bytes.h"
#include "tensor/npy.h"
#include "tensor/npz.h"
#include "tensor/safetensors.h"

struct archive {
	struct buf known;	/* the struct npz_member read so far, or the
				   struct npu_tensor of all arrays */
	uint32_t crc;		/* .npz: of the current member, so far */
	struct npz_member member;	/* .npz: the current member */
	struct inflater inflater;
	size_t next;		/* .safetensors: index into known */
	size_t header;		/* its size in bytes; 0: .npz */
	bool begun;
};

static struct archive *
new_archive(struct npu_err *err)
{
	struct archive *a = calloc(1, sizeof(*a));

	if (a == NULL)
		npu_fail(err, NPU_ESYSTEM, "out of memory");
	return a;
}

int64_t
archive_read(struct archive *a, struct stream *s, void *p, size_t n,
    struct npu_err *err)
{
	int64_t got = a->member.deflated ?
	    inflater_read(&a->inflater, s, p, n, err) :
	    stream_read_bytes(s, p, n, err);

	if (got > 0 && a->header == 0)
		a->crc = npz_crc(a->crc, p, (size_t)got);
	return got;
}

void
archive_close(struct archive *a)
{
	if (a == NULL)
		return;
	buf_free(&a->known);
	inflater_close(&a->inflater);
	free(a);
}

/* ---- .npz ------------------------------------------------------------- */

struct archive *
archive_open_npz(struct npu_err *err)
{
	return new_archive(err);
}

static int
skip(struct stream *s, size_t n, struct npu_err *err)
{
	char scratch[4096];
	size_t some;
	int rc = 1;

	for (; n > 0 && rc > 0; n -= some) {
		some = n < sizeof(scratch) ? n : sizeof(scratch);
		rc = npz_need(s, scratch, some, err);
	}
	return rc;
}

/* Reads a header or an entry, whose signature was read, and its comment. */
static int
read_header(struct stream *s, enum npz_part part, struct npz_member *m,
    struct npu_err *err)
{
	const size_t fixed = part == NPZ_IS_ENTRY ? NPZ_ENTRY : NPZ_HEADER;
	uint8_t head[NPZ_ENTRY + NPZ_MOST_TAIL] = { 0 };
	size_t tail;
	int rc;

	if ((rc = npz_need(s, head + NPZ_SIGNATURE, fixed - NPZ_SIGNATURE,
	    err)) < 0 || (rc = npz_tail_size(part, head, &tail, err)) < 0 ||
	    (tail > 0 && (rc = npz_need(s, head + fixed, tail, err)) < 0) ||
	    (rc = npz_decode(part, (struct bytes){ head, fixed + tail }, m,
	    err)) < 0)
		return rc;
	return part == NPZ_IS_ENTRY ?
	    skip(s, npz_comment_size(part, head), err) : 1;
}

static int
check_entry(const struct npz_member *listed, const struct npz_member *m,
    struct npu_err *err)
{
	if (listed->offset == m->offset && listed->size == m->size &&
	    listed->packed == m->packed && listed->deflated == m->deflated &&
	    listed->crc == m->crc && listed->name_hash == m->name_hash)
		return 1;
	return npu_fail(err, NPU_EFORMAT, "npz: '%s' in the directory is not "
	    "the member '%s' at byte %" PRIu64, listed->name, m->name,
	    m->offset);
}

/* Reads what follows the entries, from the signature that was read to the end
 * of the input. */
static int
read_end(struct stream *s, enum npz_part part, uint64_t members,
    struct npu_err *err)
{
	uint8_t end[NPZ_END], sign[NPZ_SIGNATURE];
	int rc = 1;

	for (; part == NPZ_IS_END64 || part == NPZ_IS_LOCATOR64;
	    part = npz_part(sign))
		if ((rc = skip(s, (part == NPZ_IS_END64 ? NPZ_END64 :
		    NPZ_LOCATOR64) - NPZ_SIGNATURE, err)) < 0 ||
		    (rc = npz_need(s, sign, sizeof(sign), err)) < 0)
			return rc;
	if (part == NPZ_IS_END && (rc = npz_need(s, end + NPZ_SIGNATURE,
	    NPZ_END - NPZ_SIGNATURE, err)) < 0)
		return rc;
	if (part != NPZ_IS_END || !npz_end_counts(end, members))
		return npu_fail(err, NPU_EFORMAT, "npz: the directory does "
		    "not end after the %" PRIu64 " members of the archive",
		    members);
	if ((rc = skip(s, npz_comment_size(part, end), err)) < 0)
		return rc;
	rc = stream_all_or_none(s, end, 1, "npz archive", err);
	return rc <= 0 ? rc : npu_fail(err, NPU_EFORMAT, "npz: bytes follow "
	    "the archive");
}

/* Checks that the directory lists the members in their order. */
static int
read_directory(const struct archive *a, struct stream *s, enum npz_part part,
    struct npu_err *err)
{
	const struct npz_member *m = (const void *)a->known.p;
	size_t n = a->known.n / sizeof(*m), i;
	uint8_t sign[NPZ_SIGNATURE];
	struct npz_member listed;
	int rc;

	for (i = 0; i < n && part == NPZ_IS_ENTRY; i++) {
		if ((rc = read_header(s, part, &listed, err)) < 0 ||
		    (rc = check_entry(&listed, &m[i], err)) < 0 ||
		    (rc = npz_need(s, sign, sizeof(sign), err)) < 0)
			return rc;
		part = npz_part(sign);
	}
	return i == n ? read_end(s, part, n, err) : npu_fail(err, NPU_EFORMAT,
	    "npz: the directory lists %zu of %zu members", i, n);
}

/* Checks the current member, which was read completely. */
static int
check_member(struct archive *a, struct stream *s, struct npu_err *err)
{
	const struct npz_member *m = &a->member;
	int rc;

	if (m->deflated && (rc = inflater_end(&a->inflater, s, err)) < 0)
		return rc;
	if (a->known.n == 0 || m->crc == a->crc)
		return 0;
	return npu_fail(err, NPU_EFORMAT, "npz: '%s' is damaged: its checksum "
	    "is %08" PRIx32 ", and the archive has %08" PRIx32, m->name,
	    a->crc, m->crc);
}

/* Reads n bytes of the current member; fails if it is shorter. */
static int
need_of_member(struct archive *a, struct stream *s, void *p, size_t n,
    struct npu_err *err)
{
	int64_t got;

	if (!a->member.deflated)
		return npz_need(s, p, n, err);
	got = inflater_read(&a->inflater, s, p, n, err);
	return got < 0 ? (int)got : 1;
}

/* Reads the header of the .npy file in a member. */
static int
read_npy(struct archive *a, struct stream *s, const struct npz_member *m,
    struct npu_tensor *t, struct npu_err *err)
{
	uint8_t head[NPY_MAX_HEADER + NPY_PREAMBLE];
	size_t size;
	int rc;

	if ((rc = need_of_member(a, s, head, NPY_PREAMBLE, err)) < 0 ||
	    (rc = npy_head_size(head, &size, err)) < 0 ||
	    (size > NPY_PREAMBLE && (rc = need_of_member(a, s,
	    head + NPY_PREAMBLE,
	    size - NPY_PREAMBLE, err)) < 0) ||
	    (rc = npy_decode((struct bytes){ head, size }, t, err)) < 0)
		return rc;
	a->crc = npz_crc(0, head, size);
	memcpy(t->name, m->name, sizeof(t->name));
	if (size + t->size != m->size)
		return npu_fail(err, NPU_EFORMAT, "npz: '%s' has %" PRIu64
		    " bytes, and its array %" PRIu64, m->name, m->size,
		    size + t->size);
	return 1;
}

/* Stores a member's header data; the member's name must be new. */
static int
keep_member(struct archive *a, const struct npz_member *m, struct npu_err *err)
{
	const struct npz_member *old = (const void *)a->known.p;
	size_t n = a->known.n / sizeof(*old);

	if (n == NPZ_MOST_MEMBERS)
		return npu_fail(err, NPU_EFORMAT, "npz: more than %d members",
		    NPZ_MOST_MEMBERS);
	for (size_t i = 0; i < n; i++)
		if (old[i].name_hash == m->name_hash)
			return npu_fail(err, NPU_EFORMAT, "npz: '%s' is there "
			    "twice", m->name);
	buf_add(&a->known, m, sizeof(*m));
	return a->known.failed ? npu_fail(err, NPU_ESYSTEM, "out of memory") :
	    0;
}

static int
next_member(struct archive *a, struct stream *s, struct npu_tensor *t,
    struct npu_err *err)
{
	struct npz_member m;
	uint8_t sign[NPZ_SIGNATURE];
	uint64_t at = s->total;
	enum npz_part part;
	int rc;

	if ((rc = check_member(a, s, err)) < 0 ||
	    (rc = npz_need(s, sign, sizeof(sign), err)) < 0)
		return rc;
	part = npz_part(sign);
	if (part != NPZ_IS_MEMBER && part != NPZ_IS_NONE)
		return read_directory(a, s, part, err);
	if (part == NPZ_IS_NONE)
		return npu_fail(err, NPU_EFORMAT, "npz: no member where one "
		    "must be, at byte %" PRIu64, at);
	if ((rc = read_header(s, part, &m, err)) < 0)
		return rc;
	m.offset = at;
	if ((rc = keep_member(a, &m, err)) < 0)
		return rc;
	a->member = m;
	if (m.deflated &&
	    (rc = inflater_begin(&a->inflater, &a->member, err)) < 0)
		return rc;
	return read_npy(a, s, &m, t, err);
}

/* ---- .safetensors ----------------------------------------------------- */

int
archive_open_safetensors(const struct stream *s, struct archive **a,
    struct npu_err *err)
{
	uint8_t first[SAFETENSORS_FIRST];
	struct archive *made;
	struct stat st;
	size_t header;
	off_t at;

	/* A pipe may send its next byte only after an answer to these bytes. */
	if (fstat(s->fd, &st) < 0 || !S_ISREG(st.st_mode) ||
	    (at = lseek(s->fd, 0, SEEK_CUR)) < (off_t)s->n_ahead)
		return 0;
	at -= (off_t)s->n_ahead;
	if (pread(s->fd, first, sizeof(first), at) != sizeof(first) ||
	    !safetensors_begins(first, (uint64_t)(st.st_size - at), &header))
		return 0;
	if ((made = new_archive(err)) == NULL)
		return NPU_ESYSTEM;
	made->header = header;
	*a = made;
	return 1;
}

/* Reads the complete header, whose size was compared with the file's. */
static int
read_tensors(struct archive *a, struct stream *s, struct npu_err *err)
{
	uint8_t length[SAFETENSORS_LENGTH];
	uint8_t *json;
	int rc;

	if ((json = malloc(a->header)) == NULL)
		return npu_fail(err, NPU_ESYSTEM, "out of memory");
	rc = stream_all_or_none(s, length, sizeof(length), "safetensors header",
	    err);
	if (rc > 0)
		rc = stream_all_or_none(s, json, a->header,
		    "safetensors header", err);
	if (rc == 0)
		rc = npu_fail(err, NPU_EFORMAT, "the safetensors header is "
		    "cut");
	if (rc > 0)
		rc = safetensors_decode((struct bytes){ json, a->header },
		    &a->known, err);
	free(json);
	return rc;
}

static int
next_tensor(struct archive *a, struct stream *s, struct npu_tensor *t,
    struct npu_err *err)
{
	const struct npu_tensor *all;
	char more;
	int rc;

	if (!a->begun && (rc = read_tensors(a, s, err)) < 0)
		return rc;
	a->begun = true;
	all = (const void *)a->known.p;
	if (a->next < a->known.n / sizeof(*all)) {
		*t = all[a->next++];
		return 1;
	}
	rc = stream_all_or_none(s, &more, 1, "safetensors file", err);
	return rc <= 0 ? rc : npu_fail(err, NPU_EFORMAT, "safetensors: bytes "
	    "follow the last tensor");
}

int
archive_next(struct archive *a, struct stream *s, struct npu_tensor *t,
    struct npu_err *err)
{
	return a->header == 0 ? next_member(a, s, t, err) :
	    next_tensor(a, s, t, err);
}
