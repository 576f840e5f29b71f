/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Lists the pictures in a folder and its subfolders, in order of their names.
 */
#ifndef CMD_PICTURES_PICTURE_TREE_H
#define CMD_PICTURES_PICTURE_TREE_H

#include <fts.h>

#include "pictures/output_dir.h"

struct picture_tree {
	/* Open folders that this run writes into, which are skipped; entries
	 * with path NULL do not count.  NULL, or ends with NULL. */
	const struct output_dir *const *written;
	struct folders read;	/* all folders that were opened */
	FTS *fts;		/* the folder being read, or NULL */
	const char *name;
};

/* Opens the folder at path, which must live until its last picture is read;
 * dies if it cannot. */
void picture_tree_open(struct picture_tree *t, const char *path);

/*
 * Sets *path to the next picture's path, valid until the next call.  Returns
 * false at the end, after closing the folder.  *why is NULL, or the reason why
 * *path, a folder, cannot be read.  Skips hidden names, files that do not begin
 * like a picture, links to files in folders that are written, and standard
 * output.
 */
bool picture_tree_next(struct picture_tree *t, const char **path,
    const char **why);

void picture_tree_close(struct picture_tree *t);

#endif
