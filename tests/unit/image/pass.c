// SPDX-License-Identifier: Apache-2.0
/* Each kernel of the passes that this processor can run gives the same bytes as
 * the definition. */
#include <stdlib.h>
#include <string.h>
#if defined(__aarch64__)
#include <sys/auxv.h>
#endif

#include "image/kernels/pass_kernels.h"
#include "tap.h"

enum { ROWS = 300, BYTES = 200, ROUNDS = 300, FEW = 20, SAMPLES = 40 };

static uint32_t seed = 1;

static uint32_t
rnd(uint32_t below)
{
	seed = seed * 1664525 + 1013904223;	/* Numerical Recipes' ranqd1 */
	return (seed >> 8) % below;
}

/* Makes n weights for which sums of 8-bit values fit into 31 bits.  If n is
 * small, extreme values are among the weights. */
static void
weights(int32_t *k, uint32_t n)
{
	static const int32_t odd[] = { 0, 1, -1, 127, 128, -128, -129, 32767,
	    32768, -32768, -32769, 1 << TAPS_BITS, 0x7f7f7f / 4 };
	int32_t most = (1 << TAPS_BITS) / (int32_t)n;

	for (uint32_t i = 0; i < n; i++) {
		k[i] = (int32_t)rnd((uint32_t)most * 2 + 1) - most;
		if (n <= FEW && rnd(3) == 0)
			k[i] = odd[rnd(sizeof(odd) / sizeof(*odd))];
		if (abs(k[i]) > most + 32769 && n > 1)
			k[i] = most;
	}
}

static uint8_t
byte_of(int64_t sum)
{
	int64_t v = (sum + PASS_HALF) >> TAPS_BITS;

	return (uint8_t)(v < 0 ? 0 : v > 255 ? 255 : v);
}

static uint8_t pixels[ROWS][BYTES + PASS_SLACK];

static void
fill(void)
{
	for (size_t i = 0; i < ROWS; i++)
		for (size_t j = 0; j < sizeof(pixels[i]); j++)
			pixels[i][j] = (uint8_t)(rnd(4) == 0 ? 255 * rnd(2) :
			    rnd(256));
}

/* ---- Across ------------------------------------------------------------ */

/* Adds all rows in one call, or in two calls with sums in between. */
static bool
across_is_right(const struct pass_kernel *kernel, uint32_t n, size_t bytes,
    uint32_t cut)
{
	int32_t k[ROWS], sums[BYTES + PASS_SLACK];
	const uint8_t *row[ROWS];
	uint8_t out[BYTES + PASS_SLACK];

	weights(k, n);
	for (uint32_t i = 0; i < n; i++)
		row[i] = pixels[rnd(ROWS)];
	if (cut > 0)
		kernel->across(row, k, cut, bytes, NULL, sums, NULL);
	kernel->across(row + cut, k + cut, n - cut, bytes,
	    cut > 0 ? sums : NULL, NULL, out);
	for (size_t at = 0; at < bytes; at++) {
		int64_t sum = 0;

		for (uint32_t i = 0; i < n; i++)
			sum += (int64_t)row[i][at] * k[i];
		if (out[at] != byte_of(sum))
			return false;
	}
	return true;
}

static bool
all_across(const struct pass_kernel *kernel)
{
	for (int i = 0; i < ROUNDS; i++) {
		uint32_t n = 1 + rnd(i % 5 == 0 ? ROWS : 12);

		if (!across_is_right(kernel, n, 4 + 4 * rnd(BYTES / 4), 0) ||
		    !across_is_right(kernel, n, BYTES, rnd(n)))
			return false;
	}
	return across_is_right(kernel, ROWS, BYTES, 0);
}

/* Checks the sums for a number of bytes, and that nothing is written behind
 * them. */
static bool
sums_are_right(const struct pass_kernel *kernel, uint32_t n, size_t bytes)
{
	int32_t k[ROWS], sums[BYTES + PASS_SLACK + 1];
	const uint8_t *row[ROWS];

	weights(k, n);
	for (uint32_t i = 0; i < n; i++)
		row[i] = pixels[rnd(ROWS)];
	sums[bytes + PASS_SLACK] = 12345;
	kernel->across(row, k, n, bytes, NULL, sums, NULL);
	for (size_t at = 0; at < bytes; at++) {
		int64_t sum = 0;

		for (uint32_t i = 0; i < n; i++)
			sum += (int64_t)row[i][at] * k[i];
		if (sums[at] != sum)
			return false;
	}
	return sums[bytes + PASS_SLACK] == 12345;
}

static bool
all_sums(const struct pass_kernel *kernel)
{
	for (int i = 0; i < ROUNDS; i++)
		if (!sums_are_right(kernel, 1 + rnd(12),
		    4 + 4 * rnd(BYTES / 4)))
			return false;
	return true;
}

/* Checks the s16 output, for weights that are not negative and have the
 * sum 1. */
