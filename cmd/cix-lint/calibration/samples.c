// SPDX-License-Identifier: Apache-2.0
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/err.h"
#include "cmd.h"
#include "elements.h"
#include "model/foreign.h"
#include "npz_directory.h"
#include "samples.h"

/* Bytes of an array that samples_read() needs at a time. */
#define MOST_WHOLE ((uint64_t)4 << 30)
/* Deflate makes at most 1032 bytes of one (zlib's documentation). */
enum { MOST_INFLATED = 1032 };
enum {
	PIECE = 16384,		/* elements converted at a time */
	INFLATING = 4,		/* times as long as reading */
};

/* ---- Opening ------------------------------------------------------------- */

/* Reads the header of an array, and sets where its elements are. */
static int
read_head(struct elements *e, struct sample_array *a, struct npu_err *err)
{
	uint8_t head[NPY_MAX_HEADER + NPY_PREAMBLE];
	int rc;

	if (a->member.size < NPY_PREAMBLE)
		return npu_fail(err, NPU_EFORMAT, "npy: the file has %" PRIu64
		    " bytes, and a header at least %d; is it cut?",
		    a->member.size, NPY_PREAMBLE);
	if ((rc = elements_read(e, head, NPY_PREAMBLE, err)) < 0 ||
	    (rc = npy_head_size(head, &a->head, err)) < 0)
		return rc;
	if (a->head > a->member.size)
		return npu_fail(err, NPU_EFORMAT, "npy: the header has %zu "
		    "bytes, and the file %" PRIu64 "; is it cut?", a->head,
		    a->member.size);
	if ((rc = elements_read(e, head + NPY_PREAMBLE,
	    a->head - NPY_PREAMBLE, err)) < 0 ||
	    (rc = npy_decode_array((struct bytes){ head, a->head }, &a->form,
	    err)) < 0)
		return rc;
	if (a->form.bytes > a->member.size - a->head)
		return npu_fail(err, NPU_EFORMAT, "npy: the array has %" PRIu64
		    " bytes, and the file %" PRIu64 " after the header; is it "
		    "cut?", a->form.bytes, a->member.size - a->head);
	return 0;
}

/* Describes the array of a member. */
static int
describe(int fd, struct sample_array *a, struct npu_err *err)
{
	struct npz_member *m = &a->member;
	struct elements e;
	int rc;

	if (m->deflated && m->size / MOST_INFLATED > m->packed)
		return npu_fail(err, NPU_EFORMAT, "%" PRIu64 " bytes cannot "
		    "be the contents of %" PRIu64 " compressed ones", m->size,
		    m->packed);
	rc = elements_begin(&e, fd, m, err);
	if (rc == 0)
		rc = read_head(&e, a, err);
	elements_end(&e);
	a->samples = a->form.ndim > 0 ? a->form.dim[0] : 1;
	a->row = a->samples > 0 ? a->form.elements / a->samples : 0;
	return rc;
}

static int
open_archive(struct samples *s, uint64_t size, struct npu_err *err)
{
	struct buf members = { 0 };
	const struct npz_member *m;
	int rc = npz_directory(s->fd, size, &members, err);

	m = (const void *)members.p;
	s->archive = true;
	if (rc == 0)
		s->array = cmd_alloc((members.n / sizeof(*m) + 1) *
		    sizeof(*s->array));
	for (size_t n = members.n / sizeof(*m); rc == 0 && s->n < n; s->n++) {
		s->array[s->n].member = m[s->n];
		rc = describe(s->fd, &s->array[s->n], err);
		if (rc < 0)
			npu_prefix(err, rc, "'%s'", m[s->n].name);
	}
	buf_free(&members);
	return rc;
}

static int
open_array(struct samples *s, uint64_t size, struct npu_err *err)
{
	s->array = cmd_alloc(sizeof(*s->array));
	s->n = 1;
	s->array->member.size = s->array->member.packed = size;
	return describe(s->fd, s->array, err);
}

static int
open_kind(struct samples *s, struct npu_err *err)
{
	uint8_t first[200];
	struct stat st;
	struct bytes b = { .p = first };
	int rc;

	if (fstat(s->fd, &st) < 0 || !S_ISREG(st.st_mode))
		return npu_fail(err, NPU_EFORMAT, "not a regular file");
	b.n = (uint64_t)st.st_size < sizeof(first) ? (size_t)st.st_size :
	    sizeof(first);
	if ((rc = npz_read_at(s->fd, first, b.n, 0, err)) < 0)
		return rc;
	if (bytes_start(b, NPZ_MAGIC) || bytes_start(b, NPZ_EMPTY_MAGIC))
		return open_archive(s, (uint64_t)st.st_size, err);
	if (bytes_start(b, NPY_MAGIC))
		return open_array(s, (uint64_t)st.st_size, err);
	if (foreign_is_lfs_pointer(b))
		return npu_fail_detail(err, NPU_EFORMAT, SAMPLES_LFS_POINTER,
		    "a Git LFS pointer, not the data");
	if (b.n > 0 && first[0] == 0x80)
		return npu_fail_detail(err, NPU_EFORMAT, SAMPLES_PICKLED,
		    "a pickle, not a .npy or .npz");
	return npu_fail(err, NPU_EFORMAT, "neither a .npy nor a .npz");
}

