// SPDX-License-Identifier: Apache-2.0
/*
 * JPEG, decoded by libjpeg-turbo with its accurate inverse transform and its
 * smooth upsampling.  Pillow uses the same, so pixels are identical to the bit.
 *
 * libjpeg repairs damage as well as it can and reports it as a warning.  A
 * viewer may accept that, but a detector must not get half an image, so here
 * all warnings except a few are errors.
 */
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

#include <jpeglib.h>
#include <jerror.h>

#include "image/decoder.h"
#include "image/exif.h"
#include "image/jpeg_text.h"
#include "image/modes.h"

/*
 * Each scan of a progressive JPEG covers the whole picture, but may take only a
 * few bytes in the file.  Therefore the number of scans times pixels is
 * limited: to 500 scans, as in libjpeg-turbo's own fuzzers (TJFLAG_LIMITSCANS),
 * and to 50 from 100 million pixels on.  Encoders write about 10.
 */
enum { MAX_SCANS = 500, MIN_MAX_SCANS = 50 };

#define SCANNED_PIXELS 5000000000

/* Maximum of bytes after a scan's data, except the few in libjpeg's bit
 * buffer. */
enum { MAX_PADDING = 64 };

struct jpeg {
	struct jpeg_decompress_struct z;
	struct jpeg_error_mgr errors;
	struct jpeg_source_mgr source;
	struct jpeg_progress_mgr progress;
	jmp_buf out;

	struct picture *picture;
	uint64_t max_pixels;
	uint8_t *rows;		/* of the current call */
	unsigned most;
	size_t stride;
	struct npu_err *err;
	int rc;
	bool started, ended;
	bool bad_code;		/* libjpeg has reported a bad code */
	int max_scans;
	unsigned seen;		/* bit i: component i was in a scan */
	uint8_t *exif;		/* owned; the first APP1 that is EXIF */
	size_t exif_size;
};

/* ---- Errors ------------------------------------------------------------ */

/* Leaves libjpeg with NPU_EFORMAT.  The message consists of what and the
 * position. */
_Noreturn static void
leave(struct jpeg *j, const char *what)
{
	struct jpeg_decompress_struct *z = &j->z;
	unsigned row;
	char scan[20] = "";

	j->rc = NPU_EFORMAT;
	if (!j->started) {
		npu_fail(j->err, NPU_EFORMAT, "%s", what);
		longjmp(j->out, 1);
	}
	row = z->input_iMCU_row * (unsigned)z->max_v_samp_factor * DCTSIZE;
	if (row >= z->image_height)
		row = z->image_height - 1;
	if (jpeg_has_multiple_scans(z))
		snprintf(scan, sizeof(scan), "scan %d, ",
		    z->input_scan_number);
	npu_fail(j->err, NPU_EFORMAT, "%srow %u of %u: %s", scan, row + 1,
	    z->image_height, what);
	longjmp(j->out, 1);
}

_Noreturn static void
on_error(j_common_ptr z)
{
	struct jpeg *j = z->client_data;
	char what[JMSG_LENGTH_MAX];

	if (j->errors.msg_code == JERR_OUT_OF_MEMORY) {
		j->rc = npu_fail(j->err, NPU_ESYSTEM, "out of memory");
		longjmp(j->out, 1);
	}
	jpeg_text(&j->z, what, sizeof(what));
	leave(j, what);
}

/*
 * Returns whether data after a scan is harmless.  Cameras pad each scan, and
 * the data before each restart, by at most a cache line.  Data that scanners
 * write after the last row does not belong to the picture.  In a damaged
 * picture it may, but then libjpeg has reported a bad code.
 */
static bool
is_padding(struct jpeg *j)
{
	if (!j->started || j->errors.msg_parm.i[0] <= MAX_PADDING)
		return true;
	j->picture->info.left_over = j->errors.msg_parm.i[1] == JPEG_EOI &&
	    !j->bad_code;
	return j->picture->info.left_over;
}

