// SPDX-License-Identifier: Apache-2.0
#include <inttypes.h>
#include <stdlib.h>

#include "image/decoder.h"
#include "image/orient.h"

static const struct decoder *const decoders[] = {
	&jpeg_decoder, &png_decoder, &ppm_decoder,
};

enum { N_DECODERS = sizeof(decoders) / sizeof(*decoders) };

#define FILM "a film: ffmpeg converts it to pictures, which --stream reads"

/*
 * Other formats that occur, recognised by bytes at an offset.  A downloaded
 * "picture" is often a web page that explains why the picture is missing, or a
 * Git LFS pointer.
 */
static const struct {
	const char *what;
	uint8_t at, n;
	const char *bytes;
} others[] = {
#define BYTES(s) sizeof(s) - 1, s
	{ "a GIF", 0, BYTES("GIF8") },
	{ "a BMP", 0, BYTES("BM") },
	{ "a WebP", 8, BYTES("WEBP") },
	{ "a TIFF", 0, BYTES("II*\0") },
	{ "a TIFF", 0, BYTES("MM\0*") },
	{ "an AVIF", 4, BYTES("ftypavi") },
	/* The brands of ISO/IEC 23008-12 are pictures; all other brands are
	 * films. */
	{ "a HEIC", 4, BYTES("ftyphei") },
	{ "a HEIC", 4, BYTES("ftyphev") },
	{ "a HEIF", 4, BYTES("ftypmif") },
	{ "a HEIF", 4, BYTES("ftypmsf") },
	{ FILM, 4, BYTES("ftyp") },
	{ FILM, 8, BYTES("AVI ") },
	{ FILM, 0, BYTES("\x1a\x45\xdf\xa3") },	/* Matroska, WebM */
	{ FILM, 0, BYTES("\x00\x00\x01\xba") },	/* MPEG-PS */
	{ "a JPEG 2000", 4, BYTES("jP  ") },
	{ "a JPEG XL", 4, BYTES("JXL ") },
	{ "a JPEG XL", 0, BYTES("\xff\x0a") },
	{ "a PAM", 0, BYTES("P7\n") },
	{ "a PNG whose first bytes are spoilt", 1, BYTES("PNG") },
	{ "a web page", 0, BYTES("<!") },
	{ "a web page", 0, BYTES("<html") },
	{ "an SVG", 0, BYTES("<svg") },
	{ "a PDF", 0, BYTES("%PDF") },
	{ "a pointer of Git LFS (git lfs pull)", 0, BYTES("version https") },
	{ "a zip archive", 0, BYTES("PK\3\4") },
#undef BYTES
};

enum { N_OTHERS = sizeof(others) / sizeof(*others), HEAD = 16 };

static int
refuse(struct bytes head, struct npu_err *err)
{
	struct bytes part;

	if (head.n == 0)
		return npu_fail(err, NPU_EFORMAT, "empty");
	for (unsigned i = 0; i < N_OTHERS; i++)
		if (bytes_sub(head, others[i].at, others[i].n, &part) &&
		    memcmp(part.p, others[i].bytes, part.n) == 0)
			return npu_fail(err, NPU_EFORMAT, "not a JPEG, PNG or "
			    "PPM picture, but %s", others[i].what);
	return npu_fail(err, NPU_EFORMAT, "not a JPEG, PNG or PPM picture");
}

static const struct decoder *
decoder_of(struct bytes head)
{
	for (unsigned i = 0; i < N_DECODERS; i++)
		if (decoders[i]->knows(head))
			return decoders[i];
	return NULL;
}

bool
picture_known(struct bytes head)
{
	return decoder_of(head) != NULL;
}

static int
find_decoder(struct picture *p, struct npu_err *err)
{
	int rc = input_fill(&p->in, HEAD, err);
	struct bytes head = { p->in.p, p->in.n };

	if (rc < 0)
		return rc;
	if ((p->decoder = decoder_of(head)) == NULL)
		return refuse(head, err);
	p->info.format = p->decoder->format;
	return 0;
}

/* Prefixes the message with the format, unless it is an error of the operating
 * system. */
static int
fail(struct picture *p, int rc, struct npu_err *err)
{
	p->failed = true;
	if (rc == NPU_EFORMAT)
		npu_prefix(err, rc, "%s", p->decoder->name);
	return rc;
}

int
picture_open(struct picture **picture, struct picture_source source,
    uint64_t max_pixels, struct npu_err *err)
{
	struct picture *p = calloc(1, sizeof(*p));
	int rc;

	if (p == NULL)
		return npu_fail(err, NPU_ESYSTEM, "out of memory");
	p->info.orientation = 1;
	if ((rc = input_open(&p->in, source, err)) < 0 ||
	    (rc = find_decoder(p, err)) < 0)
		goto bad;
	if ((rc = p->decoder->open(p, max_pixels, err)) < 0) {
		fail(p, rc, err);
		goto bad;
	}
	*picture = p;
	return 0;
bad:
	picture_close(p);
	return rc;
}

const struct picture_info *
picture_info(const struct picture *p)
{
	return &p->info;
}

