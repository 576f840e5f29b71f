// SPDX-License-Identifier: Apache-2.0
/*
 * PBM, PGM and PPM, plain and raw (P1 to P6), as defined in their manual pages:
 * numbers separated by white space, comments from '#' to the end of the line
 * even within a number, and a single white-space byte before raw data.
 */
#include <math.h>
#include <stdlib.h>

#include "image/decoder.h"

enum { MAX_DIGITS = 10 };	/* Pillow's limit; longer is malicious */

enum { CUT = -1000 };		/* end of file; not an npu_code */

struct ppm {
	bool raw;
	unsigned channels;	/* 1 or 3 */
	uint32_t maxval;	/* 1 in a bitmap, where 1 is black */
	bool bitmap;
	size_t stride;		/* bytes in a raw row */
	uint8_t *row;		/* owned */
	uint8_t *level;		/* owned: 8 bits for each value up to the
				 * largest */
	uint32_t y;		/* the next row */
};

static bool
is_space(int c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

/* Reads the next byte.  Returns CUT at the end of the file, or an npu_code. */
static int
get(struct picture *p, struct npu_err *err)
{
	struct input *in = &p->in;
	int rc;

	if (in->at == in->n && (rc = input_fill(in, 1, err)) < 0)
		return rc;
	return in->at < in->n ? in->p[in->at++] : CUT;
}

/* Does the same, but skips comments. */
static int
get_text(struct picture *p, struct npu_err *err)
{
	int c;

	while ((c = get(p, err)) == '#')
		do
			c = get(p, err);
		while (c >= 0 && c != '\n' && c != '\r');
	return c;
}

static int
bad_byte(struct npu_err *err, int c)
{
	return npu_fail(err, NPU_EFORMAT, "byte 0x%02x where a number is "
	    "expected", (unsigned)c);
}

/* Reads a number and the white space after it. */
static int
get_number(struct picture *p, uint64_t *v, struct npu_err *err)
{
	unsigned digits = 0;
	int c;

	*v = 0;
	for (;;) {
		c = get_text(p, err);
		if (c < 0 && (c != CUT || digits == 0))
			return c;
		if (c < 0 || (is_space(c) && digits > 0))
			return 0;
		if (is_space(c))
			continue;
		if (c < '0' || c > '9')
			return bad_byte(err, c);
		if (++digits > MAX_DIGITS)
			return npu_fail(err, NPU_EFORMAT, "a number of more "
			    "than %d digits", MAX_DIGITS);
		*v = *v * 10 + (unsigned)(c - '0');
	}
}

static bool
knows_ppm(struct bytes head)
{
	return head.n >= 3 && head.p[0] == 'P' && head.p[1] >= '1' &&
	    head.p[1] <= '6' && is_space(head.p[2]);
}

/* ---- Header ------------------------------------------------------------ */

/*
 * Fills the table of levels.  As in Pillow, values are scaled by value / maxval
 * * 255 in double precision and rounded to even.  Gray of more than 8 bits is
 * scaled to 16 bits, whose upper 8 are used.
 */
static int
make_levels(struct ppm *m, struct npu_err *err)
{
	uint32_t n = m->maxval < 256 ? 256 : 65536;
	bool wide = m->channels == 1 && m->maxval > 255;
	double v;

	if ((m->level = malloc(n)) == NULL)
		return npu_fail(err, NPU_ESYSTEM, "out of memory");
	for (uint32_t i = 0; i < m->maxval; i++) {
		v = (double)i / m->maxval;
		v = wide ? rint(v * 65535) / 256 : rint(v * 255);
		m->level[i] = (uint8_t)v;
	}
	/* This is most of the table if a 16-bit file uses only 10 bits. */
	memset(m->level + m->maxval, 255, n - m->maxval);
	if (m->bitmap) {
		m->level[0] = 255;
		m->level[1] = 0;
	}
	return 0;
}

static int
read_header(struct picture *p, struct ppm *m, uint64_t max_pixels,
    struct npu_err *err)
{
	uint64_t v[3] = { 0, 0, 1 };
	int rc, kind = p->in.p[1] - '0';

	p->in.at = 3;		/* knows() has checked these bytes */
	m->raw = kind > 3;
	m->channels = kind % 3 == 0 ? 3 : 1;
	m->bitmap = kind % 3 == 1;
	for (int i = 0; i < (m->bitmap ? 2 : 3); i++)
		if ((rc = get_number(p, &v[i], err)) < 0)
			return rc;
	if ((rc = decoder_set_size(p, v[0], v[1], max_pixels, err)) < 0)
		return rc;
	if (v[2] == 0 || v[2] > 65535)
		return npu_fail(err, NPU_EFORMAT, "largest value %llu is not "
		    "1 to 65535", (unsigned long long)v[2]);
	m->maxval = (uint32_t)v[2];
	p->info.mode = m->bitmap ? PICTURE_TABLE : m->channels == 1 &&
	    m->maxval > 255 ? PICTURE_WIDE : PICTURE_PLAIN;
	m->stride = m->bitmap ? (v[0] + 7) / 8 :
	    v[0] * m->channels * (m->maxval > 255 ? 2 : 1);
	return make_levels(m, err);
}

static int
open_ppm(struct picture *p, uint64_t max_pixels, struct npu_err *err)
{
	struct ppm *m = calloc(1, sizeof(*m));
	int rc;

	if (m == NULL)
		return npu_fail(err, NPU_ESYSTEM, "out of memory");
	p->state = m;
	rc = read_header(p, m, max_pixels, err);
	if (rc == CUT)
		return npu_fail(err, NPU_EFORMAT, "cut off: the file ends in "
		    "the header");
	if (rc == 0 && m->raw && (m->row = calloc(1, m->stride + 1)) == NULL)
		return npu_fail(err, NPU_ESYSTEM, "out of memory");
	return rc;
}

/* ---- Rows -------------------------------------------------------------- */

/* Returns value i of the raw row, scaled to 8 bits. */
static uint8_t
raw_value(const struct ppm *m, size_t i)
{
	const uint8_t *r = m->row;

	if (m->bitmap)
		return m->level[r[i / 8] >> (7 - i % 8) & 1];
	if (m->maxval < 256)
		return m->level[r[i]];
	return m->level[r[2 * i] << 8 | r[2 * i + 1]];
}

static int
read_raw(struct picture *p, struct ppm *m, uint8_t *to, struct npu_err *err)
{
	int64_t got = input_read(&p->in, m->row, m->stride, err);
	size_t i = 0;

	if (got < 0)
		return (int)got;
	if ((size_t)got < m->stride)
		return CUT;
	if (m->maxval == 255 && m->channels == 3) {
		widen(to, m->row, p->info.width);
		return 0;
	}
	for (uint32_t x = 0; x < p->info.width; x++, to += 4) {
		to[0] = to[1] = to[2] = raw_value(m, i++);
		if (m->channels == 3) {
			to[1] = raw_value(m, i++);
			to[2] = raw_value(m, i++);
		}
	}
	return 0;
}

/* Reads a value in text.  The digits of a bitmap need no space between them. */
static int
get_value(struct picture *p, struct ppm *m, uint8_t *v, struct npu_err *err)
{
	uint64_t n;
	int c;

	if (m->bitmap) {
		do
			c = get_text(p, err);
		while (is_space(c));
		if (c < 0)
			return c;
		if (c != '0' && c != '1')
			return bad_byte(err, c);
		n = (uint64_t)(c - '0');
	} else if ((c = get_number(p, &n, err)) < 0) {
		return c;
	}
	if (n > m->maxval)
		return npu_fail(err, NPU_EFORMAT, "%llu is more than the "
		    "largest value, %u", (unsigned long long)n, m->maxval);
	*v = m->level[n];
	return 0;
}

static int
read_plain(struct picture *p, struct ppm *m, uint8_t *to, struct npu_err *err)
{
	int rc;

	for (uint32_t x = 0; x < p->info.width; x++, to += 4) {
		for (unsigned i = 0; i < m->channels; i++)
			if ((rc = get_value(p, m, &to[i], err)) < 0)
				return rc;
		if (m->channels == 1)
			to[1] = to[2] = to[0];
	}
	return 0;
}

static int
rows_ppm(struct picture *p, uint8_t *to, unsigned most, struct npu_err *err)
{
	struct ppm *m = p->state;
	unsigned n;
	int rc;

	for (n = 0; n < most && m->y < p->info.height; n++, m->y++) {
		rc = m->raw ? read_raw(p, m, to, err) :
		    read_plain(p, m, to, err);
		if (rc == CUT)
			rc = npu_fail(err, NPU_EFORMAT,
			    "cut off: the file ends here");
		if (rc == NPU_EFORMAT)
			npu_prefix(err, rc, "row %u of %u", m->y + 1,
			    p->info.height);
		if (rc < 0)
			return rc;
		to += (size_t)p->info.width * 4;
	}
	return (int)n;
}

static void
close_ppm(struct picture *p)
{
	struct ppm *m = p->state;

	free(m->level);
	free(m->row);
	free(m);
}

const struct decoder ppm_decoder = {
	"PPM", PICTURE_PPM, knows_ppm, open_ppm, NULL, rows_ppm, NULL,
	NULL, close_ppm,
};
