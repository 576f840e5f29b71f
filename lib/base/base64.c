// SPDX-License-Identifier: Apache-2.0
#include "base/base64.h"
#include "base/err.h"

/* The last character, '=', is the padding. */
static const char alphabet[] =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=";

enum { PADDING = 64 };

/* ---- Encoding ---------------------------------------------------------- */

/* Writes the four characters that encode n bytes, 1 to 3. */
static void
encode_group(const uint8_t *p, size_t n, char out[4])
{
	uint32_t v = (uint32_t)p[0] << 16;

	v |= n > 1 ? (uint32_t)p[1] << 8 : 0;
	v |= n > 2 ? p[2] : 0;
	out[0] = alphabet[v >> 18];
	out[1] = alphabet[v >> 12 & 63];
	out[2] = alphabet[n > 1 ? v >> 6 & 63 : PADDING];
	out[3] = alphabet[n > 2 ? v & 63 : PADDING];
}

void
base64_encode(struct bytes b, struct buf *out)
{
	size_t groups = b.n / 3 + (b.n % 3 != 0);
	char *p = groups > 0 ? buf_reserve(out, groups * 4) : NULL;

	if (p == NULL)
		return;
	for (size_t i = 0; i < groups; i++)
		encode_group(b.p + 3 * i, b.n - 3 * i < 3 ? b.n - 3 * i : 3,
		    p + 4 * i);
	out->n += groups * 4;
}

/* ---- Decoding ---------------------------------------------------------- */

/* Returns the six bits that a character stands for, or -1. */
static int
value_of(uint8_t c)
{
	if (c >= 'A' && c <= 'Z')
		return c - 'A';
	if (c >= 'a' && c <= 'z')
		return c - 'a' + 26;
	if (c >= '0' && c <= '9')
		return c - '0' + 52;
	return c == '+' ? 62 : c == '/' ? 63 : -1;
}

struct base64_decoder {
	uint32_t bits;		/* bits of the group so far */
	unsigned characters;	/* characters of the group so far */
	unsigned padding;
	uint8_t *p;		/* where the next byte goes */
};

static int
refuse(struct bytes text, size_t at, struct npu_err *err)
{
	return npu_fail(err, NPU_EFORMAT, "not base64: byte %zu of %zu is "
	    "0x%02x", at + 1, text.n, text.p[at]);
}

/* Writes the bytes that a group of 2 to 4 characters stands for. */
static void
end_group(struct base64_decoder *d)
{
	uint32_t v = d->bits << 6 * (4 - d->characters);

	for (unsigned i = 0; i + 1 < d->characters; i++)
		*d->p++ = (uint8_t)(v >> (16 - 8 * i));
	d->bits = 0;
	d->characters = 0;
}

static int
decode_one(struct base64_decoder *d, struct bytes text, size_t at,
    struct npu_err *err)
{
	int v = value_of(text.p[at]);

	if (text.p[at] == '\r' || text.p[at] == '\n')
		return 0;
	if (text.p[at] == '=' && d->characters + d->padding >= 2 &&
	    d->characters + d->padding < 4) {
		d->padding++;
		return 0;
	}
	if (v < 0 || d->padding > 0)
		return refuse(text, at, err);
	d->bits = d->bits << 6 | (uint32_t)v;
	if (++d->characters == 4)
		end_group(d);
	return 0;
}

int
base64_decode(struct bytes text, struct buf *out, struct npu_err *err)
{
	uint8_t *room = buf_reserve(out, text.n / 4 * 3 + 3);
	struct base64_decoder d = { .p = room };
	int rc;

	if (room == NULL)
		return npu_fail(err, NPU_ESYSTEM, "out of memory");
	for (size_t i = 0; i < text.n; i++)
		if ((rc = decode_one(&d, text, i, err)) < 0)
			return rc;
	if (d.characters == 1)
		return npu_fail(err, NPU_EFORMAT, "not base64: it ends within "
		    "a byte");
	if (d.characters > 0)
		end_group(&d);
	out->n += (size_t)(d.p - room);
	return 0;
}
