// SPDX-License-Identifier: Apache-2.0
#include <string.h>

#include "base/cpu.h"
#include "base/err.h"
#include "vision/convert_kernels.h"

/* ---- Look up ----------------------------------------------------------- */

#define LOOK_UP(type) \
	for (size_t i = 0; i < n; i++, out += step) \
		memcpy(out, table + pixels[4 * i] * sizeof(type), \
		    sizeof(type)); \
	break

static void
look_up(const uint8_t *table, size_t size, const uint8_t *pixels, size_t n,
    uint8_t *out, size_t step)
{
	switch (size) {
	case 1: LOOK_UP(uint8_t);
	case 2: LOOK_UP(uint16_t);
	default: LOOK_UP(uint32_t);
	}
}

static void
look_all_up(const struct convert *c, const uint8_t *pixels, size_t n,
    uint8_t *out)
{
	for (int i = 0; i < 3; i++)
		look_up(c->table[i], c->size, pixels + c->channel[i], n,
		    out + i * c->plane, c->step);
}

/* ---- Straight lines ---------------------------------------------------- */

/* Returns the kernel for this CPU, or NULL. */
static const struct convert_kernel *
kernel(void)
{
#if defined(__x86_64__)
	if (cpu_has_avx512vbmi() && cpu_has_avx512bw())
		return &convert_vbmi;
	/* Every CPU with AVX2 has F16C. */
	if (cpu_has_avx2() && cpu_has_fma())
		return &convert_avx2;
#elif defined(__aarch64__)
	return &convert_neon;
#endif
	return NULL;
}

/* Prepares the kernels' byte tables, and the lines through both ends of the
 * tables. */
static void
prepare(struct convert *c, const struct npu_tensor *t)
{
	bool real = npu_dtype_is_float(t->dtype);
	double scale = real ? 1 : (double)t->scale;
	double zero = real ? 0 : t->zero_point;

	c->copies = c->size == 1;
	for (int i = 0; i < 3; i++) {
		double first = (double)c->x[i][0], last = (double)c->x[i][255];

		c->a[i] = (float)((last - first) / 255 * scale);
		c->b[i] = (float)(first * scale - zero);
		for (size_t v = 0; v < 256; v++) {
			c->copies &= c->table[i][v] == v;
			for (size_t k = 0; k < c->size; k++)
				c->byte[i][k][v] = c->table[i][v * c->size + k];
		}
	}
}

/* Returns whether a kernel agrees with the tables for all 256 values. */
static bool
proved(const struct convert *c, const struct convert_kernel *w)
{
	struct convert trial = *c;
	uint8_t pixels[256 * 4], q[3 * 256 * CONVERT_MOST];

	for (int v = 0; v < 256; v++)
		memset(pixels + 4 * v, v, 4);
	trial.plane = 256 * c->size;
	w->planes(&trial, pixels, 256, q);
	for (int i = 0; i < 3; i++)
		if (memcmp(q + i * trial.plane, c->table[i], trial.plane) != 0)
			return false;
	return true;
}

bool
convert_try(struct convert *c, const struct convert_kernel *w)
{
	c->kernel = NULL;
	if (w == NULL)
		return true;
	if (c->step != c->size || !w->knows(c->dtype) || !proved(c, w))
		return false;
	c->kernel = w;
	return true;
}

int
convert_open(struct convert *c, const struct npu_tensor *t,
    struct npu_err *err)
{
	int rc;

	c->dtype = t->dtype;
	c->size = npu_dtype_size(t->dtype);
	if (c->size != 1 && c->size != 2 && c->size != 4)
		return npu_fail(err, NPU_EUSAGE, "pixels become elements of 8, "
		    "16 or 32 bits, not %s", npu_dtype_name(t->dtype) != NULL ?
		    npu_dtype_name(t->dtype) : "of an unknown type");
	for (int i = 0; i < 3; i++)
		if ((rc = npu_quantise(t, c->x[i], 256, c->table[i], false,
		    NULL, err)) < 0)
			return rc;
	prepare(c, t);
	convert_try(c, kernel());
	return 0;
}

void
convert_pixels(const struct convert *c, const uint8_t *pixels, size_t n,
    uint8_t *out)
{
	if (c->kernel != NULL && n >= CONVERT_LEAST)
		c->kernel->planes(c, pixels, n, out);
	else
		look_all_up(c, pixels, n, out);
}

/* ---- Repeated pixels --------------------------------------------------- */

#define FILL(type) \
	for (size_t k = 0; k < n; k++, out += step) \
		memcpy(out, element, sizeof(type)); \
	break

void
convert_fill(const struct convert *c, const uint8_t pixel[3], size_t n,
    uint8_t *to)
{
	for (int i = 0; i < 3; i++) {
		const uint8_t *element = c->table[i] +
		    pixel[c->channel[i]] * c->size;
		uint8_t *out = to + i * c->plane;
		size_t step = c->step;

		if (step == 1) {
			memset(out, *element, n);
			continue;
		}
		switch (c->size) {
		case 1: FILL(uint8_t);
		case 2: FILL(uint16_t);
		default: FILL(uint32_t);
		}
	}
}
