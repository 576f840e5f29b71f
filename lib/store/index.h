/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The index file: vectors under names, append-only, vec-index(5).  A writer
 * adds whole records, one at a time, while other writers and readers use the
 * file; a reader maps it and sees the records that were complete then.
 *
 * Failures are as in npu.h, and name the place: "record at 4352: ...".
 */
#ifndef STORE_INDEX_H
#define STORE_INDEX_H

#include "base/buf.h"
#include "npu.h"

enum {
	INDEX_SHA256 = 32,		/* bytes of a hash */
	INDEX_MAX_DIM = 1 << 20,	/* numbers of a vector */
	INDEX_MAX_ID = 1 << 16,		/* bytes of a name */
	INDEX_MAX_PATH = UINT16_MAX,	/* bytes of a path */
	INDEX_MAX_TEXT = 16384,		/* of the model's name, of the other */
};

#define INDEX_MAGIC "NPUINDEX"		/* the first 8 bytes */

enum index_norm { INDEX_NORM_NONE = 0, INDEX_NORM_L2 = 1 };
enum index_kind { INDEX_ANY = 0, INDEX_TEXT = 1, INDEX_IMAGE = 2 };

/* Properties common to all vectors of an index.  The texts are UTF-8 by
 * convention, without a NUL; NULL is read as "". */
struct index_header {
	uint32_t version;		/* of a file that was read */
	uint32_t dim;			/* 1 to INDEX_MAX_DIM */
	enum index_norm norm;
	enum index_kind kind;
	uint8_t model_sha256[INDEX_SHA256];	/* all 0: not known */
	const char *model;		/* its name, for users */
	const char *preprocessing;	/* "crop 224x224 bicubic rgb ..." */
};

/* "l2", "none"; "text", "image", "any". */
const char *index_norm_name(enum index_norm norm);
const char *index_kind_name(enum index_kind kind);

/* False for a hash of zeros, which stands for one that is not known. */
bool index_is_known(const uint8_t sha256[INDEX_SHA256]);
/* A hash as 64 digits and a NUL. */
void index_hex(const uint8_t sha256[INDEX_SHA256], char hex[65]);

/*
 * A vector and what it is called: by the user and, if it is a file's, by the
 * absolute path, which then is what distinguishes it from others.
 */
struct index_row {
	const char *id;		/* n bytes, no NUL after */
	size_t n;
	const char *path;	/* path_n bytes, no NUL after; NULL: none */
	size_t path_n;
	const uint8_t *sha256;	/* of the content */
	const float *x;		/* dim numbers, at a multiple of 64 bytes */
};

/* Whether the row has a path and no file is there. */
bool index_row_gone(const struct index_row *row);

/* ---- Writing ----------------------------------------------------------- */

struct index;

/*
 * Opens the index at path to add to it.  If there is none it is created, and
 * appears at once with its whole header.  An existing one must agree in dim,
 * norm, kind, model hash and preprocessing, or NPU_EUSAGE names both; one that
 * does not but has no record is replaced.  The heads of its records are read,
 * and damage there is NPU_EFORMAT; a vector's checksum is compared when the
 * vector is read.  An empty file becomes an index, one of version 1 one of this
 * version.  One thread at a time.
 */
int index_open(struct index **ix, const char *path,
    const struct index_header *h, struct npu_err *err);
/* Syncs the file; the records are in it whatever this returns. */
int index_close(struct index *ix, struct npu_err *err);

/* Whether the vector under row's path, or its name if it has none, was made
 * from that content and is undamaged: a damaged one is made again and
 * replaced.  row->x is not used. */
bool index_has(const struct index *ix, const struct index_row *row);
/* Whether there is a vector under row's path, or its name if it has none. */
bool index_known(const struct index *ix, const struct index_row *row);
/* Copies a vector made from that content, under any name, to x[0..dim): the
 * same bytes need no second inference.  False if there is none. */
bool index_content(const struct index *ix,
    const uint8_t sha256[INDEX_SHA256], float *x);
uint64_t index_count(const struct index *ix);	/* names */

/*
 * Adds a row, replacing the older vector of that path or name.  A file that is
 * there replaces one of the same content that is gone: it was renamed.  Holds
 * the file's lock (flock(2)) meanwhile, waiting for it; first reads the records
 * that other writers have added, and removes one that a writer left incomplete.
 * Afterwards the whole record is there, or none of it.  NPU_EUSAGE for a number
 * that is not finite, and for a name that is too long.
 */
int index_add(struct index *ix, const struct index_row *row,
    struct npu_err *err);
/* Reads the records that other writers have added since. */
int index_catch_up(struct index *ix, struct npu_err *err);

/*
 * Opens the index to put another file in its place, and returns the descriptor,
 * which has the exclusive lock until it is closed.
 */
int index_lock(const char *path, struct npu_err *err);
/* The bytes of that file: the header, and then each row, for its place. */
int index_put_header(struct buf *b, const struct index_header *h,
    struct npu_err *err);
void index_put_row(struct buf *b, uint32_t dim, uint64_t at,
    const struct index_row *row);

/* ---- Reading ----------------------------------------------------------- */

struct index_map;

/*
 * Maps the file and finds its records; the descriptor is not kept.  A last
 * record that is not whole is left out; any other damage is NPU_EFORMAT.  The
 * file must not be cut while it is mapped: the kernel ends a program that reads
 * what is gone (SIGBUS).
 */
int index_map_fd(struct index_map **map, int fd, struct npu_err *err);
/* The same for a descriptor of index_lock(). */
int index_map_locked(struct index_map **map, int fd, struct npu_err *err);
/* The same over bytes, aligned as malloc() does, which must outlive the map. */
int index_map_bytes(struct index_map **map, const void *p, size_t n,
    struct npu_err *err);
void index_unmap(struct index_map *map);

/*
 * Reading in one pass, which is faster: records come while they are found, and
 * so before it is known which of them a later one replaces.
 *
 *	index_scan_fd(&map, fd, &err);
 *	while ((rc = index_scan_next(map, &row, &err)) > 0)
 *		...
 *	... index_scan_counts(map, i) ...
 *	rc = index_scan_end(map, &err);
 *
 * A scan holds the shared lock of fd, until its end.
 */
int index_scan_fd(struct index_map **map, int fd, struct npu_err *err);
int index_scan_bytes(struct index_map **map, const void *p, size_t n,
    struct npu_err *err);
/* Reads the next record: 1; 0 after the last; NPU_EFORMAT also for a damaged
 * record, which is not final: index_scan_end() determines whether it counts. */
int index_scan_next(struct index_map *map, struct index_row *row,
    struct npu_err *err);
/* Whether record i of those read so far, from 0, was not replaced by another of
 * them; until index_scan_end(). */
bool index_scan_counts(const struct index_map *map, uint64_t i);
/* At any time, also after a failure: does what index_map_fd() does beyond the
 * header, with its result.  From now on the map is a complete one. */
int index_scan_end(struct index_map *map, struct npu_err *err);

/* Valid until index_unmap(), like the rows. */
const struct index_header *index_map_header(const struct index_map *map);
uint64_t index_rows(const struct index_map *map);
/* Bytes of the file behind the last whole record, of the map of index_map_*()
 * or after index_scan_end(); 0 in an index that was closed. */
uint64_t index_tail(const struct index_map *map);
/* Reads row i, less than index_rows(), in the order of adding; NPU_EFORMAT if
 * its checksum is wrong. */
int index_row(const struct index_map *map, uint64_t i, struct index_row *row,
    struct npu_err *err);

#endif
