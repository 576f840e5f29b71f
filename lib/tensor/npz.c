// SPDX-License-Identifier: Apache-2.0
#include <inttypes.h>
#include <string.h>

#include "base/err.h"
#include "tensor/npz.h"
#include "tensor/npy.h"

/* Offsets in a header.  In an entry they are larger by 2 bytes, the version of
 * the program that wrote it, which follows the signature. */
enum { AT_VERSION = 4, AT_FLAGS = 6, AT_METHOD = 8, AT_DATE = 12, AT_CRC = 14,
	AT_PACKED = 18, AT_SIZE = 22, AT_NAME_SIZE = 26, AT_EXTRA_SIZE = 28 };
enum { ENTRY_SHIFT = 2, AT_COMMENT_SIZE = 32, AT_ATTRIBUTES = 38,
	AT_OFFSET = 42 };
enum { END_MEMBERS = 10, END_SIZE = 12, END_OFFSET = 16,
	END_COMMENT_SIZE = 20 };

enum { ENCRYPTED = 1, SIZES_FOLLOW = 8 };	/* flags */
enum { STORED = 0, DEFLATED = 8, ZIP64 = 1 };

/* The value of a 32-bit field whose number is in the extra field ZIP64. */
#define IN_ZIP64 UINT32_MAX

enum npz_part
npz_part(const uint8_t signature[NPZ_SIGNATURE])
{
	static const char signatures[][NPZ_SIGNATURE + 1] = {
		[NPZ_IS_MEMBER] = NPZ_MAGIC, [NPZ_IS_ENTRY] = "PK\1\2",
		[NPZ_IS_END64] = "PK\6\6", [NPZ_IS_LOCATOR64] = "PK\6\7",
		[NPZ_IS_END] = "PK\5\6",
	};
	unsigned i = 0;

	while (i < NPZ_IS_NONE &&
	    memcmp(signature, signatures[i], NPZ_SIGNATURE) != 0)
		i++;
	return i;
}

static uint16_t
u16(const uint8_t *p, size_t at)
{
	return (uint16_t)(p[at] | p[at + 1] << 8);
}

static uint32_t
u32(const uint8_t *p, size_t at)
{
	return u16(p, at) | (uint32_t)u16(p, at + 2) << 16;
}

static size_t
shift(enum npz_part part)
{
	return part == NPZ_IS_ENTRY ? ENTRY_SHIFT : 0;
}

int
npz_tail_size(enum npz_part part, const uint8_t *fixed, size_t *size,
    struct npu_err *err)
{
	const uint8_t *p = fixed + shift(part);

	*size = (size_t)u16(p, AT_NAME_SIZE) + u16(p, AT_EXTRA_SIZE);
	if (*size > NPZ_MOST_TAIL)
		return npu_fail(err, NPU_EFORMAT, "npz: %zu bytes of name and "
		    "extra fields; at most %d are possible", *size,
		    NPZ_MOST_TAIL);
	return 0;
}

size_t
npz_comment_size(enum npz_part part, const uint8_t *fixed)
{
	return u16(fixed, part == NPZ_IS_ENTRY ? AT_COMMENT_SIZE :
	    END_COMMENT_SIZE);
}

/* ---- One member ------------------------------------------------------- */

static uint64_t
hash(const uint8_t *p, size_t n)
{
	uint64_t h = UINT64_C(0xcbf29ce484222325);	/* FNV-1a */

	for (size_t i = 0; i < n; i++)
		h = (h ^ p[i]) * UINT64_C(0x100000001b3);
	return h;
}

static int
take_name(struct npz_member *m, struct bytes name, struct npu_err *err)
{
	size_t n = name.n < 4 ? 0 : name.n - 4;

	if (n == 0 || memcmp(name.p + n, ".npy", 4) != 0)
		return npu_fail(err, NPU_EFORMAT, "npz: a member's name does "
		    "not end in .npy; is it another archive? unpack it");
	m->name_hash = hash(name.p, name.n);
	memcpy(m->name, name.p, n < NPU_MAX_NAME ? n : NPU_MAX_NAME - 1);
	return 0;
}

