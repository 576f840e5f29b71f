/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The index file: vectors with names, append-only, vec-index(5).  A writer adds
 * whole records, one at a time, while other writers and readers use the file.
 * A reader maps the file and sees the records that were complete at that time.
 *
 * Failures are as in npu.h; messages give the offset: "record at 4352: ...".
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
	INDEX_MAX_TEXT = 16384,		/* of the model's name, and of the
					   preprocessing */
};

#define INDEX_MAGIC "NPUINDEX"		/* the first 8 bytes */

enum index_norm { INDEX_NORM_NONE = 0, INDEX_NORM_L2 = 1 };
enum index_kind { INDEX_ANY = 0, INDEX_TEXT = 1, INDEX_IMAGE = 2 };

/* Properties of all vectors in an index.  The texts are UTF-8 by convention,
 * without a NUL; NULL is read as "". */
struct index_header {
	uint32_t version;		/* version of a file that was read */
	uint32_t dim;			/* 1 to INDEX_MAX_DIM */
	enum index_norm norm;
	enum index_kind kind;
	uint8_t model_sha256[INDEX_SHA256];	/* all 0: unknown */
	const char *model;		/* the model's name, for users */
	const char *preprocessing;	/* "crop 224x224 bicubic rgb ..." */
};

/* Return "l2" or "none"; "text", "image" or "any". */
const char *index_norm_name(enum index_norm norm);
const char *index_kind_name(enum index_kind kind);

/* Returns false for a hash of zeros, which means unknown. */
bool index_is_known(const uint8_t sha256[INDEX_SHA256]);
/* Writes a hash as 64 digits and a NUL. */
void index_hex(const uint8_t sha256[INDEX_SHA256], char hex[65]);

/*
 * A vector and its names: the name given by the user and, for the vector of a
 * file, the file's absolute path.  With a path, the path identifies the vector;
 * otherwise the name does.
 */
struct index_row {
	const char *id;		/* n bytes, no NUL after */
	size_t n;
	const char *path;	/* path_n bytes, no NUL after; NULL: none */
	size_t path_n;
	const uint8_t *sha256;	/* hash of the content */
	const float *x;		/* dim numbers, aligned to 64 bytes */
};

/* Returns whether the row has a path at which no file exists. */
bool index_row_gone(const struct index_row *row);

/* ---- Writing ----------------------------------------------------------- */

struct index;

/*
 * Opens the index at path to add vectors to it.  A file that does not exist is
 * created, and appears at once with its complete header.  An existing index
 * must agree with *h in dim, norm, kind, model hash and preprocessing;
 * otherwise fails with NPU_EUSAGE, naming both values, but replaces an index
 * that has no records.  Reads the headers of its records; damage there is
 * NPU_EFORMAT.  A vector's checksum is checked when the vector is read.  An
 * empty file becomes an index, and an index of version 1 becomes an index of
 * this version.  Only one thread may use an index at a time.
 */
int index_open(struct index **ix, const char *path,
    const struct index_header *h, struct npu_err *err);
/* Syncs the file; the records are in the file even if this fails. */
int index_close(struct index *ix, struct npu_err *err);

/*
 * Returns whether the vector with row's path (or its name, if it has no path)
 * was made from this content and is undamaged.  A damaged vector must be made
 * again and is then replaced.  row->x is not used.
 */
bool index_has(const struct index *ix, const struct index_row *row);
/* Returns whether there is a vector with row's path, or with its name if it has
 * no path. */
bool index_known(const struct index *ix, const struct index_row *row);
/* Copies a vector made from this content, under any name, to x[0..dim): equal
 * bytes need no second inference.  Returns false if no such vector exists. */
bool index_content(const struct index *ix,
    const uint8_t sha256[INDEX_SHA256], float *x);
uint64_t index_count(const struct index *ix);	/* number of names */

/*
 * Adds a row; it replaces the older vector with this path or name.  A file that
 * exists also replaces a file with the same content that no longer exists,
 * because it was renamed.  Waits for the file's lock (flock(2)) and holds it
 * meanwhile.  First reads the records that other writers have added, and
 * removes a record that a writer left incomplete.  Afterwards the file has the
 * whole record or nothing of this record.  Fails with NPU_EUSAGE for a number
 * that is not finite, and for a name that is too long.
 */
int index_add(struct index *ix, const struct index_row *row,
    struct npu_err *err);
/* Reads the records that other writers have added since the last call. */
int index_catch_up(struct index *ix, struct npu_err *err);

/* Opens the index to replace it by another file.  Returns the descriptor, which
 * has the exclusive lock until it is closed. */
int index_lock(const char *path, struct npu_err *err);
/* Write the bytes of the new file: first the header, then each row with its
 * offset at. */
int index_put_header(struct buf *b, const struct index_header *h,
    struct npu_err *err);
void index_put_row(struct buf *b, uint32_t dim, uint64_t at,
    const struct index_row *row);

/* ---- Reading ----------------------------------------------------------- */

struct index_map;

/*
 * Maps the file and finds its records; the descriptor is not kept.  An
 * incomplete last record is left out; any other damage is NPU_EFORMAT.  The
 * file must not be truncated while it is mapped: the kernel ends a program that
 * reads bytes that are gone (SIGBUS).
 */
int index_map_fd(struct index_map **map, int fd, struct npu_err *err);
/* Does the same for a descriptor from index_lock(). */
int index_map_locked(struct index_map **map, int fd, struct npu_err *err);
/* Does the same for bytes in memory, aligned as by malloc(), which must outlive
 * the map. */
int index_map_bytes(struct index_map **map, const void *p, size_t n,
    struct npu_err *err);
void index_unmap(struct index_map *map);

/*
 * Reading in one pass, which is faster: records are returned while they are
 * searched for, and so before it is known which records are replaced by later
 * ones.
 *
 *	index_scan_fd(&map, fd, &err);
 *	while ((rc = index_scan_next(map, &row, &err)) > 0)
 *		...
 *	... index_scan_counts(map, i) ...
 *	rc = index_scan_end(map, &err);
 *
 * A scan holds the shared lock of fd until its end.
 */
int index_scan_fd(struct index_map **map, int fd, struct npu_err *err);
int index_scan_bytes(struct index_map **map, const void *p, size_t n,
    struct npu_err *err);
/*
 * Reads the next record.  Returns 1, or 0 after the last record.  Fails with
 * NPU_EFORMAT also for a damaged record, which is not final: index_scan_end()
 * determines whether the record counts.
 */
int index_scan_next(struct index_map *map, struct index_row *row,
    struct npu_err *err);
/* Returns whether record i of the records read so far, from 0, was not replaced
 * by another of these records.  Call before index_scan_end(). */
bool index_scan_counts(const struct index_map *map, uint64_t i);
/*
 * May be called at any time, also after a failure.  Does what index_map_fd()
 * does after the header, with the same result.  From now on the map is
 * complete.
 */
int index_scan_end(struct index_map *map, struct npu_err *err);

/* The results are valid until index_unmap(), like the rows. */
const struct index_header *index_map_header(const struct index_map *map);
uint64_t index_rows(const struct index_map *map);
/* Returns the number of bytes after the last whole record, for a map from
 * index_map_*() or after index_scan_end(); 0 for an index that was closed. */
uint64_t index_tail(const struct index_map *map);
/* Reads row i, less than index_rows(), in the order of adding.  Fails with
 * NPU_EFORMAT if its checksum is wrong. */
int index_row(const struct index_map *map, uint64_t i, struct index_row *row,
    struct npu_err *err);

#endif
