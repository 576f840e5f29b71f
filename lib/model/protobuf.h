/* SPDX-License-Identifier: Apache-2.0 */
/* The fields of a protobuf message, in file order. */
#ifndef MODEL_PROTOBUF_H
#define MODEL_PROTOBUF_H

#include "base/bytes.h"

/* Wire types. */
enum { PB_VARINT = 0, PB_FIXED64 = 1, PB_LENGTH = 2, PB_FIXED32 = 5 };

struct pb_field {
	uint64_t number;
	unsigned wire;
	uint64_t value;		/* for wire type PB_VARINT */
	struct bytes data;	/* for wire type PB_LENGTH */
};

/* Reads the field at *at and moves *at past it.  Returns false if there is not
 * a valid field. */
bool pb_next(struct bytes b, uint64_t *at, struct pb_field *f);
/* Reads the number at *at, such as one of a packed field, and moves *at past
 * it.  Returns false if there is not a valid number. */
bool pb_varint(struct bytes b, uint64_t *at, uint64_t *v);

#endif
