// SPDX-License-Identifier: Apache-2.0
#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "archive.h"
#include "base/err.h"
#include "store/index.h"
#include "stream_bytes.h"
#include "tensor/npy.h"
#include "tensor/npz.h"

static bool
begins(const struct stream *s, const char *magic, size_t size)
{
	return memcmp(s->ahead, magic, s->n_ahead < size ? s->n_ahead : size)
	    == 0;
}

static bool
begins_npz(const struct stream *s)
{
	return begins(s, NPZ_MAGIC, NPZ_SIGNATURE) ||
	    begins(s, NPZ_EMPTY_MAGIC, NPZ_SIGNATURE);
}

/* Checks whether an input that seems raw so far is an archive. */
static int
read_archive(struct stream *s, struct npu_err *err)
{
	int rc = 0;

	if (s->n_ahead == sizeof(s->ahead) &&
	    begins_npz(s))
		rc = (s->archive = archive_open_npz(err)) == NULL ?
		    NPU_ESYSTEM : 1;
	else if (s->n_ahead > 0)
		rc = archive_open_safetensors(s, &s->archive, err);
	if (rc > 0)
		s->kind = STREAM_NPY;
	return rc < 0 ? rc : 0;
}

/*
 * Detects the kind without reading further than needed.  A raw frame may be
 * shorter than the magic of a label, and the next frame may come only after the
 * answer to it.
 */
static int
read_kind(struct stream *s, struct npu_err *err)
{
	bool label = true, npy = true, npz = true;
	int64_t n;

	while (s->n_ahead < sizeof(s->ahead) && (label || npy || npz)) {
		n = cmd_try_read(s->fd, s->ahead + s->n_ahead, 1);
		if (n < 0)
			return stream_cannot_read(err);
		if (n == 0)
			break;
		s->n_ahead++;
		label = begins(s, NPU_LABEL_MAGIC, 8);
		npy = begins(s, NPY_MAGIC, NPY_MAGIC_SIZE);
		npz = begins_npz(s);
	}
	if (s->n_ahead == 0)
		s->kind = STREAM_EMPTY;
	else if (s->n_ahead < sizeof(s->ahead) || (!label && !npy))
		s->kind = STREAM_RAW;
	else
		s->kind = label ? STREAM_LABELLED : STREAM_NPY;
	return s->kind == STREAM_RAW ? read_archive(s, err) : 0;
}

int
stream_try_open(struct stream *s, const char *path, struct npu_err *err)
{
	*s = (struct stream){ .name = cmd_visible_name(cmd_input_name(path)),
	    .per_frame = 1 };
	if ((s->fd = cmd_try_open_input(path)) < 0)
		return stream_cannot_read(err);
	return read_kind(s, err);
}

void
stream_open(struct stream *s, const char *path)
{
	struct npu_err err;

	cmd_refuse_terminal(path);
	cmd_take_stdin(path);
	if (stream_try_open(s, path, &err) < 0)
		cmd_die_err(s->name, &err);
	if (s->kind != STREAM_EMPTY)
		s->n_ahead += cmd_read(s->fd, s->name, s->ahead + s->n_ahead,
		    sizeof(s->ahead) - s->n_ahead);
}

void
stream_close(struct stream *s)
{
	if (s->fd > STDIN_FILENO)
		close(s->fd);
	s->fd = -1;
	archive_close(s->archive);
	s->archive = NULL;
}

void
stream_frames(struct stream *s, const struct npu_tensor *t, uint16_t n)
{
	s->raw = t;
	s->per_frame = n;
}

/* Handles the end of the input where tensor index was expected. */
static int
at_end(const struct stream *s, unsigned index, unsigned count,
    struct npu_err *err)
{
	if (index == 0)
		return 0;
	return npu_fail(err, NPU_EFORMAT, "frame %" PRIu64 " ends after %u of "
	    "%u tensors%s", s->frame, index, count,
	    s->advice != NULL && s->frame == 1 ? s->advice : "");
}

