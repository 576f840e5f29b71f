/* SPDX-License-Identifier: Apache-2.0 */
/* The first part of a message: a JSON object that says what the client
 * wants. */
#ifndef NPU_ZMQ_HEADER_H
#define NPU_ZMQ_HEADER_H

#include <stdbool.h>

#include "base/bytes.h"
#include "npu.h"

enum {
	HEADER_BYTES = 64 << 10,
	HEADER_VALUES = 1024,
	HEADER_DIMS = 4,
	HEADER_NAME = 256,	/* with the final NUL */
};

enum message_kind {
	MESSAGE_BAD,		/* not understood */
	MESSAGE_FRAME,		/* find objects */
	MESSAGE_MODEL,		/* is this model there? */
	MESSAGE_UPLOAD,		/* take this model */
	MESSAGE_HEALTH,		/* of --health */
};
extern const char *const message_words[];

struct header {
	enum message_kind kind;
	/* Of a frame. */
	uint32_t dim[HEADER_DIMS];
	bool real;		/* float32, not uint8 */
	/* Of a model. */
	char name[HEADER_NAME];
};

/* On failure, with a message for the client, h->kind is what could be seen. */
int header_read(struct header *h, struct bytes text, struct npu_err *err);

#endif
