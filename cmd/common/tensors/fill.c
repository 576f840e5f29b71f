// SPDX-License-Identifier: Apache-2.0
#include <string.h>

#include "cmd.h"
#include "fill.h"
#include "stats/poisson.h"

#define DEFAULT_SEED 1

void
fill_parse(struct fill *f, const char *arg)
{
	static const char *const names[] = { "zero", "ramp", "random", NULL };
	const char *seed = strchr(arg, ':');

	if (seed != NULL && (size_t)(seed - arg) == strlen("random") &&
	    strncmp(arg, "random", strlen("random")) == 0) {
		f->with = FILL_RANDOM;
		f->state = (uint64_t)cmd_int("--fill", seed + 1, 0, INT64_MAX);
		return;
	}
	f->with = FILL_ZERO + cmd_choice("--fill", arg, names);
	f->state = DEFAULT_SEED;
}

/* Returns 64 bits for element i.  Integers use the lowest bits, floats and
 * bytes the highest. */
static uint64_t
next_bits(struct fill *f, uint64_t i)
{
	return f->with == FILL_RAMP ? i | i << 56 : random_bits(&f->state);
}

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
put_integers(const struct npu_tensor *t, unsigned bits, bool is_signed,
    uint8_t *p, struct fill *f)
{
	size_t n = npu_dtype_size(t->dtype);

	for (uint64_t i = 0; i < t->size / n; i++)
		put_integer(p + i * n, n, bits, is_signed, next_bits(f, i));
}

/* Writes floats from -1 up to 1, which every float type can represent. */
static void
put_reals(const struct npu_tensor *t, uint8_t *p, struct fill *f)
{
	size_t n = npu_dtype_size(t->dtype);
	float x;

	for (uint64_t i = 0; i < t->size / n; i++) {
		x = (float)(next_bits(f, i) >> 40) / 0x1p23f - 1;
		npu_quantise(t, &x, 1, p + i * n, false, NULL, NULL);
	}
}

static void
put_bytes(const struct npu_tensor *t, uint8_t *p, struct fill *f)
{
	for (uint64_t i = 0; i < t->size; i++)
		p[i] = (uint8_t)(next_bits(f, i) >> 56);
}

void
fill_tensor(const struct npu_tensor *t, struct fill *f, uint8_t *p)
{
	/* Other types, packed and unknown types, are filled as bytes. */
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

	if (f->with == FILL_ZERO) {
		memset(p, 0, t->size);
		return;
	}
	if (npu_dtype_is_float(t->dtype)) {
		put_reals(t, p, f);
		return;
	}
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		if (rows[i].dtype != t->dtype)
			continue;
		put_integers(t, rows[i].bits, rows[i].is_signed, p, f);
		return;
	}
	put_bytes(t, p, f);
}

