/* SPDX-License-Identifier: Apache-2.0 */
/*
 * numpy's .npz files: zip archives (APPNOTE 6.3.10) of .npy files, as
 * numpy.savez() and savez_compressed() write them.  They are read from front to
 * back, without seeking: a member's header has its size, and the directory at
 * the end must list the same members.
 */
#ifndef TENSOR_NPZ_H
#define TENSOR_NPZ_H

#include "base/buf.h"
#include "base/bytes.h"
#include "npu.h"

/* The signature of a member; a file begins with it. */
#define NPZ_MAGIC "PK\3\4"
#define NPZ_EMPTY_MAGIC "PK\5\6"	/* of an empty archive */

enum {
	NPZ_SIGNATURE = 4,
	NPZ_HEADER = 30,	/* a member's, from signature to name */
	NPZ_ENTRY = 46,		/* the same for a directory entry */
	NPZ_END = 22,		/* of the directory */
	NPZ_END64 = 56,		/* before NPZ_END in large archives */
	NPZ_LOCATOR64 = 20,	/* between these two */
	NPZ_MOST_TAIL = 4096,	/* limit of name and extra fields */
	NPZ_MOST_MEMBERS = 65535,
};

enum npz_part { NPZ_IS_MEMBER, NPZ_IS_ENTRY, NPZ_IS_END64, NPZ_IS_LOCATOR64,
	NPZ_IS_END, NPZ_IS_NONE };

struct npz_member {
	char name[NPU_MAX_NAME];	/* without .npy; truncated */
	uint64_t name_hash;		/* of the full name */
	uint64_t size;			/* bytes of the .npy file */
	uint64_t packed;		/* bytes of the file in the archive */
	bool deflated;			/* RFC 1951; otherwise packed is size */
	uint64_t offset;		/* of the header in the archive */
	uint32_t crc;
};

/* Returns which part of an archive begins with the signature. */
enum npz_part npz_part(const uint8_t signature[NPZ_SIGNATURE]);

/* Stores the number of bytes of name and extra fields, which follow the fixed
 * part of a header or entry.  More than NPZ_MOST_TAIL bytes are an error. */
int npz_tail_size(enum npz_part part, const uint8_t *fixed, size_t *size,
    struct npu_err *err);
/* Returns the number of bytes of the comment after an entry, or after the
 * end. */
size_t npz_comment_size(enum npz_part part, const uint8_t *fixed);

/* Describes a member by its complete header or entry.  For a header, offset is
 * 0. */
int npz_decode(enum npz_part part, struct bytes header, struct npz_member *m,
    struct npu_err *err);

/* Returns whether the end of the directory, NPZ_END bytes, has this number of
 * members. */
bool npz_end_counts(const uint8_t *end, uint64_t members);

/* Appends the header of a member, without the member's data, or its entry. */
void npz_encode(enum npz_part part, const struct npz_member *m,
    struct buf *out);
/* Appends the end of a directory that has size bytes and begins at offset. */
void npz_encode_end(uint16_t members, uint32_t size, uint32_t offset,
    struct buf *out);

/* Returns the CRC-32 of the bytes so far, whose CRC is crc (0 at the start),
 * and n more bytes. */
uint32_t npz_crc(uint32_t crc, const void *p, size_t n);

#endif
