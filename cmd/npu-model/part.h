/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Part files: the bytes that a fetch has so far.  NAME grows as .NAME.part,
 * beside the place that it will have; .NAME.part.json has the ETag and the sum.
 * Both names are hidden and end in neither .cix nor .onnx: no program takes
 * them for a model.  A fetch that works on a part holds a lock on the part
 * (flock).
 */
#ifndef NPU_MODEL_PART_H
#define NPU_MODEL_PART_H

#include <stdbool.h>
#include <stddef.h>

#define PART_END ".part"
#define PART_NOTE_END ".part.json"

/* Returns "FOLDER/.NAME.part" for "FOLDER/NAME".  The caller owns the
 * result. */
char *part_name(const char *path);
/* Returns "FOLDER/.NAME.part.json" for "FOLDER/NAME". */
char *part_note_name(const char *path);

/* True if name, without a folder, names a part or the note of a part. */
bool part_is_name(const char *name);

/*
 * Removes the part at part, FOLDER/.NAME.part, and its note, unless a fetch
 * works on it.  Returns 1; 0 if a fetch holds the lock; or -1 with errno.  The
 * lock is held meanwhile: a fetch that waits for it must look whether the part
 * still has its name.
 */
int part_remove(const char *part);

#endif
