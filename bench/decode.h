/* SPDX-License-Identifier: Apache-2.0 */
/* Decodes a JPEG, the minimum that any program for pictures must do. */
#ifndef BENCH_DECODE_H
#define BENCH_DECODE_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <jpeglib.h>

/* Decodes row by row, as a program that needs little memory does. */
static inline void
decode_alone(const uint8_t *p, size_t n)
{
	struct jpeg_decompress_struct z;
	struct jpeg_error_mgr errors;
	JSAMPROW rows[8];
	uint8_t *pixels;

	z.err = jpeg_std_error(&errors);
	jpeg_create_decompress(&z);
	jpeg_mem_src(&z, p, n);
	jpeg_read_header(&z, TRUE);
	z.out_color_space = JCS_EXT_RGBX;
	jpeg_start_decompress(&z);
	if ((pixels = malloc((size_t)z.output_width * 4 * 8)) == NULL)
		exit(1);
	for (int i = 0; i < 8; i++)
		rows[i] = pixels + (size_t)z.output_width * 4 * (size_t)i;
	while (z.output_scanline < z.output_height)
		jpeg_read_scanlines(&z, rows, 8);
	jpeg_finish_decompress(&z);
	jpeg_destroy_decompress(&z);
	free(pixels);
}

/* Returns the contents of a file, to be freed.  Exits if it cannot be read. */
static inline uint8_t *
decode_read(const char *path, size_t *n)
{
	FILE *f = fopen(path, "rb");
	size_t most = 64 << 20;
	uint8_t *p = malloc(most);

	if (f == NULL || p == NULL || (*n = fread(p, 1, most, f)) == 0) {
		fprintf(stderr, "%s cannot be read\n", path);
		exit(1);
	}
	fclose(f);
	return p;
}

#endif