static int
next_labelled(struct stream *s, unsigned index, struct npu_err *err)
{
	uint8_t bytes[NPU_LABEL_SIZE];
	struct npu_label l;
	unsigned count = s->label.count;
	int rc;

	rc = stream_all_or_none(s, bytes, sizeof(bytes), "label", err);
	if (rc < 0)
		return rc;
	if (rc == 0)
		return at_end(s, index, count, err);
	if (memcmp(bytes, NPU_LABEL_MAGIC, 8) != 0)
		return npu_fail(err, NPU_EFORMAT, "frame %" PRIu64 ": no label "
		    "where one must be, at byte %" PRIu64 "; a labelled stream "
		    "is labelled throughout", s->frame,
		    s->total - NPU_LABEL_SIZE);
	if ((rc = npu_label_decode(bytes, &l, err)) < 0)
		return npu_prefix(err, rc, "frame %" PRIu64, s->frame);
	if (l.index != index || (index != 0 && l.count != count))
		return npu_fail(err, NPU_EFORMAT, "frame %" PRIu64 ": the "
		    "label says tensor %u of %u, but tensor %u%s is due",
		    s->frame, l.index, l.count, index,
		    index == 0 ? "" : " of the same count as before");
	s->label = l;
	s->left = l.tensor.size;
	return 1;
}

static int
next_npy(struct stream *s, unsigned index, struct npu_err *err)
{
	uint8_t head[NPY_MAX_HEADER + NPY_PREAMBLE];
	struct npu_tensor t;
	size_t size;
	int rc;

	rc = stream_all_or_none(s, head, NPY_PREAMBLE, "npy header", err);
	if (rc < 0)
		return rc;
	if (rc == 0)
		return at_end(s, index, s->per_frame, err);
	if (memcmp(head, NPY_MAGIC, NPY_MAGIC_SIZE) != 0)
		return npu_fail(err, NPU_EFORMAT, "frame %" PRIu64 ": no npy "
		    "header where one must be, at byte %" PRIu64, s->frame,
		    s->total - NPY_PREAMBLE);
	if ((rc = npy_head_size(head, &size, err)) < 0)
		return npu_prefix(err, rc, "frame %" PRIu64, s->frame);
	if (size > NPY_PREAMBLE &&
	    (rc = stream_all_or_none(s, head + NPY_PREAMBLE,
	    size - NPY_PREAMBLE, "npy header", err)) <= 0)
		return rc < 0 ? rc : npu_fail(err, NPU_EFORMAT, "frame %" PRIu64
		    ": the npy header ends after %d of %zu bytes", s->frame,
		    NPY_PREAMBLE, size);
	if ((rc = npy_decode((struct bytes){ head, size }, &t, err)) < 0)
		return npu_prefix(err, rc, "frame %" PRIu64, s->frame);
	s->label = (struct npu_label){ t, (uint16_t)index, s->per_frame };
	s->left = t.size;
	return 1;
}

static int
next_in_archive(struct stream *s, unsigned index, struct npu_err *err)
{
	struct npu_tensor t;
	int rc = archive_next(s->archive, s, &t, err);

	if (rc == 0)
		return at_end(s, index, s->per_frame, err);
	if (rc < 0)
		return rc;
	s->label = (struct npu_label){ t, (uint16_t)index, s->per_frame };
	s->left = t.size;
	return 1;
}

/* Returns the bytes left in a regular file, for a raw tensor without a size;
 * else 0. */
static uint64_t
rest_of_file(const struct stream *s)
{
	struct stat st;
	off_t at;

	if (fstat(s->fd, &st) < 0 || !S_ISREG(st.st_mode) ||
	    (at = lseek(s->fd, 0, SEEK_CUR)) < 0 || st.st_size < at)
		return 0;
	return (uint64_t)(st.st_size - at) + s->n_ahead;
}

void
stream_refuse_index(const struct stream *s)
{
	if (s->n_ahead == strlen(INDEX_MAGIC) &&
	    memcmp(s->ahead, INDEX_MAGIC, s->n_ahead) == 0)
		cmd_die("%s: an index of vectors; vec-index --export "
		    "converts it to arrays", s->name);
}

