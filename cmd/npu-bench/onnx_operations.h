/* SPDX-License-Identifier: Apache-2.0 */
/* The operations of one inference, from an ONNX file. */
#ifndef NPU_BENCH_ONNX_OPERATIONS_H
#define NPU_BENCH_ONNX_OPERATIONS_H

#include "npu.h"

/*
 * Counts the operations in an ONNX file: two for each multiply-accumulate.
 * Fails if the file cannot be read, is not an ONNX model, or has nodes whose
 * operations are not known.  The message begins with the file's name.
 */
int onnx_operations(const char *name, double *ops, struct npu_err *err);

#endif
