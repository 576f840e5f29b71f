/* SPDX-License-Identifier: Apache-2.0 */
#ifndef EMU_ORTLOAD_H
#define EMU_ORTLOAD_H

#include "emu/ort_api.h"
#include "npu.h"

struct ort_runtime {
	struct ort_api api;
	void *env, *memory;	/* for the life of the process */
};

/* Found and loaded by the first call that succeeds; none fails after it.  err
 * may be NULL then, and only then. */
int ort_runtime(const struct ort_runtime **r, struct npu_err *err);

/* Fails with the message of an OrtStatus, which is released.  err is given. */
int ort_fail(const struct ort_runtime *r, void *status, struct npu_err *err);

#endif
