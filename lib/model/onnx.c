// SPDX-License-Identifier: Apache-2.0
#include <string.h>

#include "base/err.h"
#include "model/onnx.h"

/* Field numbers of onnx.proto, and protobuf's wire types. */
enum { METADATA_PROPS = 14, ENTRY_KEY = 1, ENTRY_VALUE = 2 };
enum { VARINT = 0, FIXED64 = 1, LENGTH = 2, FIXED32 = 5 };

struct field {
	uint64_t number;
	unsigned wire;
	struct bytes data;	/* of wire type LENGTH */
};

/* A number in 7 bits a byte, the low ones first. */
static bool
varint(struct bytes b, uint64_t *at, uint64_t *v)
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

/* The field at *at, which moves behind it; false if it is none. */
static bool
next(struct bytes b, uint64_t *at, struct field *f)
{
	uint64_t tag, n = 0;

	if (!varint(b, at, &tag))
		return false;
	f->number = tag >> 3;
	f->wire = tag & 7;
	f->data = (struct bytes){ 0 };
	switch (f->wire) {
	case VARINT:
		return f->number != 0 && varint(b, at, &n);
	case FIXED64:
		n = 8;
		break;
	case FIXED32:
		n = 4;
		break;
	case LENGTH:
		if (!varint(b, at, &n))
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

/* Whether an entry has this key, and then its value. */
static bool
entry(struct bytes b, const char *key, struct bytes *value, bool *sound)
{
	struct bytes k = { 0 }, v = { 0 };
	struct field f;
	uint64_t at = 0;

	*sound = true;
	while (at < b.n && (*sound = next(b, &at, &f))) {
		if (f.wire == LENGTH && f.number == ENTRY_KEY)
			k = f.data;
		else if (f.wire == LENGTH && f.number == ENTRY_VALUE)
			v = f.data;
	}
	if (!*sound || k.n != strlen(key) ||
	    (k.n > 0 && memcmp(k.p, key, k.n) != 0))
		return false;
	*value = v;
	return true;
}

int
onnx_metadata(struct bytes onnx, const char *key, struct bytes *value,
    struct npu_err *err)
{
	struct bytes v = { 0 };
	uint64_t at = 0, from = 0;
	bool sound = onnx.n > 0;
	struct field f;
	int found = 0;

	while (sound && at < onnx.n) {
		from = at;
		sound = next(onnx, &at, &f);
		if (sound && f.wire == LENGTH && f.number == METADATA_PROPS &&
		    entry(f.data, key, &v, &sound))
			found = 1;
	}
	if (!sound)
		return npu_fail(err, NPU_EFORMAT, "no ONNX file: no field of "
		    "protobuf at byte %llu of %zu", (unsigned long long)from,
		    onnx.n);
	if (found)
		*value = v;
	return found;
}
