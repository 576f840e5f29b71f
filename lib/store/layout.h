/* SPDX-License-Identifier: Apache-2.0 */
/* The bytes of an index file (vec-index(5)), for its reader and its writer. */
#ifndef STORE_LAYOUT_H
#define STORE_LAYOUT_H

#include "base/buf.h"
#include "base/bytes.h"
#include "store/index.h"

enum {
	LAYOUT_VERSION = 2,	/* version to write; version 1, without paths,
				   is also read */
	LAYOUT_ALIGN = 64,	/* records begin and end at its multiples */
	LAYOUT_FIXED = 128,	/* bytes of the header before its texts */
	LAYOUT_HEAD = 64,	/* bytes of a record before its vector */
};

/* The header's fixed part. */
struct layout_header {
	char magic[8];
	uint32_t version, size, dim, norm, kind;
	uint32_t model_bytes, preprocessing_bytes;
	uint32_t reserved[7];
	uint8_t model_sha256[INDEX_SHA256];
	uint64_t checksum;	/* of all size bytes, with 0 here */
	uint8_t unused[24];
};
_Static_assert(sizeof(struct layout_header) == LAYOUT_FIXED, "no gaps");

/* The header of a record; the vector, the name, the path and zeros up to
 * LAYOUT_ALIGN follow. */
struct layout_head {
	char magic[4];
	uint32_t id_bytes;
	/* 48 bits: offset of the older record, 0: none; 16 bits: bytes of the
	 * path */
	uint64_t replaces_path;
	uint8_t sha256[INDEX_SHA256];
	uint64_t body_checksum;	/* of the bytes that follow */
	uint64_t head_checksum;	/* of the 56 bytes before, and the offset */
};
_Static_assert(sizeof(struct layout_head) == LAYOUT_HEAD, "no gaps");

/* Returns the checksum of n bytes, a multiple of LAYOUT_ALIGN, at any
 * address. */
uint64_t layout_checksum(const void *p, size_t n);
/* Does the same; needs a CPU with AVX2 (x86-64 only). */
uint64_t layout_checksum_avx2(const void *p, size_t n);

/* Adds the header's bytes to *b. */
int layout_put_header(struct buf *b, const struct index_header *h,
    struct npu_err *err);
/* Reads the header of file; sets *size to the offset of the first record.  The
 * texts of *h are allocated: free them with layout_free_header(). */
int layout_get_header(struct bytes file, struct index_header *h,
    uint64_t *size, struct npu_err *err);
void layout_free_header(struct index_header *h);

/* Returns the checksum of a record's header, which includes the offset: a moved
 * record is detected. */
uint64_t layout_head_checksum(const struct layout_head *head, uint64_t at);
uint64_t layout_replaces(const struct layout_head *head);
/* Returns the size of a record whose name and path have text_bytes together. */
uint64_t layout_record(uint32_t dim, uint64_t text_bytes);
uint64_t layout_size(uint32_t dim, const struct layout_head *head);
/* Adds one record, for offset at in the file, to *b. */
void layout_put_record(struct buf *b, uint32_t dim, uint64_t at,
    uint64_t replaces, const struct index_row *row);
/* Reads the header of a record at at; returns false if no record begins
 * there. */
bool layout_is_head(struct bytes file, uint64_t at, struct layout_head *head);
/*
 * Reads the header of the record at at.  Returns 1; 0 if the rest of file is
 * not a whole record, which is allowed only for the last record; or negative.
 */
int layout_get_head(struct bytes file, uint32_t dim, uint64_t at,
    struct layout_head *head, struct npu_err *err);
/* Checks the whole record; its header must be valid. */
bool layout_whole(struct bytes file, uint32_t dim, uint64_t at,
    const struct layout_head *head);
/* Sets the name and the path of the record at at; other members are
 * unchanged. */
void layout_get_names(struct bytes file, uint32_t dim, uint64_t at,
    const struct layout_head *head, struct index_row *row);

#endif
