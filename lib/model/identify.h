/* SPDX-License-Identifier: Apache-2.0 */
/* Identifies a file that was passed as a model, and its builder. */
#ifndef MODEL_IDENTIFY_H
#define MODEL_IDENTIFY_H

#include "model/cix.h"

/* Refuses files that are often mistaken for models; the message names the
 * format. */
int identify_check(struct bytes file, struct npu_err *err);

/* Does the same for a file that must be an ONNX model. */
int identify_check_twin(struct bytes file, struct npu_err *err);

/* Sets m->builder to the run of printable bytes around the first "AIPUBuilder"
 * in file.  file must not be empty. */
void identify_builder(struct bytes file, struct cix_model *m);

#endif
