// SPDX-License-Identifier: Apache-2.0
/* run.c - runs one command: writes its packet, and waits for its end. */
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "base/clock.h"
#include "base/err.h"
#include "device/xdna/impl.h"

/* ---- The packet -------------------------------------------------------- */

/* Writes v, or its low bytes, into the register map that begins at map. */
static void
put(uint8_t *map, const struct xdna_register *r, uint64_t v)
{
	memcpy(map + r->at, &v, r->size < sizeof(v) ? r->size : sizeof(v));
}

/* Writes the command: a word of state, the mask of units, the register map. */
static void
write_packet(struct xdna *x)
{
	const struct xdna_job *j = &x->job;
	uint32_t words = (j->registers + 3) / 4;
	uint32_t head[2] = { XDNA_PACKET(words + 1), 1 };
	uint8_t *map = x->command.p + sizeof(head);

	memset(map, 0, (size_t)words * 4);
	put(map, &j->opcode, XDNA_OPCODE);
	put(map, &j->instr, x->instructions.address);
	put(map, &j->ninstr, j->ninstr_words ? j->instructions.n / 4 :
	    j->instructions.n);
	for (unsigned i = 0; i < j->buffers; i++)
		if (x->buffer[i].handle != 0)
			put(map, &j->buffer[i].address, x->buffer[i].address);
	memcpy(x->command.p, head, sizeof(head));
}

/* ---- The caches -------------------------------------------------------- */

/*
 * Syncs inputs and outputs, because the device does not see the processor's
 * caches.  Outputs also: a cache line written back later would overwrite what
 * the device wrote.
 */
static int
sync_before(struct xdna *x, struct npu_err *err)
{
	int rc;

	for (unsigned i = 0; i < x->job.buffers; i++)
		if (x->buffer[i].handle != 0 && (rc = xdna_sync(x,
		    &x->buffer[i], XDNA_TO_DEVICE, x->job.buffer[i].bytes,
		    err)) < 0)
			return rc;
	return 0;
}

static int
sync_after(struct xdna *x, struct npu_err *err)
{
	int rc;

	for (unsigned i = 0; i < x->job.buffers; i++)
		if (x->buffer[i].handle != 0 && x->job.buffer[i].out &&
		    (rc = xdna_sync(x, &x->buffer[i], XDNA_FROM_DEVICE,
		    x->job.buffer[i].bytes, err)) < 0)
			return rc;
	return 0;
}

/* ---- The command ------------------------------------------------------- */

static int
submit(struct xdna *x, uint64_t *sequence, struct npu_err *err)
{
	uint32_t handles[XDNA_BUFFERS + 1], n = 0;
	struct xdna_exec_cmd e = { .hwctx = x->hwctx, .commands = 1,
	    .command = x->command.handle, .arguments = (uintptr_t)handles };
	int rc;

	handles[n++] = x->instructions.handle;
	for (unsigned i = 0; i < x->job.buffers; i++)
		if (x->buffer[i].handle != 0)
			handles[n++] = x->buffer[i].handle;
	e.n = n;
	if ((rc = xdna_call(x, XDNA_EXEC_CMD, &e, "EXEC_CMD", err)) < 0)
		return rc;
	*sequence = e.sequence;
	return 0;
}

static int
wait(struct xdna *x, uint64_t sequence, int32_t timeout_ms,
    struct npu_err *err)
{
	int64_t now = (int64_t)clock_ns();
	struct xdna_timeline_wait w = { .handles = (uintptr_t)&x->syncobj,
	    .points = (uintptr_t)&sequence, .n = 1,
	    .flags = XDNA_WAIT_FOR_SUBMIT,
	    .deadline_ns = timeout_ms < 0 ? INT64_MAX :
	    now + (int64_t)timeout_ms * 1000000 };
	int rc = xdna_call(x, XDNA_TIMELINE_WAIT, &w, "SYNCOBJ_TIMELINE_WAIT",
	    err);

	/* The device may still use the memory of the command. */
	x->hung = rc < 0;
	if (rc < 0 && rc != NPU_ESTOPPED && err->detail == ETIME)
		return npu_fail_detail(err, NPU_ETIMEOUT, ETIME, "the command "
		    "did not end within %" PRId32 " ms (-T)", timeout_ms);
	return rc;
}

static int
check_state(struct xdna *x, struct npu_err *err)
{
	static const struct {
		uint32_t state;
		const char *name, *means;
	} states[] = {
		{ XDNA_NEW, "NEW", "it was not run" },
		{ XDNA_ERROR, "ERROR", "the instructions do not fit the PDI, "
		    "or come from another build" },
		{ XDNA_ABORT, "ABORT", "the context was ended" },
		{ XDNA_TIMEOUT, "TIMEOUT", "the array waits for data that the "
		    "instructions do not bring" },
	};
	uint32_t state;

	memcpy(&state, x->command.p, sizeof(state));
	state &= XDNA_PACKET_STATE;
	if (state == XDNA_COMPLETED)
		return 0;
	for (size_t i = 0; i < sizeof(states) / sizeof(*states); i++)
		if (states[i].state == state)
			return npu_fail_detail(err, NPU_EDEVICE, (int)state,
			    "the command ended in state %" PRIu32 " (%s): %s",
			    state, states[i].name, states[i].means);
	return npu_fail_detail(err, NPU_EDEVICE, (int)state, "the command "
	    "ended in state %" PRIu32, state);
}

int
xdna_run(struct xdna *x, int32_t timeout_ms, struct npu_err *err)
{
	struct npu_err unused = { .code = 0 };
	uint64_t sequence;
	int rc;

	err = err != NULL ? err : &unused;
	if (x->hung)
		return npu_fail(err, NPU_EDEVICE, "an earlier command has not "
		    "ended");
	x->running = true;
	if ((rc = sync_before(x, err)) < 0)
		return rc;
	write_packet(x);
	if ((rc = submit(x, &sequence, err)) < 0 ||
	    (rc = wait(x, sequence, timeout_ms, err)) < 0 ||
	    (rc = check_state(x, err)) < 0)
		return rc;
	return sync_after(x, err);
}

bool
xdna_is_hung(const struct xdna *x)
{
	return x->hung;
}
