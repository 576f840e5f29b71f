/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where the ONNX twin of a model is: libnoe-emu(7), THE TWIN.  The one part of
 * lib/model that looks at files: the emulator computes with the twin, and
 * programs read the names of classes from it.
 */
#ifndef MODEL_TWIN_H
#define MODEL_TWIN_H

#include "npu.h"

/*
 * The file that NPU_TWIN gives to the model at path (NULL: one without a name).
 * 1: *file is its path, for free(); 0: it gives none; < 0: it is no use.
 */
int twin_named(const char *path, char **file, struct npu_err *err);

/*
 * The same for what lies around the model: STEM.onnx beside it, the
 * input_model of a cfg/ *.cfg, the only model/ *.onnx.  NPU_EUSAGE: there is
 * none, and the message says all that was tried; what is there and no regular
 * file is another error.
 */
int twin_around(const char *path, char **file, struct npu_err *err);

#endif
