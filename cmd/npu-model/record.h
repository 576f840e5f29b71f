/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The record of a folder, FOLDER/.npu-model.json: which files get brought, from
 * where, and with which sum.  A change is made under a lock of the folder and
 * renamed into place: many processes lose no entry, and a reader, or a program
 * that is killed, sees the old or the new record.
 */
#ifndef NPU_MODEL_RECORD_H
#define NPU_MODEL_RECORD_H

#include <stddef.h>
#include <stdint.h>

#include "base/bytes.h"
#include "npu.h"
#include "sum.h"

#define RECORD_NAME ".npu-model.json"
#define RECORD_SCHEMA "npu-model/1"

enum {
	RECORD_LARGEST = 64 << 20,	/* bytes */
	RECORD_MOST = 200000,		/* entries */
};

/* One file.  record_add() copies the texts and sets the last two members. */
struct record_entry {
	char *file;		/* below the folder: relative_fault() is NULL */
	char *source;		/* URL */
	char *etag;		/* NULL: unknown */
	uint64_t size;
	struct sum sum;
	int64_t modified_ns;	/* when the file was last changed: a file with
				   this time and size has not changed since */
	char *date;		/* when get brought it: 2026-11-29T08:00:00Z */
};

struct record {
	struct record_entry *entry;	/* owned, with their texts */
	size_t n;
};

/* Reads the record; without a file, it is empty.  Fails with the name of the
 * record, the entry and what is wrong.  Free with record_free(). */
int record_read(struct record *r, const char *folder, struct npu_err *err);
/* Parses its text. */
int record_parse(struct record *r, struct bytes text, struct npu_err *err);
void record_free(struct record *r);
/* Returns the entry of a file, or NULL. */
const struct record_entry *record_find(const struct record *r,
    const char *file);

/* Adds entries for n files that are in the folder, or replaces their entries.
 * For many files, one call is much faster than many. */
int record_add(const char *folder, const struct record_entry *e, size_t n,
    struct npu_err *err);
/* Removes the entry of a file, if there is one. */
int record_remove(const char *folder, const char *file, struct npu_err *err);

#endif