static bool
s16_is_right(const struct pass_kernel *kernel, uint32_t n)
{
	enum { COLUMNS = 3 * PASS_S16_STEP };
	int32_t k[ROWS] = { 0 };
	int16_t s16[COLUMNS + 1];
	const uint8_t *row[ROWS];

	for (int left = 1 << 14; left > 0; left /= 2)
		k[rnd(n)] += left - left / 2;
	for (uint32_t i = 0; i < n; i++)
		row[i] = pixels[rnd(ROWS)];
	s16[COLUMNS] = 12345;
	kernel->across_s16(row, k, n, COLUMNS, s16);
	for (size_t at = 0; at < COLUMNS; at++) {
		int32_t sum = 0;

		for (uint32_t i = 0; i < n; i++)
			sum += row[i][at] * k[i];
		if (s16[at] != (sum + 64) / 128)
			return false;
	}
	return s16[COLUMNS] == 12345;
}

static bool
all_s16(const struct pass_kernel *kernel)
{
	for (int i = 0; i < ROUNDS; i++)
		if (!s16_is_right(kernel, 1 + rnd(i % 5 == 0 ? ROWS : 12)))
			return false;
	return s16_is_right(kernel, 1) && s16_is_right(kernel, ROWS);
}

/* ---- Along ------------------------------------------------------------- */

/* Makes SAMPLES windows of up to FEW pixels. */
static void
make_windows(struct windows *w)
{
	size_t at = 0;

	for (uint32_t i = 0; i < SAMPLES; i++) {
		w->count[i] = rnd(FEW + 1);
		w->first[i] = rnd(BYTES / 4 - w->count[i]);
		if (w->count[i] > 0)
			weights(w->k + at, w->count[i]);
		at += pass_padded(w->count[i]);
	}
}

static bool
row_is_right(const struct windows *w, const uint8_t *row, const uint8_t *out,
    const int32_t *sums)
{
	const int32_t *k = w->k;
	int64_t sum;

	for (uint32_t i = 0; i < SAMPLES; i++) {
		for (size_t c = 0; c < 4; c++) {
			sum = 0;
			for (uint32_t j = 0; j < w->count[i]; j++)
				sum += (int64_t)row[4 * (w->first[i] + j) +
				    c] * k[j];
			if (out[4 * i + c] != byte_of(sum) ||
			    sums[4 * i + c] != sum + PASS_HALF)
				return false;
		}
		k += pass_padded(w->count[i]);
	}
	return true;
}

static bool
along_is_right(const struct pass_kernel *kernel)
{
	uint32_t first[SAMPLES], count[SAMPLES];
	int32_t k[SAMPLES * (FEW + PASS_QUAD)] = { 0 };
	struct windows w = { .n = SAMPLES, .first = first, .count = count,
	    .k = k };
	uint8_t out[PASS_ROWS][SAMPLES * 4], *to[PASS_ROWS];
	int32_t sums[PASS_ROWS][SAMPLES * 4], *sums_to[PASS_ROWS];
	const uint8_t *row[PASS_ROWS];
	bool good = true;

	make_windows(&w);
	for (uint32_t i = 0; i < PASS_ROWS; i++) {
		row[i] = pixels[rnd(ROWS)];
		to[i] = out[i];
		sums_to[i] = sums[i];
	}
	if (kernel->prepare != NULL && kernel->prepare(&w) < 0)
		abort();
	kernel->along(&w, row, to);
	kernel->along_sums(&w, row, sums_to);
	for (uint32_t i = 0; i < PASS_ROWS; i++)
		good &= row_is_right(&w, row[i], out[i], sums[i]);
	free(w.split);
	free(w.bias);
	return good;
}

static bool
all_along(const struct pass_kernel *kernel)
{
	for (int i = 0; i < ROUNDS; i++)
		if (!along_is_right(kernel))
			return false;
	return true;
}

/* Adds two rows of 255 with weights of 1 and -1: sums are limited to the range
 * of a byte. */
static bool
ends_are_right(const struct pass_kernel *kernel)
{
	static const int32_t one = 1 << TAPS_BITS;
	uint8_t white[PASS_SLACK + 4], out[PASS_SLACK + 4];
	const uint8_t *row[] = { white, white };

	memset(white, 255, sizeof(white));
	kernel->across(row, (const int32_t[]){ one, one }, 2, 4, NULL,
	    NULL, out);
	if (out[0] != 255 || out[3] != 255)
		return false;
	kernel->across(row, (const int32_t[]){ -one, 0 }, 2, 4, NULL,
	    NULL, out);
	return out[0] == 0 && out[3] == 0;
}

static void
test(const struct pass_kernel *kernel, const char *name)
{
	ok(all_along(kernel), "the pass along a row gives the bytes of the "
	    "definition, with the kernel %s", name);
	ok(all_across(kernel), "the pass across rows gives the bytes of the "
	    "definition, with the kernel %s", name);
	ok(all_sums(kernel), "the pass across rows gives the right sums, with "
	    "the kernel %s", name);
	ok(all_s16(kernel), "the pass across rows gives the right s16 values, "
	    "with the kernel %s", name);
	ok(ends_are_right(kernel), "the pass across rows limits sums to a "
	    "byte, with the kernel %s", name);
}

int
main(void)
{
	fill();
	test(&pass_plain, "for every processor");
#if defined(__x86_64__)
	if (__builtin_cpu_supports("avx512vnni") &&
	    __builtin_cpu_supports("avx512bw"))
		test(&pass_vnni, "VNNI");
	if (__builtin_cpu_supports("avx2"))
		test(&pass_avx2, "AVX2");
#elif defined(__aarch64__)
	if (getauxval(AT_HWCAP) & HWCAP_ASIMDDP)
		test(&pass_neon, "NEON");
#endif
	return done();
}
