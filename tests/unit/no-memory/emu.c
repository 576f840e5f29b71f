// SPDX-License-Identifier: Apache-2.0
/* The emulator without memory: a graph, jobs, a batch and the debugger's
 * blocks, all of which are freed at the end. */
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/err.h"
#include "base/file.h"
#include "emu/api.h"
#include "emu/ortload.h"
#include "emu/tensor_fit.h"
#include "nomem.h"

static struct buf elf;
static context_handler_t *ctx;
static struct npu_err *why;

/* Reports a status that means a lack of memory as such. */
static int
is(noe_status_t st)
{
	if (st == NOE_STATUS_SUCCESS)
		return 0;
	if (st == NOE_STATUS_ERROR_BUF_ALLOC_FAIL ||
	    st == NOE_STATUS_ERROR_JOB_DISPATCH_FAIL)
		return npu_fail(why, NPU_ESYSTEM, "memory: %#x", (unsigned)st);
	return npu_fail(why, NPU_EUSAGE, "status %#x", (unsigned)st);
}

static int
run_job(uint64_t graph, job_config_t *config)
{
	uint8_t out[4] = { 0 };
	uint64_t job = 0;
	int rc;

	if ((rc = is(noe_create_job(ctx, graph, &job, config))) == 0 &&
	    (rc = is(noe_load_tensor(ctx, job, 0, "abcd"))) == 0 &&
	    (rc = is(noe_job_infer_sync(ctx, job, 1000))) == 0 &&
	    (rc = is(noe_get_tensor(ctx, job, NOE_TENSOR_TYPE_OUTPUT, 0,
	    out))) == 0 && memcmp(out, "abcd", 4) != 0)
		rc = NOMEM_WRONG;
	if (job != 0)		/* also if a registered job failed */
		noe_clean_job(ctx, job);
	return rc;
}

static int
run_batch(uint64_t graph, job_config_t *config)
{
	char in[] = "abcd", out[4] = "";
	char *ins[] = { in }, *outs[] = { out };
	uint32_t queue;
	int rc;

	if ((rc = is(noe_create_batch_queue(ctx, graph, &queue))) < 0 ||
	    (rc = is(noe_add_batch(ctx, graph, queue, ins, outs))) < 0 ||
	    (rc = is(noe_finish_batch(ctx, graph, queue, config))) < 0)
		return rc;
	return memcmp(out, "abcd", 4) == 0 ? 0 : NOMEM_WRONG;
}

static int
run_graph(uint64_t graph)
{
	job_config_npu_t npu = { 0 };
	job_config_t config = { &npu };
	void *block;
	int rc;

	if ((rc = run_job(graph, &config)) != 0 ||
	    (rc = run_batch(graph, &config)) != 0 ||
	    (rc = is(aipu_debugger_malloc(ctx, 8, &block))) < 0)
		return rc;
	return is(aipu_debugger_free(ctx, block));
}

static int
live(struct npu_err *err)
{
	job_config_npu_t npu = { 0 };
	job_config_t job = { &npu };
	graph_config_t config = { NULL };
	uint64_t graph, other;
	int rc;

	why = err;
	if ((rc = is(noe_init_context(&ctx))) < 0)
		return rc;
	rc = is(noe_load_graph_helper(ctx, elf.p, (uint32_t)elf.n, &graph,
	    &config));
	if (rc == 0)
		rc = run_graph(graph);
	/* Use another graph, whose jobs have left no memory for the batch. */
	if (rc == 0)
		rc = is(noe_load_graph_helper(ctx, elf.p, (uint32_t)elf.n,
		    &other, &config));
	if (rc == 0)
		rc = run_batch(other, &job);
	if (noe_deinit_context(ctx) != NOE_STATUS_SUCCESS)
		rc = NOMEM_WRONG;
	return rc;
}

/* Looks for a runtime, which is not found.  The reason is reported as far as
 * memory allows. */
static int
runtime(struct npu_err *err)
{
	const struct ort_runtime *r;
	int rc = ort_runtime(&r, err);

	if (rc == 0)
		return 0;	/* this machine has a runtime */
	return rc == NPU_ENODEV && strstr(err->msg, "libonnxruntime.so of ") !=
	    NULL && strstr(err->msg, "(null)") == NULL ? 0 : NOMEM_WRONG;
}

/* Converts a tensor, for which memory is needed. */
static int
tensor_fit(struct npu_err *err)
{
	static const struct npu_tensor d = { .dtype = NPU_U8, .scale = 2,
	    .size = 4 };
	static const struct ort_tensor t = { .name = "x", .dtype = NPU_F32,
	    .ndim = 1, .dim = { 4 } };
	uint8_t in[] = { 2, 4, 6, 8 };
	struct ort_data data = { .p = NULL };
	noe_status_t status;
	struct tensor_fit f;
	int rc;

	if (tensor_fit_init(&f, &d, &t, true, &status, err) < 0)
		return NOMEM_WRONG;
	rc = tensor_fit_input(&f, in, &data, err);
	if (rc == 0 && ((const float *)data.p)[3] != 4)
		rc = NOMEM_WRONG;
	tensor_fit_free(&f, &data);
	return rc;
}

/*
 * Checks that no context is opened if the settings cannot be read for lack of
 * memory.  Settings are read once in each process; therefore a new process
 * reads them.
 */
static void
settings(void)
{
	pid_t pid;
	int st = -1;

	fflush(stdout);
	if ((pid = fork()) == 0) {
		setenv("NPU_EMU_FAULT", "infer:1:exception", 1);
		nomem_count = 0;
		nomem_at = 1;
		_exit(emu_read_settings() ? 1 : 5);
	}
	waitpid(pid, &st, 0);
	ok(WIFEXITED(st) && WEXITSTATUS(st) == 5,
	    "settings that cannot be read for lack of memory are refused");
}

int
main(void)
{
	struct npu_tensor t = { .dtype = NPU_U8, .scale = 1, .ndim = 1,
	    .dim = { 4 }, .size = 4 };
	const struct cix_pack pack = { .name = "n", .inputs = &t,
	    .n_inputs = 1, .outputs = &t, .n_outputs = 1,
	    .device = CIX_ISA_EMULATOR << 16 };
	struct cix_model m;
	struct buf file = { 0 };

	settings();
	nomem("converting a tensor", tensor_fit);
	setenv("NPU_ORT", "/none", 1);
	nomem("looking for a runtime in a missing NPU_ORT", runtime);
	unsetenv("NPU_ORT");
	nomem("looking for a runtime", runtime);
	setenv("NPU_EMU_COMPUTE", "copy", 1);
	/* Threads simulate the time of an inference; starting them can fail. */
	setenv("NPU_EMU_INFER_MS", "1", 1);
	if (cix_write(&pack, &file, NULL) < 0 ||
	    cix_parse((struct bytes){ (uint8_t *)file.p, file.n }, &m,
	    NULL) < 0)
		return 1;
	buf_add(&elf, m.graphs[0].elf.p, m.graphs[0].elf.n);
	cix_free(&m);
	buf_free(&file);
	nomem("using the emulator", live);
	buf_free(&elf);
	return done();
}