/*
 * Returns whether the picture is complete despite the warning.  libjpeg-turbo
 * reports a bad Huffman code only in the last bytes of a buffer, unless the
 * picture is progressive.  It always reports the consequences of a bad code:
 * missing data or data left over.
 */
static bool
is_harmless(struct jpeg *j)
{
	switch (j->errors.msg_code) {
	case JWRN_ADOBE_XFORM:
	case JWRN_BOGUS_ICC:
	case JWRN_BOGUS_PROGRESSION:
	case JWRN_JFIF_MAJOR:
	case JWRN_NOT_SEQUENTIAL:
		return true;
	case JWRN_EXTRANEOUS_DATA:
		return is_padding(j);
	case JWRN_HUFF_BAD_CODE:
		j->bad_code = true;
		return !j->z.progressive_mode;
	}
	return false;
}

static void
on_message(j_common_ptr z, int level)
{
	if (level < 0 && !is_harmless(z->client_data))
		on_error(z);
}

/* Called before each part of a scan. */
static void
on_progress(j_common_ptr z)
{
	struct jpeg *j = z->client_data;
	char what[60];

	for (int i = 0; i < j->z.comps_in_scan; i++)
		j->seen |= 1u << j->z.cur_comp_info[i]->component_index;
	if (j->z.input_scan_number <= j->max_scans)
		return;
	snprintf(what, sizeof(what), "more than %d scans", j->max_scans);
	leave(j, what);
}

/* Calls step(), from which libjpeg may return at any point. */
static int
guard(struct jpeg *j, int (*step)(struct jpeg *), struct npu_err *err)
{
	j->err = err;
	if (setjmp(j->out) != 0)
		return j->rc;
	return step(j);
}

/* ---- Input ------------------------------------------------------------- */

static void
no_action(j_decompress_ptr z)
{
	(void)z;
}

static boolean
fill(j_decompress_ptr z)
{
	struct jpeg *j = z->client_data;
	struct input *in = &j->picture->in;
	int rc = input_fill(in, 1, j->err);

	if (rc < 0) {
		j->rc = rc;
		longjmp(j->out, 1);
	}
	if (in->at == in->n)
		leave(j, "cut off: the file ends here");
	z->src->next_input_byte = in->p + in->at;
	z->src->bytes_in_buffer = in->n - in->at;
	in->at = in->n;
	return TRUE;
}

static void
skip(j_decompress_ptr z, long n)
{
	while (n > 0 && (size_t)n > z->src->bytes_in_buffer) {
		n -= (long)z->src->bytes_in_buffer;
		fill(z);
	}
	if (n > 0) {
		z->src->next_input_byte += n;
		z->src->bytes_in_buffer -= (size_t)n;
	}
}

static void
read_bytes(j_decompress_ptr z, uint8_t *p, size_t n)
{
	size_t k;

	for (; n > 0; n -= k, p += k) {
		if (z->src->bytes_in_buffer == 0)
			fill(z);
		k = z->src->bytes_in_buffer;
		if (k > n)
			k = n;
		/* fill() has set next_input_byte. */
		/* NOLINTNEXTLINE(clang-analyzer-core.NonNullParamChecker) */
		memcpy(p, z->src->next_input_byte, k);
		z->src->next_input_byte += k;
		z->src->bytes_in_buffer -= k;
	}
}

/* Keeps the first APP1 segment that is EXIF.  There can be many others
 * (XMP). */
static boolean
read_app1(j_decompress_ptr z)
{
	struct jpeg *j = z->client_data;
	uint8_t head[2], name[6];
	size_t n;

	read_bytes(z, head, sizeof(head));
	n = (size_t)(head[0] << 8 | head[1]);
	n = n < 2 ? 0 : n - 2;		/* as in other APPn */
	if (j->started || j->exif != NULL || n < sizeof(name)) {
		skip(z, (long)n);
		return TRUE;
	}
	read_bytes(z, name, sizeof(name));
	n -= sizeof(name);
	if (memcmp(name, "Exif\0", 5) != 0) {
		skip(z, (long)n);
		return TRUE;
	}
	if ((j->exif = malloc(n + 1)) == NULL)
		ERREXIT1(z, JERR_OUT_OF_MEMORY, 0);
	read_bytes(z, j->exif, n);
	j->exif_size = name[5] == '\0' ? n : 0;
	return TRUE;
}

