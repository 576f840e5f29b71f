/* SPDX-License-Identifier: Apache-2.0 */
/* A model's inputs and outputs from a JSON file: the model itself, or a
 * document of npu-info --json with one model. */
#ifndef CIX_PACK_MODEL_JSON_H
#define CIX_PACK_MODEL_JSON_H

#include "tensor_list.h"

/* Appends the tensors to the lists, by which path is used; dies.  Returns the
 * model's name, owned by the caller; NULL: it has none. */
char *model_json_read(const char *path, struct tensor_list *in,
    struct tensor_list *out);

#endif
