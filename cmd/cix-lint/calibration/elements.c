// SPDX-License-Identifier: Apache-2.0
#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "elements.h"
#include "tensors/stream_bytes.h"

/* ---- Bytes --------------------------------------------------------------- */

int
elements_begin(struct elements *e, int fd, const struct npz_member *m,
    struct npu_err *err)
{
	int rc;

	e->s = (struct stream){ .fd = fd, .total = m->offset };
	e->inflater.open = false;
	e->inflater.z = (z_stream){ .next_in = NULL };
	e->m = m;
	e->crc = 0;
	if (lseek(fd, (off_t)m->offset, SEEK_SET) < 0)
		return npu_fail(err, NPU_ESYSTEM, "%s", strerror(errno));
	if (!m->deflated)
		return 0;
	rc = inflater_begin(&e->inflater, m, err);
	return rc < 0 ? rc : 0;
}

int
elements_read(struct elements *e, void *p, size_t n, struct npu_err *err)
{
	int64_t rc = e->m->deflated ?
	    inflater_read(&e->inflater, &e->s, p, n, err) :
	    stream_all_or_none(&e->s, p, n, "file", err);

	if (n > 0 && rc == 0)
		return npu_fail(err, NPU_EFORMAT, "the file ends within an "
		    "array; is it cut?");
	if (rc < 0)
		return (int)rc;
	if (e->m->name_hash != 0)	/* a member of an archive */
		e->crc = (uint32_t)crc32_z(e->crc, p, n);
	return 0;
}

void
elements_end(struct elements *e)
{
	inflater_close(&e->inflater);
}

void
elements_swap(void *p, size_t n, size_t size)
{
	uint8_t *b = p, byte;

	for (size_t i = 0; i < n; i++, b += size)
		for (size_t at = 0; at < size / 2; at++) {
			byte = b[at];
			b[at] = b[size - 1 - at];
			b[size - 1 - at] = byte;
		}
}

/* ---- Conversion ---------------------------------------------------------- */

/* Returns whether the type is s8, s16, s32 or s64. */
static bool
is_signed(uint32_t dtype)
{
	return dtype == NPU_S8 || dtype == NPU_S16 || dtype == NPU_S32 ||
	    dtype == NPU_S64;
}

/* An integer of any type: its 64 bits, and whether it is below 0. */
struct integer {
	uint64_t bits;
	bool negative;
};

static struct integer
load(uint32_t dtype, const uint8_t *p)
{
	const size_t size = npu_dtype_size(dtype);
	struct integer v = { .bits = 0 };

	memcpy(&v.bits, p, size);
	if (dtype == NPU_BOOL)
		v.bits = v.bits != 0;
	if (!is_signed(dtype))
		return v;
	v.negative = (p[size - 1] & 0x80) != 0;
	if (v.negative && size < 8)
		v.bits |= UINT64_MAX << 8 * size;
	return v;
}

static bool
fits(struct integer v, uint32_t dtype)
{
	const unsigned bits = dtype == NPU_BOOL ? 1 :
	    8 * (unsigned)npu_dtype_size(dtype) - is_signed(dtype);

	if (v.negative)
		return is_signed(dtype) && (~v.bits >> bits) == 0;
	return bits == 64 || v.bits >> bits == 0;
}

static int
convert_integers(uint32_t from, const uint8_t *p, size_t n, uint32_t to,
    uint8_t *out, struct npu_err *err)
{
	const size_t in_size = npu_dtype_size(from);
	const size_t out_size = npu_dtype_size(to);
	struct integer v;

	for (size_t i = 0; i < n; i++) {
		v = load(from, p + i * in_size);
		if (!fits(v, to))
			return npu_fail(err, NPU_EUSAGE, "number %zu is %s%"
			    PRIu64 ", which %s cannot represent", i,
			    v.negative ? "-" : "", v.negative ? 0 - v.bits :
			    v.bits, npu_dtype_name(to));
		memcpy(out + i * out_size, &v.bits, out_size);
	}
	return 0;
}

/* Converts by way of floats, a piece at a time. */
static int
convert_reals(uint32_t from, const uint8_t *p, size_t n, uint32_t to,
    uint8_t *out, struct npu_err *err)
{
	const struct npu_tensor in = { .dtype = from, .scale = 1 };
	const struct npu_tensor made = { .dtype = to, .scale = 1 };
	struct npu_quant_stats st = { 0 };
	float x[4096];
	size_t some;
	int rc;

	for (size_t at = 0; at < n; at += some) {
		some = n - at < 4096 ? n - at : 4096;
		if ((rc = npu_dequantise(&in, p + at * npu_dtype_size(from),
		    some, x, err)) < 0 ||
		    (rc = npu_quantise(&made, x, some, out + at *
		    npu_dtype_size(to), false, &st, err)) < 0)
			return rc;
		if (st.clipped > 0)
			return npu_fail(err, NPU_EUSAGE, "a number that %s "
			    "cannot represent", npu_dtype_name(to));
	}
	return 0;
}

int
elements_convert(uint32_t from, const void *p, size_t n, uint32_t to,
    void *out, struct npu_err *err)
{
	const struct npu_tensor t = { .dtype = from, .scale = 1 };

	if (from == to) {
		memcpy(out, p, n * npu_dtype_size(from));
		return 0;
	}
	if (to == NPU_F32)
		return npu_dequantise(&t, p, n, out, err);
	if (npu_dtype_is_float(from) || npu_dtype_is_float(to))
		return convert_reals(from, p, n, to, out, err);
	return convert_integers(from, p, n, to, out, err);
}
