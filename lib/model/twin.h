/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds the ONNX twin of a model: libnoe-emu(7), THE TWIN.  This is the only
 * part of lib/model that reads files: the emulator computes with the twin, and
 * programs read class names from the twin.
 */
#ifndef MODEL_TWIN_H
#define MODEL_TWIN_H

#include "npu.h"

/*
 * Finds the file that NPU_TWIN names for the model at path (NULL: a model
 * without a name).  Returns 1 and the path in *file, which the caller frees; 0
 * if NPU_TWIN does not name a file for it; < 0 if the file cannot be used.
 */
int twin_named(const char *path, char **file, struct npu_err *err);

/*
 * Does the same with files around the model: STEM.onnx next to it, the
 * input_model of a cfg/ *.cfg, the only model/ *.onnx.  If none exists, fails
 * with NPU_EUSAGE; the message lists all paths tried.  A file that is not
 * regular is another error.
 */
int twin_around(const char *path, char **file, struct npu_err *err);

#endif
