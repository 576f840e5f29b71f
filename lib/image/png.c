// SPDX-License-Identifier: Apache-2.0
/*
 * PNG, decoded by libpng.  Chunks that do not affect the colours are skipped:
 * text is not inflated, profiles are not read, and gamma is not applied.
 */
#include <ctype.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

#include <png.h>

#include "image/decoder.h"
#include "image/pngorient.h"

enum { SIGNATURE = 8 };

struct png {
	png_structp z;
	png_infop info;
	jmp_buf out;

	struct picture *picture;
	uint64_t max_pixels;
	uint8_t *to;		/* of the current call */
	unsigned most;
	struct npu_err *err;
	int rc;
	bool begun, ended;	/* reading the pixels */
	struct png_orient orient;
	uint32_t row;		/* the next row */
	unsigned channels, depth;	/* of libpng's rows */
	size_t stride;		/* bytes in such a row */
	uint8_t *raw;		/* owned: one such row, or all rows if
				 * interlaced; one byte longer, for widen() */
	bool interlaced;
	uint8_t colour[256][4];	/* by gray value or index */
};

/* ---- Errors and input -------------------------------------------------- */

/* Converts a message to lower case, as in our messages, except the name of a
 * chunk before it. */
static void
describe(const char *what, char *s, size_t n)
{
	char *first;

	snprintf(s, n, "%s", what);
	first = strlen(s) > 6 && s[4] == ':' ? s + 6 : s;
	if (first[0] != '\0' && islower(first[1]))
		first[0] = (char)tolower(first[0]);
}

_Noreturn static void
leave(struct png *g, const char *what)
{
	char s[120];

	describe(what, s, sizeof(s));
	if (!g->begun || g->row == g->picture->info.height)
		g->rc = npu_fail(g->err, NPU_EFORMAT, "%s", s);
	else
		g->rc = npu_fail(g->err, NPU_EFORMAT, "row %u of %u: %s",
		    g->row + 1, g->picture->info.height, s);
	longjmp(g->out, 1);
}

_Noreturn static void
on_error(png_structp z, png_const_charp what)
{
	leave(png_get_error_ptr(z), what);
}

/*
 * Handles warnings.  Two kinds of libpng's warnings mean damage: an index
 * outside the palette, and a wrong checksum of pixels.
 */
static void
on_warning(png_structp z, png_const_charp what)
{
	struct png *g = png_get_error_ptr(z);

	if (strncmp(what, "IDAT: ", 6) != 0)
		return;
	if (strstr(what, "palette index") != NULL)
		leave(g, "a pixel is not in the palette");
	if (strcmp(what + 6, "Extra compressed data") != 0 &&
	    strcmp(what + 6, "Too much image data") != 0)
		leave(g, what);
}

static void
read_data(png_structp z, png_bytep p, size_t n)
{
	struct png *g = png_get_io_ptr(z);
	int64_t got = input_read(&g->picture->in, p, n, g->err);

	if (got < 0) {
		g->rc = (int)got;
		longjmp(g->out, 1);
	}
	if ((size_t)got < n)
		leave(g, "cut off: the file ends here");
	if (!g->begun)
		png_orient_feed(&g->orient, (struct bytes){ p, n });
}

/* Calls step(), from which libpng may return at any point. */
static int
guard(struct png *g, int (*step)(struct png *), struct npu_err *err)
{
	g->err = err;
	if (setjmp(g->out) != 0)
		return g->rc;
	return step(g);
}

/* ---- Header ------------------------------------------------------------ */

/* Skips chunks that do not affect the colours; libpng only checks them. */
static void
skip_ancillary(png_structp z)
{
	static const png_byte trns[] = "tRNS";

	png_set_keep_unknown_chunks(z, PNG_HANDLE_CHUNK_NEVER, NULL, -1);
	png_set_keep_unknown_chunks(z, PNG_HANDLE_CHUNK_NEVER, trns, 1);
	png_set_crc_action(z, PNG_CRC_ERROR_QUIT, PNG_CRC_ERROR_QUIT);
	png_set_chunk_malloc_max(z, 0);
}

/* Converts gray values and palette entries to pixels. */
static void
make_colours(struct png *g)
{
	png_colorp palette;
	int n = 0, most = (1 << g->depth) - 1;

	for (int i = 0; i <= most; i++)
		memset(g->colour[i], i * 255 / most, 4);
	if (png_get_color_type(g->z, g->info) != PNG_COLOR_TYPE_PALETTE)
		return;
	memset(g->colour, 0, sizeof(g->colour));
	if (png_get_PLTE(g->z, g->info, &palette, &n) == 0)
		return;
	for (int i = 0; i < n; i++)
		memcpy(g->colour[i], &palette[i], 3);
}

/* Returns the picture's mode.  Pillow reads palettes and gray of one bit as
 * numbers, and gray of 16 bits as integers; with alpha it uses the upper 8 of
 * 16 bits. */
static enum picture_mode
mode_of(const struct png *g)
{
	int depth = png_get_bit_depth(g->z, g->info);

	switch (png_get_color_type(g->z, g->info)) {
	case PNG_COLOR_TYPE_PALETTE:
		return PICTURE_TABLE;
	case PNG_COLOR_TYPE_GRAY:
		return depth == 1 ? PICTURE_TABLE : depth == 16 ?
		    PICTURE_WIDE : PICTURE_PLAIN;
	case PNG_COLOR_TYPE_RGB:
		return PICTURE_PLAIN;
	default:
		return PICTURE_ALPHA;
	}
}

