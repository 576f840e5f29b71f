// SPDX-License-Identifier: Apache-2.0
/* xclbin.c - runs all checks of a file, in order. */
#include <stdlib.h>

#include "base/err.h"
#include "diagnose/xclbin/impl.h"

/* Reports a call that would be wrong even though the file is correct. */
static void
check_call(struct xclbin_case *k, struct health_check *c)
{
	if (k->first == NULL || !k->layout) {
		health_judge(c, HEALTH_SKIP, "", "it needs a kernel");
		return;
	}
	health_judge(c, HEALTH_OK, "", "with libxrt: register_xclbin(), "
	    "hw_context, kernel '%.64s'; load_xclbin() fails with every file; "
	    "xdna-run needs no XRT", k->first->name);
}

static const struct xclbin_rule rules[XCLBIN_CHECKS] = {
	{ "file", xclbin_check_file },
	{ "sections", xclbin_check_sections },
	{ "partition", xclbin_check_partition },
	{ "pdi", xclbin_check_pdi },
	{ "metadata", xclbin_check_metadata },
	{ "layout", xclbin_check_layout },
	{ "kernel", xclbin_check_kernel },
	{ "memory", xclbin_check_memory },
	{ "call", check_call },
};

/* Runs all checks, and the check of the stream if there is a stream.  The first
 * two checks show whether there are sections to check. */
static void
run(struct xclbin_case *k, struct health_check *checks)
{
	for (int i = 0; i < XCLBIN_CHECKS && !k->no_memory; i++) {
		checks[i] = (struct health_check){ .name = rules[i].name };
		if (i == 1 && k->header.code != 0)
			health_judge(&checks[i], HEALTH_SKIP, "",
			    "it needs the header");
		else if (i > 1 && !k->sections)
			health_judge(&checks[i], HEALTH_SKIP, "",
			    "it needs the sections");
		else
			rules[i].check(k, &checks[i]);
	}
	if (k->stream != NULL && !k->no_memory) {
		checks[XCLBIN_CHECKS] = (struct health_check){
		    .name = "insts" };
		xclbin_check_insts(k, &checks[XCLBIN_CHECKS]);
	}
}

static void
free_kernels(struct xclbin_case *k)
{
	for (size_t i = 0; k->kernel != NULL && i < k->x.kernels.n; i++) {
		dpu_arguments_free(&k->kernel[i].arguments);
		free(k->kernel[i].pointer);
	}
	free(k->kernel);
}

int
xclbin_check(struct bytes file, const char *name,
    struct health_check checks[XCLBIN_CHECKS], struct npu_err *err)
{
	return xclbin_check_with(file, name, NULL, checks, err);
}

int
xclbin_check_with(struct bytes file, const char *name,
    const struct xclbin_stream *stream, struct health_check *checks,
    struct npu_err *err)
{
	struct xclbin_case k = { .name = name, .file = file,
	    .stream = stream };

	k.no_memory = xclbin_read(&k.x, file, &k.header) == NPU_ESYSTEM;
	run(&k, checks);
	free_kernels(&k);
	xclbin_free(&k.x);
	return k.no_memory ? npu_fail(err, NPU_ESYSTEM, "out of memory") : 0;
}

bool
xclbin_runs(const struct health_check *checks, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (checks[i].verdict == HEALTH_FAIL)
			return false;
	return true;
}