static int
open_path(const char *path)
{
	int fd;

	if (strcmp(path, "-") == 0)
		return cmd_try_open_input(path);
	/* A FIFO must not block: a configuration can name one. */
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (fd >= 0)
		cmd_note_input(fd);
	return fd;
}

int
samples_open(struct samples *s, const char *path, struct npu_err *err)
{
	int fd = open_path(path);

	return fd >= 0 ? samples_open_fd(s, fd, err) : npu_fail_detail(err,
	    NPU_ESYSTEM, SAMPLES_ABSENT, "%s", strerror(errno));
}

int
samples_open_fd(struct samples *s, int fd, struct npu_err *err)
{
	int rc;

	*s = (struct samples){ .fd = fd };
	if ((rc = open_kind(s, err)) < 0)
		samples_close(s);
	return rc;
}

void
samples_close(struct samples *s)
{
	for (size_t i = 0; i < s->n; i++)
		if (s->array[i].whole != NULL)
			munmap(s->array[i].whole, s->array[i].form.bytes);
	free(s->array);
	s->array = NULL;
	s->n = 0;
	if (s->fd > STDIN_FILENO)
		close(s->fd);
	s->fd = -1;
}

/* ---- Names --------------------------------------------------------------- */

size_t
samples_find(const struct samples *s, struct bytes name)
{
	const char *own;
	size_t k = 0;

	for (; k < s->n; k++) {
		own = s->array[k].member.name;
		if (strlen(own) == name.n && memcmp(own, name.p, name.n) == 0)
			break;
	}
	return k;
}

bool
samples_assign(const struct samples *s, const struct bytes *name, size_t n,
    size_t *array)
{
	bool named = true;

	if (s->n != n)
		return false;
	for (size_t i = 0; i < n; i++) {
		array[i] = samples_find(s, name[i]);
		named &= array[i] < s->n;
	}
	for (size_t i = 0; i < n && !named; i++)
		array[i] = i;
	return true;
}

/* ---- Elements ------------------------------------------------------------ */

/* Reads all elements into memory: of an array that is compressed, or whose
 * samples are not one after the other. */
