/* SPDX-License-Identifier: Apache-2.0 */
/* An index as its writers see it: the file, and what is known of it. */
#ifndef STORE_INDEX_IMPL_H
#define STORE_INDEX_IMPL_H

#include "store/layout.h"
#include "store/table.h"

struct index {
	int fd;
	char *path;		/* owned: to find who took the file's place */
	struct index_header header;
	uint64_t end;		/* of the last whole record */
	/* The mapped file; only bytes below end may be touched. */
	uint8_t *map;
	size_t mapped;
	struct index_table ids, contents;
	struct buf record;	/* the one being added */
};

static inline struct bytes
index_file(const struct index *ix, uint64_t n)
{
	return (struct bytes){ ix->map, (size_t)n };
}

/* Adds the record at ix->end, whose head is sound, to the tables. */
int index_note_record(struct index *ix, struct npu_err *err);
/* Where the record is that row replaces; 0: none. */
uint64_t index_older(const struct index *ix, const struct index_row *row);

#endif
