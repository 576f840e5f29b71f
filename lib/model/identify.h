/* SPDX-License-Identifier: Apache-2.0 */
/* Identifies a file that was given as a model, and its builder. */
#ifndef MODEL_IDENTIFY_H
#define MODEL_IDENTIFY_H

#include "model/cix.h"

/* Refuses files that are often mistaken for models, each by name. */
int identify_check(struct bytes file, struct npu_err *err);

/* The same for a file that must be an ONNX model. */
int identify_check_twin(struct bytes file, struct npu_err *err);

/* Sets m->builder to the run of printable bytes around the first "AIPUBuilder"
 * in file, which is not empty. */
void identify_builder(struct bytes file, struct cix_model *m);

#endif
