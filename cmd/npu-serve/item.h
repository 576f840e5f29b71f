/* SPDX-License-Identifier: Apache-2.0 */
/* One inference of a request: what goes into the model, and what came out. */
#ifndef NPU_SERVE_ITEM_H
#define NPU_SERVE_ITEM_H

#include "base/bytes.h"
#include "npu.h"
#include "vision/geometry.h"

struct request;
struct role;

enum item_kind {
	ITEM_TEXT,		/* UTF-8 */
	ITEM_IDS,		/* of a text: int32_t */
	ITEM_PICTURE,		/* a file's bytes */
	ITEM_PICTURE_BASE64,	/* the same, as base64 */
	ITEM_TENSOR,		/* the model's input as it is */
};

struct item {
	/* Set by the route. */
	struct role *role;
	enum item_kind kind;
	struct bytes source;	/* the request's */
	bool truncate;		/* a text of too many ids is cut */

	/* Made by role_prepare(). */
	uint8_t *in;		/* owned: the model's input */
	size_t tokens;		/* ids of a text */
	struct geometry geometry;	/* of a picture */

	/* Set by the device's thread. */
	uint8_t *out;		/* owned: the model's output */
	uint64_t infer_ns;

	/* The scheduler's. */
	struct request *request;
	struct item *next;
};

#endif
