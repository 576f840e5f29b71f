/* SPDX-License-Identifier: Apache-2.0 */
/* npu-run --ref=MODEL.onnx: how the results of a compiled model agree with the
 * results of its original. */
#ifndef NPU_RUN_AGREEMENT_H
#define NPU_RUN_AGREEMENT_H

#include "original.h"
#include "tensors/diff.h"

struct agreement;

/* npu is the compiled model; both it and *o must outlive the agreement.  *t has
 * no limits if the user gave none. */
struct agreement *agreement_open(const struct npu *npu, struct original *o,
    const struct tolerance *t);

/* Compares the results at out, of frame number frame, with the original's. */
void agreement_add(struct agreement *a, const uint8_t *out, uint64_t frame);

/* Writes the report, as text or JSON, to stdout, and frees *a.  Returns the
 * number of frames that are not within the tolerance.  name: the original's;
 * failed: the number of frames without results.  Dies if there was no frame. */
uint64_t agreement_report(struct agreement *a, const char *name, bool json,
    uint64_t failed);

#endif