static int
next_raw(struct stream *s, unsigned index, struct npu_err *err)
{
	const struct npu_tensor *t;
	uint8_t first;
	int64_t got;

	if (s->raw == NULL)
		return npu_fail(err, NPU_EUSAGE, "neither a labelled stream "
		    "nor .npy, and nothing says what the bytes are");
	t = &s->raw[index];
	if (s->n_ahead == 0) {
		/* Read one byte ahead, which shows whether another tensor
		 * follows. */
		got = cmd_try_read(s->fd, &first, 1);
		if (got < 0)
			return stream_cannot_read(err);
		if (got == 0)
			return cmd_stop != 0 ? stream_stopped(err) :
			    at_end(s, index, s->per_frame, err);
		s->ahead[0] = first;
		s->n_ahead = 1;
	}
	s->label = (struct npu_label){ *t, (uint16_t)index, s->per_frame };
	if (t->size == 0) {
		s->label.tensor.size = rest_of_file(s);
		s->open_end = s->label.tensor.size == 0;
	}
	s->left = s->label.tensor.size;
	return 1;
}

static int
skip_rest(struct stream *s, struct npu_err *err)
{
	char scratch[65536];
	int64_t n;

	do {
		n = stream_read(s, scratch, sizeof(scratch), err);
	} while (n > 0);
	return (int)n;
}

static int
move_on(struct stream *s, struct npu_err *err)
{
	unsigned index;
	int rc;

	if ((rc = skip_rest(s, err)) < 0)
		return rc;
	index = s->label.index + 1u < s->label.count ? s->label.index + 1u : 0;
	if (index == 0)
		s->frame++;
	switch (s->kind) {
	case STREAM_LABELLED:
		return next_labelled(s, index, err);
	case STREAM_NPY:
		return s->archive != NULL ? next_in_archive(s, index, err) :
		    next_npy(s, index, err);
	case STREAM_RAW:
		return next_raw(s, index, err);
	case STREAM_EMPTY:
		break;
	}
	return 0;
}

int
stream_next(struct stream *s, struct npu_err *err)
{
	int rc = move_on(s, err);

	if (rc > 0 && s->tensors++ == 0)
		s->first = s->label.tensor;
	return rc;
}

void
stream_detail(const struct stream *s)
{
	static const char *const kinds[] = {
		[STREAM_LABELLED] = "labelled",
		[STREAM_NPY] = ".npy",
		[STREAM_RAW] = "raw bytes",
	};
	struct npu_tensor t = s->first;
	char what[200];

	if (s->tensors == 0) {
		cmd_detail("%s: no tensors", s->name);
		return;
	}
	/* The tensor ends where the input ends. */
	if (s->kind == STREAM_RAW && t.size == 0) {
		t.ndim = 1;
		t.dim[0] = (uint32_t)(s->total / npu_dtype_size(t.dtype));
	}
	npu_tensor_format(&t, what, sizeof(what));
	cmd_detail("%s: %s, %" PRIu64 " tensor%s%s", s->name,
	    s->archive != NULL ? "arrays of an archive" : kinds[s->kind],
	    s->tensors, s->tensors == 1 ? ": " : "s, the first ", what);
}

static bool
is_text(const uint8_t *p, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (p[i] >= 0x7f || (p[i] < 0x20 && p[i] != '\t' &&
		    p[i] != '\n' && p[i] != '\r'))
			return false;
	return true;
}

/*
 * Returns advice for raw bytes that are not a tensor, from their first bytes.
 * A tensor may begin with any bytes.  The advice is therefore added only for an
 * input that does not fit, and for text only if not even one frame fitted.
 */
static const char *
hint(const struct stream *s)
{
	static const struct {
		const char *magic, *next;
	} rows[] = {
		{ "\xff\xd8\xff", "; a JPEG picture? see img-tensor(1)" },
		{ "\x89PNG", "; a PNG picture? see img-tensor(1)" },
		{ "P6\n", "; a PPM picture? see img-tensor(1)" },
		{ "\x1f\x8b", "; a gzip file? unpack it" },
	};
	size_t n = s->total < sizeof(s->head) ? (size_t)s->total :
	    sizeof(s->head), size;

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		size = strlen(rows[i].magic);
		if (n >= size && memcmp(s->head, rows[i].magic, size) == 0)
			return rows[i].next;
	}
	return s->frame == 1 && is_text(s->head, n) ?
	    "; text? see clip-tokenize(1)" : "";
}

