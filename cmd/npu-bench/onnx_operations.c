// SPDX-License-Identifier: Apache-2.0
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "cmd.h"
#include "model/shapes/macs.h"
#include "model_bytes.h"
#include "onnx_operations.h"
#include "paths.h"

static int
read_file(const char *path, struct model_bytes *m, struct npu_err *err)
{
	int rc, fd = open(path, O_RDONLY | O_CLOEXEC);

	*m = (struct model_bytes){ .map = NULL };
	if (fd < 0)
		return npu_fail_detail(err, NPU_ESYSTEM, errno, "%s",
		    strerror(errno));
	rc = model_bytes_open(m, fd, err);
	close(fd);
	return rc;
}

static int
check(const struct onnx_macs *m, struct npu_err *err)
{
	if (m->unknown > 0)
		return npu_fail(err, NPU_EFORMAT, "the operations of %" PRIu64
		    " node%s are not known: look at npu-info's description, "
		    "or give their number with --ops", m->unknown,
		    m->unknown == 1 ? "" : "s");
	if (m->n == 0)
		return npu_fail(err, NPU_EFORMAT, "the model has no "
		    "multiply-accumulates: give the number of operations "
		    "with --ops");
	return 0;
}

static int
count(struct bytes file, double *ops, struct npu_err *err)
{
	struct onnx_model m;
	int rc;

	if ((rc = onnx_model_read(&m, file, err)) < 0)
		return rc;
	if ((rc = macs_count(&m, file, err)) == 0 &&
	    (rc = check(&m.macs, err)) == 0)
		*ops = 2 * (double)m.macs.n;
	onnx_model_free(&m);
	return rc;
}

int
onnx_operations(const char *name, double *ops, struct npu_err *err)
{
	char *path = cmd_find_model(name, err);
	struct model_bytes m = { .map = NULL };
	int rc = path == NULL ? err->code : read_file(path, &m, err);

	if (rc == 0)
		rc = count(m.file, ops, err);
	model_bytes_close(&m);
	free(path);
	return rc < 0 ? npu_prefix(err, rc, "%s", cmd_visible_name(name)) : 0;
}
