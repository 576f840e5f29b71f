/* SPDX-License-Identifier: Apache-2.0 */
/* Changes an index: removes vectors, or adds the vectors of another index. */
#ifndef VEC_INDEX_CHANGE_H
#define VEC_INDEX_CHANGE_H

#include "cmd.h"
#include "store/index.h"

/*
 * Rewrites the index without records that were replaced and, if prune is set,
 * without vectors of files that do not exist any more.  A damaged record ends
 * the program or, with keep_going, is left out.  Returns false if a record was
 * damaged.
 */
bool change_rewrite(const char *path, bool prune, bool keep_going);

/* Adds the vectors of the index other to the index path, which is created if it
 * does not exist.  A vector that path already has is not changed.  Dies on
 * failure. */
void change_merge(const char *path, const char *other);

/* Maps the index at path; *map is NULL if the file is empty. */
int change_map(const char *path, struct index_map **map, struct npu_err *err);

#endif