/* Handles the end of the input with s->left bytes of payload missing. */
static int
cut(const struct stream *s, struct npu_err *err)
{
	uint64_t size = s->label.tensor.size, frame = 0;

	if (cmd_stop != 0)
		return stream_stopped(err);
	if (s->kind == STREAM_RAW) {
		for (unsigned i = 0; i < s->per_frame; i++)
			frame += s->raw[i].size;
		if (frame != 0)
			return npu_fail(err, NPU_EFORMAT, "%" PRIu64 " bytes, "
			    "not a whole number of frames of %" PRIu64
			    " bytes; frame %" PRIu64 " has %" PRIu64 "%s",
			    s->total, frame, s->frame, s->total % frame,
			    hint(s));
	}
	return npu_fail(err, NPU_EFORMAT, "frame %" PRIu64 ", tensor %u: ends "
	    "after %" PRIu64 " of %" PRIu64 " bytes", s->frame, s->label.index,
	    size - s->left, size);
}

int64_t
stream_read(struct stream *s, void *p, size_t n, struct npu_err *err)
{
	int64_t got;

	if (!s->open_end && n > s->left)
		n = (size_t)s->left;
	if (n == 0)
		return 0;
	got = s->archive != NULL ? archive_read(s->archive, s, p, n, err) :
	    stream_read_bytes(s, p, n, err);
	if (got < 0)
		return got;
	if (s->open_end) {
		s->open_end = (size_t)got == n;
		return got;
	}
	s->left -= (uint64_t)got;
	return (size_t)got < n ? cut(s, err) : got;
}

int
stream_check_flat(const struct stream *s, struct npu_err *err)
{
	if (s->open_end && s->total > STREAM_FLAT_MOST)
		return npu_fail(err, NPU_EFORMAT, "more than %" PRIu64
		    " bytes, all of one tensor: --shape cuts them into "
		    "several", STREAM_FLAT_MOST);
	return 0;
}

int
stream_read_all(struct stream *s, struct buf *b, struct npu_err *err)
{
	size_t room;
	int64_t n;
	void *p;

	for (;;) {
		/* Double the buffer: never more than twice what has arrived. */
		room = b->n < 65536 ? 65536 : b->n;
		if (!s->open_end && room > s->left)
			room = (size_t)s->left;
		/* One byte more, to detect that the limit is exceeded. */
		if (s->open_end && room > STREAM_FLAT_MOST + 1 - s->total)
			room = (size_t)(STREAM_FLAT_MOST + 1 - s->total);
		if (room == 0)
			return 0;
		if ((p = buf_reserve(b, room)) == NULL)
			return npu_fail(err, NPU_ESYSTEM, "frame %" PRIu64
			    ", tensor %u: out of memory after %zu bytes",
			    s->frame, s->label.index, b->n);
		if ((n = stream_read(s, p, room, err)) < 0)
			return (int)n;
		b->n += (size_t)n;
		if ((n = stream_check_flat(s, err)) < 0)
			return (int)n;
	}
}

void
stream_put_label(struct output *o, const struct npu_label *l)
{
	uint8_t bytes[NPU_LABEL_SIZE];
	struct npu_err err;

	if (npu_label_encode(l, bytes, &err) < 0)
		cmd_die("output: %s", err.msg);
	cmd_write(o, bytes, sizeof(bytes));
}

void
stream_add_npy(struct buf *head, const struct npu_tensor *t, const char *what)
{
	static bool noted;
	struct npu_err err;

	if (npy_encode(t, head, &err) < 0)
		cmd_die_err(what, &err);
	if (!noted && (t->scale != 1 || t->zero_point != 0) &&
	    !npu_dtype_is_float(t->dtype)) {
		cmd_note("scale %.9g and zero point %d are not kept in .npy",
		    (double)t->scale, t->zero_point);
		noted = true;
	}
}
