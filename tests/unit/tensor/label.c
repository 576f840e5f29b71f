// SPDX-License-Identifier: Apache-2.0
/* Tests the label byte by byte, as in the table of npu-tensor(5). */
#include <math.h>
#include <string.h>

#include "npu.h"
#include "tap.h"

/* s8 [1,512], scale 27.5, zero point 60, tensor 1 of 2; encoded by hand. */
static const uint8_t good[NPU_LABEL_SIZE] = {
	'N', 'P', 'U', 'T', 'E', 'N', 'S', '1',
	3, 0, 0, 0,  2, 0, 0, 0,
	1, 0, 0, 0,  0, 2, 0, 0,  0, 0, 0, 0,
	0, 0, 0, 0,  0, 0, 0, 0,  0, 0, 0, 0,
	0, 0, 0xdc, 0x41,  60, 0, 0, 0,
	0, 2, 0, 0, 0, 0, 0, 0,
	1, 0, 2, 0,
	0, 0, 0, 0,
};

static struct npu_label
described(void)
{
	return (struct npu_label){ .tensor = { .dtype = NPU_S8, .ndim = 2,
	    .dim = { 1, 512 }, .scale = 27.5f, .zero_point = 60,
	    .size = 512 }, .index = 1, .count = 2 };
}

static void
there_and_back(void)
{
	struct npu_label l = described(), d;
	uint8_t out[NPU_LABEL_SIZE];

	ok(npu_label_encode(&l, out, NULL) == 0 &&
	    memcmp(out, good, sizeof(good)) == 0,
	    "a label is encoded to the bytes of the page");
	ok(npu_label_decode(good, &d, NULL) == 0 &&
	    d.tensor.dtype == NPU_S8 && d.tensor.ndim == 2 &&
	    d.tensor.dim[1] == 512 && d.tensor.dim[2] == 0 &&
	    d.tensor.scale == 27.5f && d.tensor.zero_point == 60 &&
	    d.tensor.size == 512 && d.index == 1 && d.count == 2 &&
	    d.tensor.name[0] == '\0',
	    "the bytes are decoded to the same fields");
	l.tensor.scale = 0;
	npu_label_encode(&l, out, NULL);
	ok(out[42] == 0x80 && out[43] == 0x3f, "a scale of 0 is written as 1");
}

struct damage {
	const char *name;
	unsigned at, size;
	uint64_t value;
	const char *says;
};

static const struct damage damages[] = {
	{ "a wrong magic", 7, 1, '2', "does not begin with" },
	{ "seven dimensions", 12, 4, 7, "7 dimensions" },
	{ "a dimension of 0", 20, 4, 0, "dimension 1 is 0" },
	{ "an unused dimension that is not 0",
	    24, 4, 1, "unused ones must be 0" },
	{ "a huge shape", 16, 4, 0xffffffff, "shape and type say" },
	{ "scale 0", 40, 4, 0, "scale is 0" },
	{ "a negative scale", 40, 4, 0xbf800000, "scale is -1" },
	{ "an infinite scale", 40, 4, 0x7f800000, "scale is inf" },
	{ "scale NaN", 40, 4, 0x7fc00000, "scale is nan" },
	{ "a short payload", 48, 8, 511, "511 bytes of payload, but shape" },
	{ "an empty payload", 48, 8, 0, "0 bytes of payload" },
	{ "a payload above 2^40", 48, 8, (1ull << 40) + 1, "2^40" },
	{ "a payload of 2^64-1", 48, 8, UINT64_MAX, "2^40" },
	{ "tensor 2 of 2", 56, 2, 2, "tensor 2 of 2" },
	{ "no tensors", 56, 4, 0, "tensor 0 of 0" },
	{ "a reserved bit", 63, 1, 0x80, "0x80000000, but must be 0" },
	{ "a type of another size", 8, 4, NPU_S16, "512 bytes of payload" },
	{ "a shape for an unknown type", 8, 4, 0x99, "0x99 is not known" },
};

static void
refusals(void)
{
	uint8_t bad[NPU_LABEL_SIZE];
	struct npu_label l;
	struct npu_err err;

	for (size_t i = 0; i < sizeof(damages) / sizeof(*damages); i++) {
		const struct damage *d = &damages[i];

		memcpy(bad, good, sizeof(bad));
		memcpy(bad + d->at, &d->value, d->size);
		l.count = 77;
		err.msg[0] = '\0';
		if (!ok(npu_label_decode(bad, &l, &err) == NPU_EFORMAT &&
		    err.code == NPU_EFORMAT && l.count == 77 &&
		    strstr(err.msg, d->says) != NULL,
		    "a label with %s is refused", d->name))
			diag("%s", err.msg);
	}
	l = described();
	l.tensor.size = 500;
	ok(npu_label_encode(&l, bad, &err) == NPU_EUSAGE,
	    "a label that would be refused is not written");
}

static void
opaque_and_compact(void)
{
	struct npu_label l = described();
	uint8_t out[NPU_LABEL_SIZE];

	l.tensor.dtype = 0x99;
	l.tensor.ndim = 0;
	memset(l.tensor.dim, 0, sizeof(l.tensor.dim));
	l.tensor.size = 5;
	ok(npu_label_encode(&l, out, NULL) == 0,
	    "a tensor of an unknown type may have any number of bytes");
	l.tensor.dtype = NPU_S16;
	ok(npu_label_encode(&l, out, NULL) == NPU_EUSAGE,
	    "a flat vector must have a whole number of elements");
	l.tensor.dtype = NPU_U4C;
	l.tensor.ndim = 1;
	l.tensor.dim[0] = 9;
	ok(npu_label_encode(&l, out, NULL) == 0,
	    "nine compact u4 take five bytes");
	l.tensor.dtype = NPU_S12C;
	l.tensor.dim[0] = 3;
	ok(npu_label_encode(&l, out, NULL) == 0,
	    "three compact s12 take five bytes");
	l.tensor.dim[0] = 4;
	ok(npu_label_encode(&l, out, NULL) == NPU_EUSAGE,
	    "four compact s12 do not take five bytes");
	l.tensor.dim[0] = 3;
	npu_label_encode(&l, out, NULL);
	memset(out + 40, 0, 4);
	ok(npu_label_decode(out, &l, NULL) == NPU_EFORMAT,
	    "a scale of 0 is refused also without a place for the message");
}

int
main(void)
{
	there_and_back();
	refusals();
	opaque_and_compact();
	return done();
}
