/* SPDX-License-Identifier: Apache-2.0 */
/* clip-tokenize -D. */
#ifndef UNTOKENIZE_H
#define UNTOKENIZE_H

#include "cmd.h"
#include "lines.h"

/*
 * Writes a text for each record of l: a line of ids, or, if the input begins
 * with a label, a row of a tensor.  Dies as "name: line N: reason".
 */
void untokenize(struct lines *l, struct npu_coder *coder, struct output *out);

#endif
