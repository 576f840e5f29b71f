/* SPDX-License-Identifier: Apache-2.0 */
/* What a graph's jobs compute: nothing, a test program, or a twin. */
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

struct engine {
	enum emu_compute compute;
	struct ort_session *session;	/* EMU_TWIN */
	struct tensor_fit *in, *out;	/* EMU_TWIN: n_in and n_out */
	uint32_t n_in, n_out;
};

/* One computation, which another thread may stop; zeroed at first.  Guarded
 * by emu_lock. */
struct engine_run {
	void *options;		/* the runtime's, while it computes */
	bool stopped;
};

/*
 * Choose what m computes.  path: the model's, for its twin; NULL: it has none.
 * On failure *status is the documented one (libnoe-emu(7)).
 */
int engine_open(struct engine *e, const struct cix_graph *m, const char *path,
    noe_status_t *status, struct npu_err *err);
void engine_close(struct engine *e);

/* Whether a run takes time of its own, so that it is left to a core. */
bool engine_slow(const struct engine *e);

/* From j's inputs to its outputs.  Without emu_lock. */
int engine_run(struct emu_job *j, struct engine_run *run, struct npu_err *err);

/* Ends a run that is under way, soon.  With emu_lock held. */
void engine_stop(struct engine_run *run);

#endif