/* Reads the fields that are IN_ZIP64, in the order of APPNOTE 4.5.3. */
static bool
take_zip64(struct bytes extra, uint64_t *const field[3])
{
	struct bytes one;
	uint16_t id, size;
	uint64_t at = 0, in = 0;

	while (bytes_u16(extra, at, &id) && bytes_u16(extra, at + 2, &size)) {
		if (!bytes_sub(extra, at + 4, size, &one))
			return false;
		at += 4 + (uint64_t)size;
		if (id != ZIP64)
			continue;
		for (size_t i = 0; i < 3; i++) {
			if (field[i] == NULL || *field[i] != IN_ZIP64)
				continue;
			if (!bytes_get(one, in, field[i], sizeof(*field[i])))
				return false;
			in += sizeof(*field[i]);
		}
		return true;
	}
	return true;
}

/* An entry always has the sizes. */
static int
check_storage(enum npz_part part, const uint8_t *p,
    const struct npz_member *m, struct npu_err *err)
{
	uint16_t flags = u16(p, AT_FLAGS);

	if (flags & ENCRYPTED)
		return npu_fail(err, NPU_EFORMAT, "npz: '%s' is encrypted",
		    m->name);
	if (u16(p, AT_METHOD) != STORED && u16(p, AT_METHOD) != DEFLATED)
		return npu_fail(err, NPU_EFORMAT, "npz: '%s' is compressed in "
		    "another way than numpy's; unpack it: unzip -p FILE "
		    "'%s.npy'", m->name, m->name);
	if (part == NPZ_IS_MEMBER && (flags & SIZES_FOLLOW) != 0)
		return npu_fail(err, NPU_EFORMAT, "npz: the size of '%s' "
		    "follows it, as in a pipe; save it to a file, or unpack "
		    "it: unzip -p FILE '%s.npy'", m->name, m->name);
	return 0;
}

int
npz_decode(enum npz_part part, struct bytes header, struct npz_member *m,
    struct npu_err *err)
{
	const size_t fixed = part == NPZ_IS_ENTRY ? NPZ_ENTRY : NPZ_HEADER;
	const uint8_t *p = header.p + shift(part);
	uint64_t *fields[3];
	struct npz_member r = { .size = 0 };
	struct bytes name, extra;
	int rc;

	if (header.n < fixed || !bytes_sub(header, fixed,
	    u16(p, AT_NAME_SIZE), &name) || !bytes_sub(header, fixed + name.n,
	    u16(p, AT_EXTRA_SIZE), &extra))
		return npu_fail(err, NPU_EFORMAT, "npz: a header of %zu bytes "
		    "is cut", header.n);
	if ((rc = take_name(&r, name, err)) < 0 ||
	    (rc = check_storage(part, p, &r, err)) < 0)
		return rc;
	r.crc = u32(p, AT_CRC);
	r.size = u32(p, AT_SIZE);
	r.packed = u32(p, AT_PACKED);
	r.deflated = u16(p, AT_METHOD) == DEFLATED;
	r.offset = part == NPZ_IS_ENTRY ? u32(header.p, AT_OFFSET) : 0;
	fields[0] = &r.size;
	fields[1] = &r.packed;
	fields[2] = part == NPZ_IS_ENTRY ? &r.offset : NULL;
	if (!take_zip64(extra, fields))
		return npu_fail(err, NPU_EFORMAT, "npz: the extra fields of "
		    "'%s' are damaged", r.name);
	if (!r.deflated && r.packed != r.size)
		return npu_fail(err, NPU_EFORMAT, "npz: '%s' has %" PRIu64
		    " bytes, and %" PRIu64 " in the archive", r.name, r.size,
		    r.packed);
	if (r.size < NPY_PREAMBLE || r.size > NPU_MAX_PAYLOAD * 2)
		return npu_fail(err, NPU_EFORMAT, "npz: '%s' has %" PRIu64
		    " bytes, which no .npy has", r.name, r.size);
	*m = r;
	return 0;
}

