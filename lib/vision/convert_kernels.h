/* SPDX-License-Identifier: Apache-2.0 */
/* The kernels of convert.c, each for one kind of CPU: pixels to planes. */
#ifndef VISION_CONVERT_KERNELS_H
#define VISION_CONVERT_KERNELS_H

#include "vision/convert.h"

enum { CONVERT_LEAST = 64 };	/* fewer pixels are looked up */

struct convert_kernel {
	bool (*knows)(uint32_t dtype);	/* of 8, 16 or 32 bits */
	/* n is at least CONVERT_LEAST; elements are side by side. */
	void (*planes)(const struct convert *c, const uint8_t *pixels,
	    size_t n, uint8_t *out);
};

extern const struct convert_kernel convert_vbmi;	/* x86-64 only */
extern const struct convert_kernel convert_avx2;	/* x86-64 only */
extern const struct convert_kernel convert_neon;	/* aarch64 only */

/* Uses a kernel, or looks up if it is NULL, if it is right for all values;
 * false if not. */
bool convert_try(struct convert *c, const struct convert_kernel *kernel);

#endif
