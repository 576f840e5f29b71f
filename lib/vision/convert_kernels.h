/* SPDX-License-Identifier: Apache-2.0 */
/* The kernels of convert.c, one for each kind of CPU: they convert pixels to
 * planes. */
#ifndef VISION_CONVERT_KERNELS_H
#define VISION_CONVERT_KERNELS_H

#include "vision/convert.h"

enum { CONVERT_LEAST = 64 };	/* for fewer pixels the tables are used */

struct convert_kernel {
	bool (*knows)(uint32_t dtype);	/* 8, 16 or 32 bits */
	/* n must be at least CONVERT_LEAST; elements must be adjacent. */
	void (*planes)(const struct convert *c, const uint8_t *pixels,
	    size_t n, uint8_t *out);
};

extern const struct convert_kernel convert_vbmi;	/* x86-64 only */
extern const struct convert_kernel convert_avx2;	/* x86-64 only */
extern const struct convert_kernel convert_neon;	/* aarch64 only */

/* Selects a kernel, or table look-up if kernel is NULL.  Returns false if the
 * kernel is not right for all values. */
bool convert_try(struct convert *c, const struct convert_kernel *kernel);

#endif
