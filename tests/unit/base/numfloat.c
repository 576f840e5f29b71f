// SPDX-License-Identifier: Apache-2.0
/* Prints floats with the fewest digits that read back, and compares them with
 * printf() and strtof(). */
#include <inttypes.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "tap.h"

/* Compares the text with the first of %.6g to %.9g that reads back. */
static bool
as_defined(uint32_t bits)
{
	char got[40], want[40];
	float v;

	memcpy(&v, &bits, sizeof(v));
	if (!isfinite(v))
		return true;
	num_format_float(v, got, sizeof(got));
	for (int digits = 6; digits <= 9; digits++) {
		snprintf(want, sizeof(want), "%.*g", digits, (double)v);
		if (strtof(want, NULL) == v)
			break;
	}
	if (strcmp(got, want) == 0)
		return true;
	diag("%08" PRIx32 ": %s, not %s", bits, got, want);
	return false;
}

/* Tests n floats, from the bits 'from' on in steps of 'step'. */
static bool
all(uint32_t from, uint32_t step, uint32_t n)
{
	const uint32_t each = brief() ? 8 : 1;

	for (uint32_t i = 0; i < n; i += each)
		if (!as_defined(from + i * step))
			return false;
	return true;
}

static uint32_t
bits_of(float v)
{
	uint32_t bits;

	memcpy(&bits, &v, sizeof(bits));
	return bits;
}

int
main(void)
{
	static const float edges[] = { 1e-5f, 1e-4f, 1e-3f, 1e-2f, .1f, .5f,
	    .25f, .125f, .999999f, 1, 10, 1e6f, 0x1p-13f, 0x1p-10f, 0 };
	const uint32_t low = bits_of(5e-5f), high = bits_of(2);
	char small[8];

	for (size_t i = 0; i < sizeof(edges) / sizeof(*edges); i++) {
		uint32_t at = bits_of(edges[i]), from = at < 500 ? 0 :
		    at - 500;

		ok(all(from, 1, 1000) && all(from | 0x80000000, 1, 1000),
		    "the floats around %g, of both signs, are printed with the "
		    "fewest digits", (double)edges[i]);
	}
	num_format_float(.5f, small, sizeof(small));
	ok(strcmp(small, "0.5") == 0, "0.5 is printed into a buffer of 8 "
	    "bytes: %s", small);
	ok(all(low, 2003, (high - low) / 2003),
	    "floats from 5e-5 to 2 are printed with the fewest digits");
	ok(all(low | 0x80000000, 2011, (high - low) / 2011),
	    "floats from -5e-5 to -2 are printed with the fewest digits");
	ok(all(7, 80021, UINT32_MAX / 80021),
	    "floats of the whole range are printed with the fewest digits");
	return done();
}
