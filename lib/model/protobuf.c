// SPDX-License-Identifier: Apache-2.0
#include "model/protobuf.h"

/* Reads a number with 7 bits in each byte, the low bits first. */
bool
pb_varint(struct bytes b, uint64_t *at, uint64_t *v)
{
	uint8_t byte;

	*v = 0;
	for (unsigned shift = 0; shift < 64; shift += 7) {
		if (!bytes_get(b, (*at)++, &byte, 1))
			return false;
		*v |= (uint64_t)(byte & 0x7f) << shift;
		if ((byte & 0x80) == 0)
			return true;
	}
	return false;
}

bool
pb_next(struct bytes b, uint64_t *at, struct pb_field *f)
{
	uint64_t tag, n = 0;

	if (!pb_varint(b, at, &tag))
		return false;
	f->number = (uint32_t)tag >> 3;	/* protobuf drops higher bits */
	f->wire = tag & 7;
	f->value = 0;
	f->data = (struct bytes){ 0 };
	switch (f->wire) {
	case PB_VARINT:
		return f->number != 0 && pb_varint(b, at, &f->value);
	case PB_FIXED64:
		n = 8;
		break;
	case PB_FIXED32:
		n = 4;
		break;
	case PB_LENGTH:
		if (!pb_varint(b, at, &n))
			return false;
		break;
	default:
		return false;
	}
	if (f->number == 0 || !bytes_sub(b, *at, n, &f->data))
		return false;
	*at += n;
	return true;
}
