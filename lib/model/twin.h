/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds the ONNX twin of a model: libnoe-emu(7), THE TWIN.  This is the one
 * part of lib/model that reads files: the emulator computes with the twin, and
 * programs read the names of classes from it.
 */
#ifndef MODEL_TWIN_H
#define MODEL_TWIN_H

#include "npu.h"

/*
 * The file that NPU_TWIN names for the model at path (NULL: one without a
 * name).  1: *file is its path, for free(); 0: it names none; < 0: it cannot be
 * used.
 */
int twin_named(const char *path, char **file, struct npu_err *err);

/*
 * The same from files around the model: STEM.onnx beside it, the input_model of
 * a cfg/ *.cfg, the only model/ *.onnx.  NPU_EUSAGE: there is none; the message
 * has all that was tried.  A file that is not regular is another error.
 */
int twin_around(const char *path, char **file, struct npu_err *err);

#endif
