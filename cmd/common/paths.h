/* SPDX-License-Identifier: Apache-2.0 */
/* Paths of our installed files, of models, and of the folder of --root. */
#ifndef CMD_PATHS_H
#define CMD_PATHS_H

#include <stdbool.h>

#include "npu.h"

/*
 * The path of an installed file ("share/npu-utils/NAME", "lib/npu-utils/NAME"):
 * relative to the running program, else below the PREFIX it was built with.
 * NULL if it is in neither.  Owned by the caller.
 */
char *cmd_data_path(const char *relative);

/* Whether --root names the files of this machine. */
bool cmd_own_root(const char *path);
/* The folder of --root, "" for that of this machine.  Dies if it cannot be
 * read, as everything in it would seem absent. */
const char *cmd_root(const char *path);
/* The same for *path, with the reason in *err. */
int cmd_try_root(const char **path, struct npu_err *err);

/*
 * The file of a model's name: with a slash the path itself; else in the working
 * directory, NPU_MODEL_PATH or the installed models, of which it prints a
 * note.  Dies naming every folder tried.  Owned by the caller.
 */
char *cmd_model_path(const char *name);
/* The same; NULL with those folders in *err. */
char *cmd_find_model(const char *name, struct npu_err *err);

#endif
