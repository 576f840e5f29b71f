/* SPDX-License-Identifier: Apache-2.0 */
/* ONNX Runtime: its functions, and objects that live as long as the process. */
#ifndef EMU_ORTLOAD_H
#define EMU_ORTLOAD_H

#include "emu/ort_api.h"
#include "npu.h"

struct ort_runtime {
	struct ort_api api;
	void *env, *memory;	/* for the life of the process */
};

/* Finds and loads the runtime, until a call has succeeded; later calls cannot
 * fail, and only for these may err be NULL. */
int ort_runtime(const struct ort_runtime **r, struct npu_err *err);

/* Fails with the message of an OrtStatus, which is released.  err is not
 * NULL. */
int ort_fail(const struct ort_runtime *r, void *status, struct npu_err *err);

#endif