int
picture_shrink(struct picture *p, unsigned denominator, struct npu_err *err)
{
	int rc;

	if (denominator != 2 && denominator != 4 && denominator != 8)
		return npu_fail(err, NPU_EUSAGE, "a picture is shrunk to 1/2, "
		    "1/4 or 1/8, not 1/%u", denominator);
	if (p->in_planes)
		return npu_fail(err, NPU_EUSAGE, "planes are not shrunk");
	if (p->decoder->shrink == NULL)
		return 0;
	rc = p->decoder->shrink(p, denominator, err);
	return rc < 0 ? fail(p, rc, err) : 0;
}

/* Refuses rows of a picture in planes, bands of any other picture, and both
 * after a failure. */
static int
check(const struct picture *p, bool planes, struct npu_err *err)
{
	if (p->failed)
		return npu_fail(err, NPU_EUSAGE, "a picture that has failed "
		    "has no more rows");
	if (p->in_planes != planes)
		return npu_fail(err, NPU_EUSAGE, "this picture comes in %s",
		    p->in_planes ? "planes" : "rows");
	return 0;
}

int
picture_rows(struct picture *p, uint8_t *rows, unsigned most,
    struct npu_err *err)
{
	int rc;

	if ((rc = check(p, false, err)) < 0)
		return rc;
	if (most == 0)
		return npu_fail(err, NPU_EUSAGE, "no room for a row");
	rc = p->decoder->rows(p, rows, most, err);
	return rc < 0 ? fail(p, rc, err) : rc;
}

void
picture_as_stored(struct picture *p)
{
	p->as_stored = true;
	p->info.orientation = 1;
}

bool
picture_planes(struct picture *p)
{
	if (!p->in_planes && p->decoder->planes != NULL)
		p->in_planes = p->decoder->planes(p);
	return p->in_planes;
}

int
picture_band(struct picture *p, uint8_t *band, size_t stride,
    struct npu_err *err)
{
	int rc;

	if ((rc = check(p, true, err)) < 0)
		return rc;
	if (stride % PICTURE_STRIDE != 0 || stride < p->info.width)
		return npu_fail(err, NPU_EUSAGE, "rows of %zu bytes for a "
		    "picture of %" PRIu32 " pixels", stride, p->info.width);
	rc = p->decoder->band(p, band, stride, err);
	return rc < 0 ? fail(p, rc, err) : rc;
}

void
picture_close(struct picture *p)
{
	if (p == NULL)
		return;
	if (p->decoder != NULL && p->state != NULL)
		p->decoder->close(p);
	input_close(&p->in);
	free(p);
}

/* ---- Upright pictures -------------------------------------------------- */

/* Where a stored pixel belongs in the upright picture: pixel (x, y) has the
 * offset at + x * right + y * down, in bytes. */
struct upright {
	ptrdiff_t at, right, down;
};

static struct upright
upright(const struct picture_info *info)
{
	struct orient o = orient(info->orientation);
	ptrdiff_t pixel = 3, w = info->width, h = info->height;
	struct upright u = { .right = pixel, .down = w * pixel };

	if (o.swap)
		u = (struct upright){ .right = h * pixel, .down = pixel };
	if (o.flip_x) {
		u.at += (w - 1) * u.right;
		u.right = -u.right;
	}
	if (o.flip_y) {
		u.at += (h - 1) * u.down;
		u.down = -u.down;
	}
	return u;
}

static void
put_row(uint8_t *to, ptrdiff_t right, const uint8_t *row, uint32_t width)
{
	for (uint32_t x = 0; x < width; x++, to += right, row += 4) {
		to[0] = row[0];
		to[1] = row[1];
		to[2] = row[2];
	}
}

static int
read_rows(struct picture *p, uint8_t *rows, unsigned most, uint8_t *rgb,
    struct npu_err *err)
{
	struct upright u = upright(&p->info);
	size_t width = p->info.width;
	ptrdiff_t y = 0;
	int n;

	while ((n = picture_rows(p, rows, most, err)) > 0)
		for (int i = 0; i < n; i++, y++)
			put_row(rgb + u.at + y * u.down, u.right,
			    rows + (size_t)i * width * 4, p->info.width);
	return n;
}

static int
read_image(struct picture *p, struct image *image, struct npu_err *err)
{
	const struct picture_info *info = &p->info;
	size_t w = info->width, h = info->height;
	bool swap = orient(info->orientation).swap;
	unsigned most = h < 16 ? (unsigned)h : 16;
	uint8_t *rgb = malloc(w * h * 3), *rows = malloc(w * 4 * most);
	int rc;

	if (rgb == NULL || rows == NULL)
		rc = npu_fail(err, NPU_ESYSTEM, "out of memory");
	else
		rc = read_rows(p, rows, most, rgb, err);
	free(rows);
	if (rc < 0) {
		free(rgb);
		return rc;
	}
	image->width = swap ? info->height : info->width;
	image->height = swap ? info->width : info->height;
	image->rgb = rgb;
	return 0;
}

int
picture_read(struct picture_source source, uint64_t max_pixels,
    struct image *image, struct npu_err *err)
{
	struct picture *p;
	int rc;

	if ((rc = picture_open(&p, source, max_pixels, err)) < 0)
		return rc;
	rc = read_image(p, image, err);
	if (rc == 0 && p->info.left_over)
		rc = 1;
	picture_close(p);
	return rc;
}
