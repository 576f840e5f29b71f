/* SPDX-License-Identifier: Apache-2.0 */
/* ONNX Runtime: its functions, and objects that exist until the process
 * ends. */
#ifndef EMU_ORTLOAD_H
#define EMU_ORTLOAD_H

#include "emu/ort_api.h"
#include "npu.h"

struct ort_runtime {
	struct ort_api api;
	void *so;		/* the library */
	void *env, *memory;	/* until the process ends */
};

/* Finds and loads the runtime, unless an earlier call succeeded.  Calls after a
 * success cannot fail, and only such calls may pass NULL as err. */
int ort_runtime(const struct ort_runtime **r, struct npu_err *err);

/* Fails with the message of the OrtStatus, and releases the OrtStatus.  err
 * must not be NULL. */
int ort_fail(const struct ort_runtime *r, void *status, struct npu_err *err);

#endif
