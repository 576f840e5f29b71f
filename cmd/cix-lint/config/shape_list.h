/* SPDX-License-Identifier: Apache-2.0 */
/* A list of shapes, as in input_shape: [1,3,224,224],[1,77] */
#ifndef CIX_LINT_SHAPE_LIST_H
#define CIX_LINT_SHAPE_LIST_H

#include <stddef.h>
#include <stdint.h>

#include "model/onnx_ports.h"

struct listed_shape {
	uint32_t ndim;
	int64_t dim[ONNX_MOST_DIMS];	/* each above 0 */
};

struct shape_list {
	struct listed_shape *shape;
	size_t n, room;
};

/* Parses the text.  Returns NULL, or why the text is not such a list; the
 * reason is static.  Free with shape_list_free() in both cases. */
const char *shape_list_parse(struct shape_list *s, const char *text);
void shape_list_free(struct shape_list *s);

#endif
