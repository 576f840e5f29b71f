/* SPDX-License-Identifier: Apache-2.0 */
/* Paths of installed files, of models, and of the folder of --root. */
#ifndef CMD_PATHS_H
#define CMD_PATHS_H

#include <stdbool.h>

#include "npu.h"

/*
 * Returns the path of an installed file ("share/npu-utils/NAME",
 * "lib/npu-utils/NAME"): relative to the running program, else below the PREFIX
 * that the program was built with.  NULL if neither has the file.  The caller
 * owns the result.
 */
char *cmd_data_path(const char *relative);

/* True if --root names the files of this machine. */
bool cmd_own_root(const char *path);
/* Returns the folder of --root, or "" for this machine's.  Dies if it cannot be
 * read, because everything in it would seem to be missing. */
const char *cmd_root(const char *path);
/* Does the same for *path, with the reason in *err. */
int cmd_try_root(const char **path, struct npu_err *err);

/*
 * Returns the file for a model's name.  A name with a slash is a path; other
 * names are searched in the working directory, NPU_MODEL_PATH, the user's own
 * models and the installed models; for an installed model it prints a note.
 * Dies with a message that names every folder tried.  The caller owns the
 * result.
 */
char *cmd_model_path(const char *name);
/* Does the same, but returns NULL with the folders in *err. */
char *cmd_find_model(const char *name, struct npu_err *err);
/*
 * Returns the folder of the user's own models, which need not exist: below
 * $XDG_DATA_HOME or, if that is not an absolute path, ~/.local/share.  NULL
 * without either.  The caller owns the result.
 */
char *cmd_user_models(void);

#endif
