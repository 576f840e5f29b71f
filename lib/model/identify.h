/* SPDX-License-Identifier: Apache-2.0 */
/* What a file is that was given as a model, and who built it; for cix.c. */
#ifndef MODEL_IDENTIFY_H
#define MODEL_IDENTIFY_H

#include "model/cix.h"

/* Refuses, by name, what people give for a model by mistake. */
int identify_check(struct bytes file, struct npu_err *err);

/* m->builder: the run of printable bytes around the first "AIPUBuilder" of a
 * file that is not empty. */
void identify_builder(struct bytes file, struct cix_model *m);

#endif
