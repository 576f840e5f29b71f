/* SPDX-License-Identifier: Apache-2.0 */
/*
 * numpy's .npz files: zip archives (APPNOTE 6.3.10) of .npy files, as
 * numpy.savez() and savez_compressed() write them.  Read from front to back,
 * without seeking: a member's header has its size, and the directory at the end
 * must list the same members.
 */
#ifndef TENSOR_NPZ_H
#define TENSOR_NPZ_H

#include "base/buf.h"
#include "base/bytes.h"
#include "npu.h"

/* The signature of a member, with which a file begins. */
#define NPZ_MAGIC "PK\3\4"
#define NPZ_EMPTY_MAGIC "PK\5\6"	/* of an archive of nothing */

enum {
	NPZ_SIGNATURE = 4,
	NPZ_HEADER = 30,	/* a member's, with signature, up to its name */
	NPZ_ENTRY = 46,		/* the same in the directory */
	NPZ_END = 22,		/* of the directory */
	NPZ_END64 = 56,		/* before NPZ_END in large archives */
	NPZ_LOCATOR64 = 20,	/* and between the two */
	NPZ_MOST_TAIL = 4096,	/* name and extra fields that are read */
	NPZ_MOST_MEMBERS = 65535,
};

enum npz_part { NPZ_IS_MEMBER, NPZ_IS_ENTRY, NPZ_IS_END64, NPZ_IS_LOCATOR64,
	NPZ_IS_END, NPZ_IS_NONE };

struct npz_member {
	char name[NPU_MAX_NAME];	/* without .npy; cut */
	uint64_t name_hash;		/* of all of it */
	uint64_t size;			/* bytes of the .npy file */
	uint64_t packed;		/* the same in the archive */
	bool deflated;			/* by RFC 1951; else packed is size */
	uint64_t offset;		/* of its header in the archive */
	uint32_t crc;
};

/* What a signature begins. */
enum npz_part npz_part(const uint8_t signature[NPZ_SIGNATURE]);

/* The bytes of name and extra fields after the fixed part of a header or of an
 * entry; more than NPZ_MOST_TAIL are an error. */
int npz_tail_size(enum npz_part part, const uint8_t *fixed, size_t *size,
    struct npu_err *err);
/* The bytes of comment after an entry, or after the end. */
size_t npz_comment_size(enum npz_part part, const uint8_t *fixed);

/* Describes a member by its header, all of it; of a header, offset is 0. */
int npz_decode(enum npz_part part, struct bytes header, struct npz_member *m,
    struct npu_err *err);

/* Whether the end of the directory, NPZ_END bytes, gives this number of
 * members. */
bool npz_end_counts(const uint8_t *end, uint64_t members);

/* Adds the header of a member without what it describes, or its entry. */
void npz_encode(enum npz_part part, const struct npz_member *m,
    struct buf *out);
/* Adds the end of a directory of size bytes at an offset. */
void npz_encode_end(uint16_t members, uint32_t size, uint32_t offset,
    struct buf *out);

/* The CRC-32 of what crc is of (0: nothing) and n more bytes. */
uint32_t npz_crc(uint32_t crc, const void *p, size_t n);

#endif
