/* SPDX-License-Identifier: Apache-2.0 */
/* The bytes of an index file (vec-index(5)), for its reader and its writer. */
#ifndef STORE_LAYOUT_H
#define STORE_LAYOUT_H

#include "base/buf.h"
#include "base/bytes.h"
#include "store/index.h"

enum {
	LAYOUT_VERSION = 2,	/* written; 1 is read: it has no paths */
	LAYOUT_ALIGN = 64,	/* records begin and end at multiples */
	LAYOUT_FIXED = 128,	/* of the header, before its texts */
	LAYOUT_HEAD = 64,	/* of a record, before its vector */
};

/* The header's fixed part. */
struct layout_header {
	char magic[8];
	uint32_t version, size, dim, norm, kind;
	uint32_t model_bytes, preprocessing_bytes;
	uint32_t reserved[7];
	uint8_t model_sha256[INDEX_SHA256];
	uint64_t checksum;	/* of all size bytes, this being 0 */
	uint8_t unused[24];
};
_Static_assert(sizeof(struct layout_header) == LAYOUT_FIXED, "no gaps");

/* A record; the vector, the name, the path and zeros up to LAYOUT_ALIGN
 * follow. */
struct layout_head {
	char magic[4];
	uint32_t id_bytes;
	/* 48 bits: where the older record is, 0: none; 16: bytes of the path */
	uint64_t replaces_path;
	uint8_t sha256[INDEX_SHA256];
	uint64_t body_checksum;	/* of what follows */
	uint64_t head_checksum;	/* of the 56 bytes before, and its place */
};
_Static_assert(sizeof(struct layout_head) == LAYOUT_HEAD, "no gaps");

/* The checksum of n bytes, a multiple of LAYOUT_ALIGN, at any address. */
uint64_t layout_checksum(const void *p, size_t n);
/* The same, on a CPU that has it (x86-64 only). */
uint64_t layout_checksum_avx2(const void *p, size_t n);

/* Adds the header's bytes to *b. */
int layout_put_header(struct buf *b, const struct index_header *h,
    struct npu_err *err);
/*
 * Reads the header of file; *size is where the first record begins.  The texts
 * of *h are allocated: layout_free_header().
 */
int layout_get_header(struct bytes file, struct index_header *h,
    uint64_t *size, struct npu_err *err);
void layout_free_header(struct index_header *h);

/* The checksum of a head includes its place, so that a moved record is
 * detected. */
uint64_t layout_head_checksum(const struct layout_head *head, uint64_t at);
uint64_t layout_replaces(const struct layout_head *head);
/* Bytes of a record whose name and path have so many together. */
uint64_t layout_record(uint32_t dim, uint64_t text_bytes);
uint64_t layout_size(uint32_t dim, const struct layout_head *head);
/* Adds one record, for place at of the file, to *b. */
void layout_put_record(struct buf *b, uint32_t dim, uint64_t at,
    uint64_t replaces, const struct index_row *row);
/* Reads what is at at, if that is the head of a record. */
bool layout_is_head(struct bytes file, uint64_t at, struct layout_head *head);
/*
 * Reads the head of the record at at: 1, or 0 if the rest of file is not a
 * whole record, which only the last may be; or negative.
 */
int layout_get_head(struct bytes file, uint32_t dim, uint64_t at,
    struct layout_head *head, struct npu_err *err);
/* Checks the whole record, whose head is known to be sound. */
bool layout_whole(struct bytes file, uint32_t dim, uint64_t at,
    const struct layout_head *head);
/* The name and the path of the record at at; other members are unchanged. */
void layout_get_names(struct bytes file, uint32_t dim, uint64_t at,
    const struct layout_head *head, struct index_row *row);

#endif
