/* SPDX-License-Identifier: Apache-2.0 */
/* The computation of a graph's jobs: nothing, a test program, or a twin. */
#ifndef EMU_ENGINE_H
#define EMU_ENGINE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/bytes.h"
#include "emu/settings.h"
#include "noe_abi.h"
#include "npu.h"

struct emu_job;
struct cix_graph;
struct ort_session;
struct stop_token;

struct engine {
	enum emu_compute compute;
	bool itself;		/* the model is an ONNX file, its own twin */
	const struct noe_emu_onnx *onnx;	/* while it is opened; or
						   NULL */
	struct ort_session *session;	/* EMU_TWIN */
	struct tensor_fit *in, *out;	/* EMU_TWIN: n_in and n_out */
	uint32_t *in_at, *out_at;	/* indices in the twin */
	uint32_t n_in, n_out;
};

/*
 * Chooses the computation of m.  path: the model's file, to find its twin; NULL
 * if the model is not a file.  On failure *status is the documented status
 * (libnoe-emu(7)).
 */
int engine_open(struct engine **e, const struct cix_graph *m, const char *path,
    noe_status_t *status, struct npu_err *err);
/* Does the same for an ONNX model that m describes. */
int engine_open_onnx(struct engine **e, const struct cix_graph *m,
    const struct noe_emu_onnx *onnx, noe_status_t *status,
    struct npu_err *err);
void engine_close(struct engine *e);		/* NULL is allowed */

/* Returns whether a run takes real time and therefore needs a core. */
bool engine_slow(const struct engine *e);

/* Computes j's outputs from its inputs until token is stopped.  Call it without
 * emu_lock. */
int engine_run(struct emu_job *j, struct stop_token *token,
    struct npu_err *err);

#endif
