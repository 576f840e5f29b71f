// SPDX-License-Identifier: Apache-2.0
/* jpeg_write.c - writes pictures as JPEG, with libjpeg-turbo. */
#include <setjmp.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <jpeglib.h>

#include "base/err.h"
#include "image/writers.h"

enum { BLOCK = 65536 };
_Static_assert(JPEG_MAX_SIDE == JPEG_MAX_DIMENSION, "jmorecfg.h");

struct jpeg_writer {
	struct jpeg_compress_struct c;
	struct jpeg_error_mgr errors;
	struct jpeg_destination_mgr to;
	jmp_buf out;
	struct sink sink;
	struct npu_err *err;
	int rc;			/* negative after *err is written */
	uint8_t block[BLOCK];
};

static struct jpeg_writer *
writer(j_common_ptr c)
{
	return c->client_data;
}

/* Replaces libjpeg's own handler, which prints and exits. */
static _Noreturn void
failed(j_common_ptr c)
{
	struct jpeg_writer *w = writer(c);
	char message[JMSG_LENGTH_MAX];

	c->err->format_message(c, message);
	w->rc = npu_fail(w->err, NPU_ESYSTEM, "JPEG: %s", message);
	longjmp(w->out, 1);
}

static void
ignore_message(j_common_ptr c)
{
	(void)c;
}

static void
put(struct jpeg_writer *w, size_t n)
{
	if (n > 0)
		w->rc = w->sink.write(w->sink.arg, w->block, n, w->err);
	if (w->rc < 0)
		longjmp(w->out, 1);
	w->to.next_output_byte = w->block;
	w->to.free_in_buffer = BLOCK;
}

static void
begin(j_compress_ptr c)
{
	put(writer((j_common_ptr)c), 0);
}

/* Writes the block, which is full, no matter what free_in_buffer says
 * (libjpeg.txt). */
static boolean
full(j_compress_ptr c)
{
	put(writer((j_common_ptr)c), BLOCK);
	return TRUE;
}

static void
end(j_compress_ptr c)
{
	struct jpeg_writer *w = writer((j_common_ptr)c);

	put(w, BLOCK - w->to.free_in_buffer);
}

/* Writes the picture.  A separate function, because variables that change after
 * setjmp() must not be in the function that calls it. */
static void
write_all(struct jpeg_writer *w, const struct image *image, unsigned quality)
{
	JSAMPROW row;

	if (setjmp(w->out) != 0)
		return;
	w->c.client_data = w;	/* libjpeg keeps it */
	jpeg_create_compress(&w->c);
	w->c.dest = &w->to;
	w->c.image_width = image->width;
	w->c.image_height = image->height;
	w->c.input_components = 3;
	w->c.in_color_space = JCS_RGB;
	jpeg_set_defaults(&w->c);
	jpeg_set_quality(&w->c, (int)quality, TRUE);
	w->c.comp_info[0].h_samp_factor = 1;	/* 4:4:4 */
	w->c.comp_info[0].v_samp_factor = 1;
	jpeg_start_compress(&w->c, TRUE);
	while (w->c.next_scanline < image->height) {
		row = image->rgb +
		    (size_t)w->c.next_scanline * image->width * 3;
		jpeg_write_scanlines(&w->c, &row, 1);
	}
	jpeg_finish_compress(&w->c);
}

int
jpeg_write(const struct image *image, unsigned quality, struct sink sink,
    struct npu_err *err)
{
	struct jpeg_writer *w;
	int rc;

	if ((w = calloc(1, sizeof(*w))) == NULL)
		return npu_fail(err, NPU_ESYSTEM, "out of memory");
	w->sink = sink;
	w->err = err;
	w->c.err = jpeg_std_error(&w->errors);
	w->errors.error_exit = failed;
	w->errors.output_message = ignore_message;
	w->to.init_destination = begin;
	w->to.empty_output_buffer = full;
	w->to.term_destination = end;
	write_all(w, image, quality);
	jpeg_destroy_compress(&w->c);
	rc = w->rc;
	free(w);
	return rc;
}