/* ---- Decoding ---------------------------------------------------------- */

static int
check_colours(struct jpeg *j)
{
	switch (j->z.jpeg_color_space) {
	case JCS_GRAYSCALE:
	case JCS_RGB:
	case JCS_YCbCr:
		j->z.out_color_space = JCS_EXT_RGBX;
		return 0;
	case JCS_CMYK:
	case JCS_YCCK:
		j->z.out_color_space = JCS_CMYK;
		j->picture->info.mode = PICTURE_CMYK;
		return 0;
	default:
		return npu_fail(j->err, NPU_EFORMAT, "%d colour components are "
		    "not supported, only 1, 3 and 4", j->z.num_components);
	}
}

static int
read_header(struct jpeg *j)
{
	uint64_t scans;
	int rc;

	jpeg_create_decompress(&j->z);
	j->z.src = &j->source;
	j->z.progress = &j->progress;
	jpeg_set_marker_processor(&j->z, JPEG_APP0 + 1, read_app1);
	jpeg_read_header(&j->z, TRUE);
	rc = decoder_set_size(j->picture, j->z.image_width, j->z.image_height,
	    j->max_pixels, j->err);
	if (rc < 0)
		return rc;
	scans = SCANNED_PIXELS / ((uint64_t)j->z.image_width *
	    j->z.image_height);
	j->max_scans = scans > MAX_SCANS ? MAX_SCANS :
	    scans < MIN_MAX_SCANS ? MIN_MAX_SCANS : (int)scans;
	return check_colours(j);
}

static bool
knows_jpeg(struct bytes head)
{
	return bytes_start(head, "\xff\xd8\xff");
}

static int
open_jpeg(struct picture *p, uint64_t max_pixels, struct npu_err *err)
{
	struct jpeg *j = calloc(1, sizeof(*j));
	uint8_t o;
	int rc;

	if (j == NULL)
		return npu_fail(err, NPU_ESYSTEM, "out of memory");
	p->state = j;
	j->picture = p;
	j->max_pixels = max_pixels;
	j->z.err = jpeg_std_error(&j->errors);
	j->errors.error_exit = on_error;
	j->errors.emit_message = on_message;
	j->progress.progress_monitor = on_progress;
	j->z.client_data = j;
	j->source = (struct jpeg_source_mgr){ .init_source = no_action,
	    .fill_input_buffer = fill, .skip_input_data = skip,
	    .resync_to_restart = jpeg_resync_to_restart,
	    .term_source = no_action };
	if ((rc = guard(j, read_header, err)) < 0)
		return rc;
	if (j->exif != NULL) {
		o = exif_orientation((struct bytes){ j->exif, j->exif_size });
		p->info.orientation = o == 0 ? 1 : o;
	}
	return 0;
}

static int
set_scale(struct jpeg *j)
{
	jpeg_calc_output_dimensions(&j->z);
	j->picture->info.width = j->z.output_width;
	j->picture->info.height = j->z.output_height;
	return 0;
}

static int
shrink_jpeg(struct picture *p, unsigned denominator, struct npu_err *err)
{
	struct jpeg *j = p->state;

	if (j->started)
		return npu_fail(err, NPU_EUSAGE, "shrunk after its first row");
	j->z.scale_num = 1;
	j->z.scale_denom = denominator;
	return guard(j, set_scale, err);
}

/* Starts decoding.  Reads all scans if the picture has more than one. */
static void
start(struct jpeg *j)
{
	char what[60];

	j->started = true;
	jpeg_start_decompress(&j->z);
	if (!jpeg_has_multiple_scans(&j->z))
		return;
	for (int i = 0; i < j->z.num_components; i++) {
		if (j->seen >> i & 1)
			continue;
		snprintf(what, sizeof(what), "no data of component %d", i);
		leave(j, what);
	}
}

