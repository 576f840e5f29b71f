/* SPDX-License-Identifier: Apache-2.0 */
/* Receives the bytes of a picture: the counterpart of source.h. */
#ifndef IMAGE_SINK_H
#define IMAGE_SINK_H

#include <stddef.h>

#include "npu.h"

struct sink {
	/* Writes all n bytes of p, n > 0.  Returns 0, or negative with a
	 * message in *err. */
	int (*write)(void *arg, const void *p, size_t n, struct npu_err *err);
	void *arg;
};

#endif
