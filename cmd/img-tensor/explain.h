/* SPDX-License-Identifier: Apache-2.0 */
/* img-tensor --explain: how pictures become tensors. */
#ifndef IMG_TENSOR_EXPLAIN_H
#define IMG_TENSOR_EXPLAIN_H

#include "pictures/preprocess_options.h"

/* Adds the recipe of p as text or as one JSON document; fast: JPEGs are shrunk
 * as they are decoded. */
void explain_recipe(struct buf *out, const struct preprocess_options *c,
    const struct prep *p, bool fast, bool json);

#endif
