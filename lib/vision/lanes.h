/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The loops of scan.c for elements of one type.  scan.c includes this file with
 * LANE and LANE_NAME(x) defined.  The loops are written to be vectorised.
 * There is no include guard, because the file is included once for each type.
 */

/* Finds the best score of each box, for rows of scores.  Takes four rows at a
 * time: best is read and written once for all four, and memory has several
 * streams to prefetch. */
static void
LANE_NAME(rows)(const void *data, size_t rows, size_t boxes, void *out,
    uint32_t *any)
{
	const LANE *restrict a = data;
	LANE *restrict best = out;
	LANE seen = 0;

	memcpy(best, a, boxes * sizeof(*a));
	for (; rows >= 4; rows -= 4, a += 4 * boxes) {
		const LANE *restrict b = a + boxes;
		const LANE *restrict c = b + boxes;
		const LANE *restrict d = c + boxes;

		for (size_t i = 0; i < boxes; i++) {
			LANE x = a[i] > b[i] ? a[i] : b[i];
			LANE y = c[i] > d[i] ? c[i] : d[i];

			seen |= a[i] | b[i] | c[i] | d[i];
			x = x > y ? x : y;
			best[i] = best[i] > x ? best[i] : x;
		}
	}
	for (; rows > 0; rows--, a += boxes) {
		for (size_t i = 0; i < boxes; i++) {
			seen |= a[i];
			best[i] = best[i] > a[i] ? best[i] : a[i];
		}
	}
	*any = (uint32_t)seen;
}

/* Does the same for boxes that follow each other, stride elements apart. */
static void
LANE_NAME(columns)(const void *data, size_t n, size_t stride, size_t boxes,
    void *out, uint32_t *any)
{
	const LANE *a = data;
	LANE *restrict best = out;
	LANE seen = 0;

	for (size_t box = 0; box < boxes; box++, a += stride) {
		LANE x = a[0];

		for (size_t i = 0; i < n; i++) {
			seen |= a[i];
			x = x > a[i] ? x : a[i];
		}
		best[box] = x;
	}
	*any = (uint32_t)seen;
}

/* Finds the best of the n scores of each box that is finite and positive,
 * slowly.  step is the distance between scores, stride between boxes. */
static void
LANE_NAME(finite)(const void *data, size_t n, size_t step, size_t stride,
    size_t boxes, void *out, int64_t limit)
{
	const LANE *a = data;
	LANE *best = out;

	for (size_t box = 0; box < boxes; box++) {
		LANE x = 0;

		for (size_t i = 0; i < n; i++) {
			LANE v = a[box * stride + i * step];

			if (v > x && (int64_t)v < limit)
				x = v;
		}
		best[box] = x;
	}
}

/* Finds the indices of best[0..n) that are at least least.  Most groups have
 * none. */
static size_t
LANE_NAME(above)(const void *in, size_t n, int64_t least, uint32_t *where)
{
	enum { GROUP = 64 };
	const LANE *best = in;
	const LANE bar = (LANE)least;
	size_t found = 0;

	for (size_t i = 0; i < n; i += GROUP) {
		size_t end = n - i < GROUP ? n : i + GROUP;
		LANE hit = 0;

		for (size_t j = i; j < end; j++)
			hit |= best[j] >= bar;
		for (size_t j = i; hit != 0 && j < end; j++) {
			where[found] = (uint32_t)j;
			found += best[j] >= bar;
		}
	}
	return found;
}

/* Finds the lowest class with the best score, for the n boxes at where.  Goes
 * through the rows of classes from the last, because the lowest must remain. */
static void
LANE_NAME(row_classes)(const void *data, size_t classes, size_t boxes,
    const void *in, const uint32_t *where, size_t n, uint32_t *class)
{
	const LANE *row = (const LANE *)data + classes * boxes, *best = in;

	for (size_t c = classes; c-- > 0;) {
		row -= boxes;
		for (size_t i = 0; i < n; i++)
			class[i] = row[where[i]] == best[where[i]] ?
			    (uint32_t)c : class[i];
	}
}

/* Does the same for scores of a box that are adjacent. */
static void
LANE_NAME(column_classes)(const void *data, size_t classes, size_t stride,
    const void *in, const uint32_t *where, size_t n, uint32_t *class)
{
	const LANE *best = in;
	uint32_t c;

	for (size_t i = 0; i < n; i++) {
		const LANE *a = (const LANE *)data + where[i] * stride;

		for (c = 0; c + 1 < classes && a[c] != best[where[i]]; c++)
			;
		class[i] = c;
	}
}

/* Counts floats whose exponent bits are all set, in runs of n, stride apart. */
static uint64_t
LANE_NAME(not_finite)(const void *data, size_t runs, size_t n, size_t stride,
    uint32_t exponent)
{
	const LANE mask = (LANE)exponent, *a = data;
	uint64_t found = 0;

	for (; runs > 0; runs--, a += stride) {
		uint32_t count = 0;

		for (size_t i = 0; i < n; i++)
			count += (a[i] & mask) == mask;
		found += count;
	}
	return found;
}

/* Extends the range least to most, as ordered keys, to the elements in runs of
 * n, stride apart, whose exponent bits are not all set.  The ordered key of a
 * negative float has all bits inverted except the sign: then keys have the
 * order of the numbers.  exponent is 0 for integers, which are their own
 * keys. */
static void
LANE_NAME(extremes)(const void *data, size_t runs, size_t n, size_t stride,
    uint32_t exponent, int64_t *least, int64_t *most)
{
	const LANE mask = (LANE)exponent, *a = data;
	const LANE bits = (LANE)((UINT64_C(1) << (8 * sizeof(LANE) - 1)) - 1);
	LANE low = (LANE)*least, high = (LANE)*most;

	for (; runs > 0; runs--, a += stride) {
		for (size_t i = 0; i < n; i++) {
			LANE v = a[i];

			if (mask != 0 && (v & mask) == mask)
				continue;
			if (mask != 0 && (v & (LANE)~bits) != 0)
				v = (LANE)(v ^ bits);
			low = v < low ? v : low;
			high = v > high ? v : high;
		}
	}
	*least = low;
	*most = high;
}

/* Copies n elements, step apart, selected by where and class, to q. */
static void
LANE_NAME(gather)(const void *data, size_t step, size_t stride,
    const uint32_t *where, const uint32_t *class, size_t n, void *q)
{
	const LANE *a = data;
	LANE *to = q;

	for (size_t k = 0; k < 4; k++)
		for (size_t i = 0; i < n; i++)
			*to++ = a[k * step + where[i] * stride];
	for (size_t i = 0; i < n; i++)
		*to++ = a[(4 + (size_t)class[i]) * step + where[i] * stride];
}

static const struct loops LANE_NAME(loops) = {
	LANE_NAME(rows), LANE_NAME(columns), LANE_NAME(finite),
	LANE_NAME(above), LANE_NAME(row_classes), LANE_NAME(column_classes),
	LANE_NAME(not_finite), LANE_NAME(extremes), LANE_NAME(gather),
};

#undef LANE
#undef LANE_NAME
