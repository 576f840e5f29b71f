/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sessions of ONNX Runtime, which is loaded at run time.  Its C API is a table
 * of functions to which releases only append, so a few functions selected by
 * number work with every release from 1.17 to 1.30.  A session does not
 * spin, and the runtime has no telemetry.
 */
#ifndef EMU_ORT_H
#define EMU_ORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/bytes.h"
#include "noe_abi.h"
#include "npu.h"

#define ORT_MAX_NAME 128

struct ort_session;

/* One input or output of a session. */
struct ort_tensor {
	char name[ORT_MAX_NAME];	/* truncated; for messages only */
	uint32_t dtype;			/* enum npu_dtype; NPU_NONE: other */
	int onnx_type;			/* ONNX's number of the type */
	size_t ndim;
	int64_t dim[NPU_MAX_DIMS + 2];	/* < 0: not fixed */
};

/*
 * Opens a session.  The first call in a process loads the runtime; NPU_ENODEV
 * means that it was not found, and the message lists every path tried.  onnx
 * need not outlive the call.  file: NULL, or the path to read instead of onnx,
 * for a model with weights in other files.  model: threads and
 * provider; NULL: one thread on the processor.
 */
int ort_open(struct ort_session **s, struct bytes onnx, const char *file,
    const struct noe_emu_onnx *model, struct npu_err *err);
void ort_close(struct ort_session *s);

uint32_t ort_inputs(const struct ort_session *s);
uint32_t ort_outputs(const struct ort_session *s);
/* Valid until ort_close(). */
const struct ort_tensor *ort_input(const struct ort_session *s, uint32_t i);
const struct ort_tensor *ort_output(const struct ort_session *s, uint32_t i);

/* The elements of one tensor, in the runtime's type. */
struct ort_data {
	void *p;
	size_t count;		/* elements */
	int64_t dim[NPU_MAX_DIMS + 2];	/* shape of an input, all known */
	void *value;		/* the runtime's; free with ort_free() */
};

/* Lets another thread stop a run.  Must be zero at first.  Guarded by
 * emu_lock. */
struct stop_token {
	void *options;		/* the runtime's, during a run */
	bool stopped;
};

/*
 * Runs the model.  in and out have ort_inputs() and ort_outputs() members.  The
 * runtime owns each out[i].p, which is valid until ort_free(out[i]).  Takes
 * emu_lock.
 */
int ort_run(struct ort_session *s, struct ort_data *in, struct ort_data *out,
    struct stop_token *token, struct npu_err *err);
void ort_free(struct ort_data *d);

/* Ends the run that has the token: soon if it has begun, otherwise as soon as
 * it begins.  Requires emu_lock. */
void ort_stop(struct stop_token *token);

#endif
