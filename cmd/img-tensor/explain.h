/* SPDX-License-Identifier: Apache-2.0 */
/* img-tensor --explain: describes how pictures are converted to tensors. */
#ifndef IMG_TENSOR_EXPLAIN_H
#define IMG_TENSOR_EXPLAIN_H

#include "pictures/preprocess_options.h"

/* Adds the recipe of p as text or as a JSON document.  fast: large JPEGs are
 * decoded at a reduced size (--fast). */
void explain_recipe(struct buf *out, const struct preprocess_options *c,
    const struct prep *p, bool fast, bool json);

#endif
