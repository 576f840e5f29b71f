// SPDX-License-Identifier: Apache-2.0
#include <inttypes.h>
#include <string.h>

#include "base/err.h"
#include "input.h"
#include "stats/poisson.h"
#include "tensors/frame_reader.h"

/* ---- From a file -------------------------------------------------------- */

/* A file of more than one frame is of another model or type. */
static int
read_input(const struct npu *npu, const char *path, void *in,
    struct npu_err *err)
{
	char *files[] = { (char *)path };	/* never written to */
	struct frame_reader *f = frame_reader_open(npu, files, 1);
	int rc = frame_reader_read(f, in, err);

	if (rc == 0)
		rc = npu_fail(err, NPU_EFORMAT, "has no frame");
	else if (rc > 0 && (rc = frame_reader_read(f, in, err)) > 0)
		rc = npu_fail(err, NPU_EFORMAT, "has more than one frame of %"
		    PRIu64 " bytes", npu_input_size(npu));
	if (rc < 0)
		npu_prefix(err, rc, "%s", frame_reader_name(f));
	frame_reader_close(f);
	return rc;
}

/* ---- Random -------------------------------------------------------------- */

/* Writes an element of n bytes at p: the integer of the lowest bits of x. */
static void
put_integer(uint8_t *p, size_t n, unsigned bits, bool is_signed, uint64_t x)
{
	x &= UINT64_MAX >> (64 - bits);
	if (is_signed && (x >> (bits - 1)) != 0)
		x |= UINT64_MAX << (bits - 1);
	memcpy(p, &x, n);
}

static void
draw_integers(const struct npu_tensor *t, unsigned bits, bool is_signed,
    uint8_t *p, uint64_t *seed)
{
	size_t n = npu_dtype_size(t->dtype);

	for (uint64_t i = 0; i + n <= t->size; i += n)
		put_integer(p + i, n, bits, is_signed, random_bits(seed));
}

/* From -1 up to 1, which every type of floats has. */
static void
draw_reals(const struct npu_tensor *t, uint8_t *p, uint64_t *seed)
{
	size_t n = npu_dtype_size(t->dtype);
	float x;

	for (uint64_t i = 0; i + n <= t->size; i += n) {
		x = (float)(random_bits(seed) >> 40) / 0x1p23f - 1;
		npu_quantise(t, &x, 1, p + i, false, NULL, NULL);
	}
}

static void
draw_bytes(const struct npu_tensor *t, uint8_t *p, uint64_t *seed)
{
	for (uint64_t i = 0; i < t->size; i++)
		p[i] = (uint8_t)(random_bits(seed) >> 56);
}

static void
draw(const struct npu_tensor *t, uint8_t *p, uint64_t *seed)
{
	/* Other types, packed and unknown ones, are random bytes. */
	static const struct {
		enum npu_dtype dtype;
		unsigned bits;
		bool is_signed;
	} rows[] = {
		{ NPU_BOOL, 1, false }, { NPU_U8, 8, false },
		{ NPU_S8, 8, true }, { NPU_U16, 16, false },
		{ NPU_S16, 16, true }, { NPU_U32, 8, false },
		{ NPU_S32, 8, false }, { NPU_U64, 8, false },
		{ NPU_S64, 8, false }, { NPU_U4, 4, false },
		{ NPU_S4, 4, true }, { NPU_U12, 12, false },
		{ NPU_S12, 12, true },
	};

	if (npu_dtype_is_float(t->dtype)) {
		draw_reals(t, p, seed);
		return;
	}
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		if (rows[i].dtype != t->dtype)
			continue;
		draw_integers(t, rows[i].bits, rows[i].is_signed, p, seed);
		return;
	}
	draw_bytes(t, p, seed);
}

int
input_make(const struct npu *npu, const struct bench_plan *plan, void *in,
    struct npu_err *err)
{
	uint64_t seed = plan->seed;
	uint8_t *p = in;

	if (plan->input != NULL && npu_inputs(npu) > 0)
		return read_input(npu, plan->input, in, err);
	for (uint32_t i = 0; i < npu_inputs(npu); i++) {
		draw(npu_input(npu, i), p, &seed);
		p += npu_input(npu, i)->size;
	}
	return 0;
}
