/* SPDX-License-Identifier: Apache-2.0 */
/* Reads a model's inputs and outputs from a JSON file: an object that describes
 * the model, or the output of npu-info --json for one model. */
#ifndef CIX_PACK_MODEL_JSON_H
#define CIX_PACK_MODEL_JSON_H

#include "tensor_list.h"

/* Appends the tensors to the lists, which keep a pointer to path.  Returns the
 * model's name, owned by the caller, or NULL if the file does not name the
 * model.  Dies on failure. */
char *model_json_read(const char *path, struct tensor_list *in,
    struct tensor_list *out);

#endif
