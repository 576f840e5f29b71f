/* SPDX-License-Identifier: Apache-2.0 */
/* An index for writers: the file, and what was read from it. */
#ifndef STORE_INDEX_IMPL_H
#define STORE_INDEX_IMPL_H

#include "store/layout.h"
#include "store/table.h"

struct index {
	int fd;
	char *path;		/* owned; to detect that the file was
				   replaced */
	struct index_header header;
	uint64_t end;		/* end of the last whole record */
	/* The mapped file; only bytes below end may be read. */
	uint8_t *map;
	size_t mapped;
	struct index_table ids, contents;
	struct buf record;	/* the record being added */
};

static inline struct bytes
index_file(const struct index *ix, uint64_t n)
{
	return (struct bytes){ ix->map, (size_t)n };
}

/* Adds the record at ix->end, whose header is valid, to the tables. */
int index_note_record(struct index *ix, struct npu_err *err);
/* Returns the offset of the record that row replaces; 0: none. */
uint64_t index_older(const struct index *ix, const struct index_row *row);

#endif
