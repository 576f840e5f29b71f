// SPDX-License-Identifier: Apache-2.0
/*
 * photo - writes a JPEG as expensive to decode as a photograph: quality 90,
 * 4:2:0, about 3 bits a pixel.
 *
 * 	photo WIDTH HEIGHT [progressive] >photo.jpg
 *
 * The picture contains smooth noise of all sizes, like clouds and leaves,
 * shapes with sharp edges, and the grain of a sensor.  Every run draws the same
 * picture.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jpeglib.h>

enum { OCTAVES = 7, SHAPES = 60, GRAIN = 19 };

struct shape {
	int x, y, r;
	uint8_t colour[3];
};

static uint32_t
hash(uint32_t a, uint32_t b, uint32_t c)
{
	uint32_t h = a * 0x9e3779b1u ^ b * 0x85ebca77u ^ c * 0xc2b2ae3du;

	h ^= h >> 15;
	h *= 0x2c1b3c6du;
	h ^= h >> 12;
	h *= 0x297a2d39u;
	return h ^ h >> 15;
}

/* Returns noise from -128 to 127: random at every corner of a grid of 1 <<
 * shift pixels, and smoothly interpolated between the corners. */
static int
noise(int x, int y, int shift, uint32_t seed)
{
	uint32_t gx = (uint32_t)(x >> shift), gy = (uint32_t)(y >> shift);
	int size = 1 << shift, fx = x & (size - 1), fy = y & (size - 1);
	int a = (int)(hash(gx, gy, seed) & 255) - 128;
	int b = (int)(hash(gx + 1, gy, seed) & 255) - 128;
	int c = (int)(hash(gx, gy + 1, seed) & 255) - 128;
	int d = (int)(hash(gx + 1, gy + 1, seed) & 255) - 128;
	int top = a * (size - fx) + b * fx, low = c * (size - fx) + d * fx;

	return (top / size * (size - fy) + low / size * fy) / size;
}

static void
pixel(int x, int y, const struct shape *shapes, uint8_t *to)
{
	int light = 128, v, dx, dy;
	const uint8_t *colour = NULL;

	for (int i = 0; i < OCTAVES; i++)
		light += noise(x, y, i + 2, (uint32_t)i) * (i + 2) / 14;
	for (int i = 0; i < SHAPES; i++) {
		dx = x - shapes[i].x;
		dy = y - shapes[i].y;
		if (i % 2 == 0 ? dx * dx + dy * dy < shapes[i].r * shapes[i].r :
		    abs(dx) < shapes[i].r && abs(dy) < shapes[i].r / 2)
			colour = shapes[i].colour;
	}
	light += (int)(hash((uint32_t)x, (uint32_t)y, 90) % (2 * GRAIN + 1)) -
	    GRAIN;
	for (int c = 0; c < 3; c++) {
		v = light + noise(x, y, 7, (uint32_t)(50 + c)) / 3;
		if (colour != NULL)
			v = (v + colour[c]) / 2;
		to[c] = (uint8_t)(v < 0 ? 0 : v > 255 ? 255 : v);
	}
}

static void
compress(int width, int height, bool progressive, const struct shape *shapes)
{
	struct jpeg_compress_struct z;
	struct jpeg_error_mgr errors;
	uint8_t *row = malloc((size_t)width * 3);
	JSAMPROW rows[1] = { row };

	if (row == NULL)
		exit(1);
	z.err = jpeg_std_error(&errors);
	jpeg_create_compress(&z);
	jpeg_stdio_dest(&z, stdout);
	z.image_width = (JDIMENSION)width;
	z.image_height = (JDIMENSION)height;
	z.input_components = 3;
	z.in_color_space = JCS_RGB;
	jpeg_set_defaults(&z);
	jpeg_set_quality(&z, 90, TRUE);
	if (progressive)
		jpeg_simple_progression(&z);
	jpeg_start_compress(&z, TRUE);
	for (int y = 0; y < height; y++) {
		for (int x = 0; x < width; x++)
			pixel(x, y, shapes, row + 3 * x);
		jpeg_write_scanlines(&z, rows, 1);
	}
	jpeg_finish_compress(&z);
	jpeg_destroy_compress(&z);
	free(row);
}

int
main(int argc, char *argv[])
{
	struct shape shapes[SHAPES];
	int width, height;

	if (argc < 3)
		return 2;
	width = atoi(argv[1]);
	height = atoi(argv[2]);
	if (width < 1 || height < 1 || width > 65500 || height > 65500)
		return 2;
	for (uint32_t i = 0; i < SHAPES; i++) {
		shapes[i].x = (int)(hash(i, 1, 7) % (uint32_t)width);
		shapes[i].y = (int)(hash(i, 2, 7) % (uint32_t)height);
		shapes[i].r = (int)(hash(i, 3, 7) % (uint32_t)(width / 8 + 2));
		for (uint32_t c = 0; c < 3; c++)
			shapes[i].colour[c] = (uint8_t)hash(i, 4 + c, 7);
	}
	compress(width, height, argc > 3 &&
	    strcmp(argv[3], "progressive") == 0, shapes);
	return fflush(stdout) == 0 ? 0 : 1;
}