static int
read_header(struct png *g)
{
	int rc;

	g->z = png_create_read_struct(PNG_LIBPNG_VER_STRING, g, on_error,
	    on_warning);
	if (g->z == NULL || (g->info = png_create_info_struct(g->z)) == NULL)
		return npu_fail(g->err, NPU_ESYSTEM, "out of memory");
	png_set_read_fn(g->z, g, read_data);
	g->picture->in.at = SIGNATURE;
	png_set_sig_bytes(g->z, SIGNATURE);
	/* decoder_set_size() refuses large pictures with a better message, and
	 * before rows are allocated. */
	png_set_user_limits(g->z, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
	skip_ancillary(g->z);
	png_read_info(g->z, g->info);
	rc = decoder_set_size(g->picture, png_get_image_width(g->z, g->info),
	    png_get_image_height(g->z, g->info), g->max_pixels, g->err);
	if (rc < 0)
		return rc;
	g->picture->info.orientation = png_orient_get(&g->orient);
	if (g->orient.failed)
		return npu_fail(g->err, NPU_ESYSTEM, "out of memory");
	g->picture->info.mode = mode_of(g);
	png_set_strip_16(g->z);
	g->interlaced = png_set_interlace_handling(g->z) > 1;
	png_read_update_info(g->z, g->info);
	g->begun = true;
	g->channels = png_get_channels(g->z, g->info);
	g->depth = png_get_bit_depth(g->z, g->info);
	g->stride = png_get_rowbytes(g->z, g->info);
	make_colours(g);
	return 0;
}

static bool
knows_png(struct bytes head)
{
	return head.n >= SIGNATURE && png_sig_cmp(head.p, 0, SIGNATURE) == 0;
}

static int
open_png(struct picture *p, uint64_t max_pixels, struct npu_err *err)
{
	struct png *g = calloc(1, sizeof(*g));

	if (g == NULL)
		return npu_fail(err, NPU_ESYSTEM, "out of memory");
	p->state = g;
	g->picture = p;
	g->max_pixels = max_pixels;
	return guard(g, read_header, err);
}

/* ---- Rows -------------------------------------------------------------- */

/* Expands a channel of 1 to 8 bits; the first pixel is in the upper bits. */
static void
spread_packed(const struct png *g, const uint8_t *in, uint8_t *out)
{
	unsigned depth = g->depth, mask = (1u << depth) - 1, shift = 8;

	for (uint32_t x = 0; x < g->picture->info.width; x++, out += 4) {
		shift -= depth;
		memcpy(out, g->colour[*in >> shift & mask], 4);
		if (shift == 0) {
			shift = 8;
			in++;
		}
	}
}

static void
spread(const struct png *g, const uint8_t *in, uint8_t *out)
{
	uint32_t width = g->picture->info.width;

	switch (g->channels) {
	case 1:
		spread_packed(g, in, out);
		break;
	case 2:
		for (uint32_t x = 0; x < width; x++, in += 2, out += 4) {
			memcpy(out, g->colour[in[0]], 3);
			out[3] = in[1];
		}
		break;
	case 3:
		widen(out, in, width);
		break;
	default:
		memcpy(out, in, (size_t)width * 4);
	}
}

/* Reads the seven passes of Adam7.  Pixels of later passes are 0 until they are
 * read. */
static void
read_whole(struct png *g)
{
	uint32_t height = g->picture->info.height;

	for (int pass = 0; pass < PNG_INTERLACE_ADAM7_PASSES; pass++)
		for (g->row = 0; g->row < height; g->row++)
			png_read_row(g->z, g->raw + g->row * g->stride, NULL);
	g->row = 0;
}

static int
read_some(struct png *g)
{
	uint32_t height = g->picture->info.height;
	size_t n_raw = g->interlaced ? height : 1;
	uint8_t *to = g->to;
	unsigned n;

	if (g->raw == NULL) {
		if ((g->raw = calloc(1, n_raw * g->stride + 1)) == NULL)
			return npu_fail(g->err, NPU_ESYSTEM, "out of memory");
		if (g->interlaced)
			read_whole(g);
	}
	for (n = 0; n < g->most && g->row < height; n++, g->row++) {
		if (!g->interlaced)
			png_read_row(g->z, g->channels == 4 ? to : g->raw,
			    NULL);
		if (g->interlaced || g->channels != 4)
			spread(g, g->interlaced ?
			    g->raw + g->row * g->stride : g->raw, to);
		to += (size_t)g->picture->info.width * 4;
	}
	if (n == 0 && g->most > 0 && !g->ended) {
		png_read_end(g->z, NULL);
		g->ended = true;
	}
	return (int)n;
}

static int
rows_png(struct picture *p, uint8_t *to, unsigned most, struct npu_err *err)
{
	struct png *g = p->state;

	g->to = to;
	g->most = most;
	return g->ended ? 0 : guard(g, read_some, err);
}

static void
close_png(struct picture *p)
{
	struct png *g = p->state;

	png_destroy_read_struct(&g->z, &g->info, NULL);
	png_orient_free(&g->orient);
	free(g->raw);
	free(g);
}

const struct decoder png_decoder = {
	"PNG", PICTURE_PNG, knows_png, open_png, NULL, rows_png, NULL,
	NULL, close_png,
};
