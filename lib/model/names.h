/* SPDX-License-Identifier: Apache-2.0 */
/* Tensor names and shapes from the container, for cix.c. */
#ifndef MODEL_NAMES_H
#define MODEL_NAMES_H

#include "model/cix.h"
#include "model/flatbuf.h"

struct names;			/* the container's tensors by name */

/* Checks all of v and keeps the entries.  Free with names_free(). */
int names_open(struct names **names, const struct fb_vector *v,
    struct npu_err *err);
void names_free(struct names *n);

/*
 * Sets the names of the n tensors at t from list, if list has n names, and the
 * shapes from the table.  If a shape contradicts the size of its tensor, the
 * entry belongs to another tensor, and name and shape are left out.
 */
void names_apply(const struct names *names, const struct fb_vector *list,
    struct cix_tensor *t, size_t n);

/* Copies s to dst, printable, truncated to fit, and with a final NUL: text from
 * a file must not control a terminal. */
void names_copy(char *dst, size_t n, struct bytes s);

#endif