bool
npz_end_counts(const uint8_t *end, uint64_t members)
{
	uint16_t n = u16(end, END_MEMBERS);

	return n == members || n == UINT16_MAX;
}

/* ---- Writing ---------------------------------------------------------- */

enum { VERSION = 20, UNIX = 3 << 8, NAME_IS_UTF8 = 1 << 11,
	DAY_1 = 1 << 5 | 1 };	/* 1980-01-01, for an unknown date */

#define FILE_644 (UINT32_C(0100644) << 16)	/* for unzip(1) */

static void
put16(uint8_t *p, size_t at, uint16_t v)
{
	p[at] = (uint8_t)v;
	p[at + 1] = (uint8_t)(v >> 8);
}

static void
put32(uint8_t *p, size_t at, uint32_t v)
{
	put16(p, at, (uint16_t)v);
	put16(p, at + 2, (uint16_t)(v >> 16));
}

static bool
is_ascii(const char *s)
{
	while (*s != '\0' && (*s & 0x80) == 0)
		s++;
	return *s == '\0';
}

void
npz_encode(enum npz_part part, const struct npz_member *m, struct buf *out)
{
	uint8_t head[NPZ_ENTRY] = NPZ_MAGIC, *p = head + shift(part);
	bool entry = part == NPZ_IS_ENTRY;

	if (entry) {
		put16(head, 2, 1 | 2 << 8);
		put16(head, 4, VERSION | UNIX);
		put32(head, AT_ATTRIBUTES, FILE_644);
		put32(head, AT_OFFSET, (uint32_t)m->offset);
	}
	put16(p, AT_VERSION, VERSION);
	put16(p, AT_FLAGS, is_ascii(m->name) ? 0 : NAME_IS_UTF8);
	put16(p, AT_DATE, DAY_1);
	put32(p, AT_CRC, m->crc);
	put32(p, AT_PACKED, (uint32_t)m->size);
	put32(p, AT_SIZE, (uint32_t)m->size);
	put16(p, AT_NAME_SIZE, (uint16_t)(strlen(m->name) + 4));
	buf_add(out, head, entry ? NPZ_ENTRY : NPZ_HEADER);
	buf_puts(out, m->name);
	buf_puts(out, ".npy");
}

void
npz_encode_end(uint16_t members, uint32_t size, uint32_t offset,
    struct buf *out)
{
	uint8_t end[NPZ_END] = "PK\5\6";

	put16(end, END_MEMBERS - 2, members);
	put16(end, END_MEMBERS, members);
	put32(end, END_SIZE, size);
	put32(end, END_OFFSET, offset);
	buf_add(out, end, sizeof(end));
}

/* ---- CRC-32 ----------------------------------------------------------- */

uint32_t
npz_crc(uint32_t crc, const void *p, size_t n)
{
	/* For the polynomial 0xedb88320, four bits at a time. */
	static const uint32_t table[16] = {
		0x00000000, 0x1db71064, 0x3b6e20c8, 0x26d930ac, 0x76dc4190,
		0x6b6b51f4, 0x4db26158, 0x5005713c, 0xedb88320, 0xf00f9344,
		0xd6d6a3e8, 0xcb61b38c, 0x9b64c2b0, 0x86d3d2d4, 0xa00ae278,
		0xbdbdf21c,
	};
	const uint8_t *b = p;

	crc = ~crc;
	for (size_t i = 0; i < n; i++) {
		crc ^= b[i];
		crc = crc >> 4 ^ table[crc & 15];
		crc = crc >> 4 ^ table[crc & 15];
	}
	return ~crc;
}