static int
read_whole(struct samples *s, struct sample_array *a, struct npu_err *err)
{
	enum { SOME = 1 << 20 };
	uint8_t head[NPY_MAX_HEADER + NPY_PREAMBLE], *p;
	struct elements e;
	uint64_t at, some;
	int rc;

	if (a->form.bytes > MOST_WHOLE)
		return npu_fail(err, NPU_EUSAGE, "the array has %" PRIu64
		    " bytes, and at most %" PRIu64 " of an array that is "
		    "compressed or in Fortran order; save it with "
		    "numpy.save(), as numpy.ascontiguousarray(array)",
		    a->form.bytes, MOST_WHOLE);
	p = mmap(NULL, a->form.bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE |
	    MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (p == MAP_FAILED)
		return npu_fail(err, NPU_ESYSTEM, "out of memory");
	rc = elements_begin(&e, s->fd, &a->member, err);
	if (rc == 0)
		rc = elements_read(&e, head, a->head, err);
	for (at = 0; rc == 0 && at < a->form.bytes; at += some) {
		some = a->form.bytes - at < SOME ? a->form.bytes - at : SOME;
		rc = elements_read(&e, p + at, some, err);
	}
	elements_end(&e);
	if (rc < 0)
		munmap(p, a->form.bytes);
	else
		a->whole = p;
	return rc;
}

/* Copies sample i in C order to out. */
static void
gather(const struct sample_array *a, uint64_t i, uint8_t *out)
{
	const size_t size = npu_dtype_size(a->form.dtype);
	const uint8_t *p = a->whole;
	uint64_t at[NPY_MOST_DIMS] = { 0 }, from, stride;
	uint32_t d;

	if (!a->form.fortran) {
		memcpy(out, p + i * a->row * size, a->row * size);
		return;
	}
	for (uint64_t n = 0; n < a->row; n++) {
		from = i;
		stride = a->form.dim[0];
		for (d = 1; d < a->form.ndim; d++) {
			from += at[d] * stride;
			stride *= a->form.dim[d];
		}
		memcpy(out + n * size, p + from * size, size);
		for (d = a->form.ndim; --d > 0 && ++at[d] == a->form.dim[d];)
			at[d] = 0;
	}
}

/* Reads sample i, as it is stored but in C order, to out. */
static int
read_row(struct samples *s, struct sample_array *a, uint64_t i, uint8_t *out,
    struct npu_err *err)
{
	const uint64_t bytes = a->row * npu_dtype_size(a->form.dtype);
	int rc;

	if (!a->form.fortran && !a->member.deflated)
		return npz_read_at(s->fd, out, bytes, a->member.offset +
		    a->head + i * bytes, err);
	if (a->whole == NULL && (rc = read_whole(s, a, err)) < 0)
		return rc;
	gather(a, i, out);
	return 0;
}

int
samples_read(struct samples *s, size_t k, uint64_t i, uint32_t dtype,
    void *out, struct npu_err *err)
{
	struct sample_array *a = &s->array[k];
	const size_t size = npu_dtype_size(a->form.dtype);
	uint8_t *stored;
	int rc;

	if (i >= a->samples)
		return npu_fail(err, NPU_EUSAGE, "there are %" PRIu64
		    " samples", a->samples);
	if (a->row == 0)
		return 0;
	if ((stored = malloc(a->row * size)) == NULL)
		return npu_fail(err, NPU_ESYSTEM, "out of memory");
	rc = read_row(s, a, i, stored, err);
	if (rc == 0 && a->form.big_endian)
		elements_swap(stored, a->row, size);
	if (rc == 0)
		rc = elements_convert(a->form.dtype, stored, a->row, dtype,
		    out, err);
	free(stored);
	return rc;
}

/* ---- The range of an array ----------------------------------------------- */

/* Returns the sample that element i in the order of the file is in. */
static uint64_t
sample_of(const struct sample_array *a, uint64_t i)
{
	return a->form.fortran ? i % a->samples : i / a->row;
}

/* Returns whether a finite x is a whole number; rint() takes longer. */
static inline bool
is_whole(float x)
{
	return fabsf(x) >= 0x1p23f || (float)(int32_t)x == x;
}

static void
add_numbers(const struct sample_array *a, struct sample_range *r,
    const float *x, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (!isfinite(x[i])) {
			if (r->nan + r->infinite == 0)
				r->first_bad = sample_of(a, r->n + i);
			r->nan += isnan(x[i]);
			r->infinite += isinf(x[i]);
			continue;
		}
		r->not_zero += x[i] != 0;
		r->not_whole += !is_whole(x[i]);
		r->min = x[i] < r->min ? x[i] : r->min;
		r->max = x[i] > r->max ? x[i] : r->max;
	}
	r->n += n;
}

/* Reads the elements after the header. */
static int
read_range(struct elements *e, const struct sample_array *a,
    struct sample_range *r, struct npu_err *err)
{
	const size_t size = npu_dtype_size(a->form.dtype);
	uint64_t most = SAMPLES_MOST_RANGE / size, left;
	uint8_t q[PIECE * 8];
	float x[PIECE];
	size_t n;
	int rc;

	if (a->member.deflated)
		most /= INFLATING;
	left = most < a->form.elements ? most : a->form.elements;
	for (; left > 0; left -= n) {
		n = left < PIECE ? (size_t)left : PIECE;
		if ((rc = elements_read(e, q, n * size, err)) < 0)
			return rc;
		if (a->form.big_endian)
			elements_swap(q, n, size);
		if ((rc = elements_convert(a->form.dtype, q, n, NPU_F32, x,
		    err)) < 0)
			return rc;
		add_numbers(a, r, x, n);
	}
	if (a->member.name_hash != 0 && r->n == a->form.elements &&
	    a->head + a->form.bytes == a->member.size &&
	    e->crc != a->member.crc)
		return npu_fail(err, NPU_EFORMAT, "damaged: the checksum is "
		    "%08" PRIx32 ", and the archive has %08" PRIx32, e->crc,
		    a->member.crc);
	return 0;
}

int
samples_range(struct samples *s, size_t k, struct sample_range *r,
    struct npu_err *err)
{
	const struct sample_array *a = &s->array[k];
	uint8_t head[NPY_MAX_HEADER + NPY_PREAMBLE];
	struct elements e;
	int rc;

	*r = (struct sample_range){ .min = INFINITY, .max = -INFINITY };
	rc = elements_begin(&e, s->fd, &a->member, err);
	if (rc == 0)
		rc = elements_read(&e, head, a->head, err);
	if (rc == 0)
		rc = read_range(&e, a, r, err);
	elements_end(&e);
	if (r->min > r->max)
		r->min = r->max = 0;
	return rc;
}
