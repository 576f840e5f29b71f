/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The vendor's execution provider of ONNX Runtime, which compiles an ONNX model
 * and runs it on the NPU: Arm-China/Compass_Onnxruntime 6831023d, folder
 * zhouyi.  Tested with a stand-in for that runtime; no hardware has run this.
 */
#ifndef EMU_PROVIDER_H
#define EMU_PROVIDER_H

#include <stdbool.h>

#include "emu/ortload.h"
#include "noe_abi.h"

/*
 * Adds the provider to the options of a session that is made next, and sets the
 * variables that the provider reads.  cached: the session is made from the
 * file that provider_find_cache() returned, and makes no cache.  Fails with
 * NPU_ENODEV if the runtime does not have the provider.  After a success, call
 * provider_remove() when the session is closed.
 */
int provider_add(const struct ort_runtime *r, void *options,
    const struct noe_emu_onnx *model, bool cached, struct npu_err *err);

/* Removes the files of the compiler when the last session is closed. */
void provider_remove(void);

/* Returns the file that a session with this cache is made from: the cache if it
 * exists, else NULL.  Fails if the cache is older than the model. */
int provider_find_cache(const struct noe_emu_onnx *model, const char **file,
    struct npu_err *err);

/* Moves the new cache to its name.  Fails if the provider wrote none. */
int provider_keep_cache(const struct noe_emu_onnx *model, struct npu_err *err);

#endif