/* Checks the data after the last row. */
static int
finish(struct jpeg *j)
{
	jpeg_finish_decompress(&j->z);
	j->ended = true;
	return 0;
}

static int
read_some(struct jpeg *j)
{
	JSAMPROW at[16];
	size_t stride = (size_t)j->picture->info.width * 4;
	unsigned n = 0, k;

	if (!j->started)
		start(j);
	while (n < j->most && j->z.output_scanline < j->z.output_height) {
		for (k = 0; k < 16 && n + k < j->most; k++)
			at[k] = j->rows + (n + k) * stride;
		n += jpeg_read_scanlines(&j->z, at, k);
	}
	return n > 0 ? (int)n : finish(j);
}

/* Converts pixels of four colours.  They are inverted: Adobe stores them so,
 * and Pillow expects it in all files. */
static void
convert_four(const struct picture *p, uint8_t *rows, size_t pixels)
{
	if (p->as_stored)
		modes_invert(rows, pixels);
	else
		modes_cmyk_to_rgb(rows, pixels);
}

static int
rows_jpeg(struct picture *p, uint8_t *to, unsigned most, struct npu_err *err)
{
	struct jpeg *j = p->state;
	int n;

	j->rows = to;
	j->most = most;
	if (j->ended)
		return 0;
	n = guard(j, read_some, err);
	if (n > 0 && j->z.out_color_space == JCS_CMYK)
		convert_four(p, to, (size_t)n * p->info.width);
	return n;
}

/* ---- Planes ------------------------------------------------------------ */

static bool
planes_jpeg(struct picture *p)
{
	struct jpeg *j = p->state;
	const jpeg_component_info *c = j->z.comp_info;

	if (j->started || j->z.scale_num != j->z.scale_denom ||
	    j->z.jpeg_color_space != JCS_YCbCr || j->z.num_components != 3)
		return false;
	for (int i = 0; i < 3; i++)
		if (c[i].h_samp_factor != (i == 0 ? 2 : 1) ||
		    c[i].v_samp_factor != (i == 0 ? 2 : 1))
			return false;
	j->z.raw_data_out = TRUE;
	return true;
}

static int
read_band(struct jpeg *j)
{
	enum { HALF = PICTURE_BAND / 2 };
	JSAMPROW y[PICTURE_BAND], cb[HALF], cr[HALF];
	JSAMPARRAY planes[] = { y, cb, cr };
	unsigned left;

	if (!j->started)
		start(j);
	/* output_scanline counts whole bands. */
	if (j->z.output_scanline >= j->z.output_height)
		return finish(j);
	left = j->z.output_height - j->z.output_scanline;
	for (size_t i = 0; i < PICTURE_BAND; i++)
		y[i] = j->rows + i * j->stride;
	for (size_t i = 0; i < HALF; i++) {
		cb[i] = j->rows + (PICTURE_BAND + i) * j->stride;
		cr[i] = cb[i] + j->stride / 2;
	}
	jpeg_read_raw_data(&j->z, planes, PICTURE_BAND);
	return left < PICTURE_BAND ? (int)left : PICTURE_BAND;
}

static int
band_jpeg(struct picture *p, uint8_t *to, size_t stride, struct npu_err *err)
{
	struct jpeg *j = p->state;

	j->rows = to;
	j->stride = stride;
	return j->ended ? 0 : guard(j, read_band, err);
}

static void
close_jpeg(struct picture *p)
{
	struct jpeg *j = p->state;

	jpeg_destroy_decompress(&j->z);
	free(j->exif);
	free(j);
}

const struct decoder jpeg_decoder = {
	"JPEG", PICTURE_JPEG, knows_jpeg, open_jpeg, shrink_jpeg, rows_jpeg,
	planes_jpeg, band_jpeg, close_jpeg,
};
