/* SPDX-License-Identifier: Apache-2.0 */
/* Tensor names and shapes out of the container, for cix.c. */
#ifndef MODEL_NAMES_H
#define MODEL_NAMES_H

#include "model/cix.h"
#include "model/flatbuf.h"

struct names;			/* the container's tensor table, by name */

/* Checks the whole of v and keeps it; free with names_free(). */
int names_open(struct names **names, const struct fb_vector *v,
    struct npu_err *err);
void names_free(struct names *n);

/*
 * Names the first n of t by the strings of list, if they are as many, and
 * gives them the table's shapes.  Where a shape contradicts the size of its
 * tensor, name and shape are left out: the entry is not about this tensor.
 */
void names_apply(const struct names *names, const struct fb_vector *list,
    struct cix_tensor *t, size_t n);

/* Printable text of s, cut to fit dst, always NUL-terminated: what a file
 * says must not be able to control a terminal. */
void names_copy(char *dst, size_t n, struct bytes s);

#endif
