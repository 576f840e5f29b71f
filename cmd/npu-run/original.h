/* SPDX-License-Identifier: Apache-2.0 */
/*
 * npu-run --ref=MODEL.onnx: runs the ONNX model that a model was compiled from
 * on the same inputs.
 */
#ifndef NPU_RUN_ORIGINAL_H
#define NPU_RUN_ORIGINAL_H

#include <stdbool.h>
#include <stdint.h>

#include "npu.h"

struct original;

/* True if the file at path begins like an ONNX file. */
bool original_is_onnx(const char *path);

/*
 * Opens the ONNX model.  depth: most frames between original_run() and
 * original_drop().  Dies if its inputs or outputs do not correspond to those of
 * npu.
 */
struct original *original_open(const char *path, const struct npu *npu,
    unsigned depth);
/* Closes the model; the comparison of its results may follow. */
void original_close(struct original *o);
/* The same for exits of the program; does nothing if no model is open. */
void original_close_opened(void);

/* Runs a frame, the inputs of npu, as numbers in the types of the ONNX model.
 * Dies with the number of the frame. */
void original_run(struct original *o, const void *inputs, uint64_t frame);
/* Returns the result of the oldest frame as floats, for output i of npu. */
const float *original_output(const struct original *o, uint32_t i);
/* Forgets the oldest frame. */
void original_drop(struct original *o);

/* Returns the ONNX model's tensor for output i of npu. */
const struct npu_tensor *original_tensor(const struct original *o, uint32_t i);

#endif
