/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A part file while a fetch works on it.  The lock of the part (flock) belongs
 * to the fetch until part_close(), also after the part got its final name: a
 * second fetch of the file waits for it.
 */
#ifndef NPU_MODEL_PART_FILE_H
#define NPU_MODEL_PART_FILE_H

#include <stdbool.h>
#include <stdint.h>

#include "npu.h"
#include "sum.h"

/* What is known of the bytes in the part, saved in .NAME.part.json. */
struct part_note {
	char etag[256];		/* "": the server gave none */
	struct sum sum;		/* that the whole file must have, or "" */
	bool whole;		/* all bytes are here */
};

struct part_file {
	char *name;		/* owned: FOLDER/.NAME.part */
	char *note_name;	/* owned */
	int fd;			/* locked */
	uint64_t size;		/* bytes that are here */
	struct part_note note;
};

/*
 * Opens or makes the part of the file at path and locks it.  Returns 0; 1 if it
 * waited for another fetch, which has finished or removed the part: look at
 * path again; or a negative code.
 */
int part_open(struct part_file *p, const char *path, struct npu_err *err);
void part_close(struct part_file *p);

/* Empties the part and saves the note, before the first byte of a file. */
int part_begin(struct part_file *p, const struct part_note *note,
    struct npu_err *err);
int part_append(struct part_file *p, const void *bytes, size_t n,
    struct npu_err *err);
/* Saves that the part is whole. */
int part_is_whole(struct part_file *p, struct npu_err *err);
/* Removes the bytes, which do not belong to the file. */
void part_drop(struct part_file *p);

/*
 * Syncs the part and renames it to path, which must not exist unless replace is
 * set.  Then removes the note.
 */
int part_finish(struct part_file *p, const char *path, bool replace,
    struct npu_err *err);

#endif
