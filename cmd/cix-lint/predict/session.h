/* SPDX-License-Identifier: Apache-2.0 */
/* Runs an instrumented model in ONNX Runtime, one sample after the other. */
#ifndef CIX_LINT_PREDICT_SESSION_H
#define CIX_LINT_PREDICT_SESSION_H

#include "cix-lint/calibration/samples.h"
#include "instrument.h"

struct model_session {
	const struct net *net;
	struct npu *npu;
	uint8_t *in, *out;
	float *figures;		/* of the last run */
	size_t n_figures;
};

/*
 * Opens the model, and frees it.  Sizes that the model leaves open are as in
 * the data: array[i] is the array for input i.  Dies.
 */
void session_open(struct model_session *s, const struct net *net,
    struct instrumented *m, const struct samples *data, const size_t *array);
void session_close(struct model_session *s);

/* Returns how many runs the data is enough for.  Dies if it does not fit the
 * inputs. */
uint64_t session_runs(const struct model_session *s, const struct samples *data,
    const size_t *array);

/* Runs with the sample, or samples, of run i.  Dies. */
void session_run(struct model_session *s, struct samples *data,
    const size_t *array, uint64_t i);

/* Returns output i of the model, and its bytes. */
const struct npu_tensor *session_output(const struct model_session *s,
    uint32_t i, const void **data);

#endif
