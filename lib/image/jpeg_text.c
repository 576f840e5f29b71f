// SPDX-License-Identifier: Apache-2.0
#include <ctype.h>
#include <stdio.h>

#include "image/jpeg_text.h"

#include <jpeglib.h>
#include <jerror.h>

/* Returns a clearer message than libjpeg's, or NULL. */
static const char *
known(int code)
{
	switch (code) {
	case JWRN_HUFF_BAD_CODE:
		return "bad Huffman code";
	case JWRN_ARITH_BAD_CODE:
		return "bad arithmetic code";
	case JWRN_HIT_MARKER:
		return "data is missing";
	case JWRN_EXTRANEOUS_DATA:
		return "data is left over";
	case JWRN_MUST_RESYNC:
		return "a restart marker is missing";
	case JERR_NO_IMAGE:
		return "no picture in it";
	}
	return NULL;
}

/* Returns the process that a frame's marker stands for (T.81, table B.1). */
static const char *
process(int marker)
{
	switch (marker) {
	case 0xc3: case 0xcb:
		return "lossless";
	case 0xc5: case 0xc6: case 0xc7: case 0xcd: case 0xce: case 0xcf:
		return "hierarchical";
	}
	return "unknown";
}

void
jpeg_text(struct jpeg_decompress_struct *z, char *s, size_t n)
{
	char own[JMSG_LENGTH_MAX];
	const char *better = known(z->err->msg_code);
	unsigned w = z->image_width, h = z->image_height;
	int what = z->err->msg_parm.i[0];

	switch (z->err->msg_code) {
	case JERR_SOF_UNSUPPORTED:
		snprintf(s, n, "%s coding (SOF%d) is not supported",
		    process(what), what - 0xc0);
		return;
	case JERR_BAD_PRECISION:
		snprintf(s, n, "%d bits a sample are not supported, only 8",
		    what);
		return;
	case JERR_EMPTY_IMAGE:
		snprintf(s, n, "%u x %u pixels: nothing to see%s", w, h,
		    h == 0 ? " (a height in DNL is not supported)" : "");
		return;
	case JERR_IMAGE_TOO_BIG:
		snprintf(s, n, "%u x %u pixels: a side is longer than %d", w,
		    h, what);
		return;
	}
	z->err->format_message((j_common_ptr)z, own);
	own[0] = (char)tolower(own[0]);
	snprintf(s, n, "%s", better != NULL ? better : own);
}
