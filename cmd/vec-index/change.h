/* SPDX-License-Identifier: Apache-2.0 */
/* An index that becomes another: by fewer vectors, or by those of others. */
#ifndef VEC_INDEX_CHANGE_H
#define VEC_INDEX_CHANGE_H

#include "cmd.h"
#include "store/index.h"

/* Rewrites the index, without what was replaced and, if prune is set,
 * without vectors of files that are gone.  True unless keep_going left out
 * damaged ones; dies. */
bool change_rewrite(const char *path, bool prune, bool keep_going);

/* Adds the vectors of an index to path, which is made if there is none.  What
 * path has already stays as it is.  Dies. */
void change_merge(const char *path, const char *other);

/* The index at path; *map is NULL if the file is empty. */
int change_map(const char *path, struct index_map **map, struct npu_err *err);

#endif
