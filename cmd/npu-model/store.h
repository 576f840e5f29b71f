/* SPDX-License-Identifier: Apache-2.0 */
/* The models that are here: in the folders of models, with their records. */
#ifndef NPU_MODEL_STORE_H
#define NPU_MODEL_STORE_H

#include "catalogue.h"
#include "folder.h"
#include "record.h"

struct store {
	struct model_folders folders;
	struct record *record;		/* owned: one for each folder */
};

/* Reads the records of all folders.  A record that cannot be read is reported,
 * and counts as empty. */
void store_open(struct store *s);
void store_close(struct store *s);

/* One file or folder that is here, or is not. */
struct stored {
	char *path;		/* owned; NULL: not here */
	const char *folder;	/* which folder of models it is in */
	const struct record *record;	/* of this folder of models */
	const struct record_entry *entry;	/* NULL: get did not bring it,
						   or it is a folder */
};

/* Finds a file, or a folder for a name with '/' at its end, in the folders in
 * their order.  Free found->path. */
void store_find(const struct store *s, const char *file, struct stored *found);

/*
 * Returns the state of what was found for file: "no" (not here), "good" (get
 * brought it, and its size and time are the same since), "changed" (they are
 * not), "unchecked" (get did not bring it), or what it is in place of the
 * model: "pointer", "damaged" and so on.  A folder is good if all files are
 * that get brought into it.
 */
const char *store_state(const struct stored *found, const char *file);

/* True if the file's size and time are those of its entry. */
bool store_is_unchanged(const char *path, const struct record_entry *e);

/* Returns the file of a name: a model of the table, or NAME itself.  Not
 * owned. */
const char *store_file_of(const struct model_catalogue *c, const char *name);

#endif
