/* SPDX-License-Identifier: Apache-2.0 */
/* The folders of models: the folders in NPU_MODEL_PATH, then the user's own. */
#ifndef NPU_MODEL_FOLDER_H
#define NPU_MODEL_FOLDER_H

#include <stddef.h>

struct model_folders {
	char **path;		/* owned, each and all */
	size_t n;
};

/* Lists the folders in the order in which programs search them. */
void folders_open(struct model_folders *f);
void folders_close(struct model_folders *f);
/* Returns the path of the first file with this name; NULL: none has it.  The
 * caller owns the result. */
char *folders_find(const struct model_folders *f, const char *name);

/*
 * Returns where a model is to be put: the first folder of NPU_MODEL_PATH that
 * can be written, else the user's own, which need not exist yet.  Dies if
 * neither can be used.  The caller owns the result.
 */
char *folder_for_models(void);

/* Makes the folder and those above it, if they do not exist.  Dies. */
void folder_make(const char *path);

/* Returns "FOLDER/NAME".  The caller owns the result. */
char *folder_join(const char *folder, const char *name);

#endif
