// SPDX-License-Identifier: Apache-2.0
/* lint.c - checks one file. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "cmd.h"
#include "lint.h"
#include "model/foreign.h"
#include "model/onnx.h"

enum { MOST_CONFIG = 16 << 20 };	/* bytes of a configuration */

static bool
has_suffix(const char *path, const char *suffix)
{
	size_t n = strlen(path), m = strlen(suffix);

	return n >= m && strcmp(path + n - m, suffix) == 0;
}

/* Returns true unless the file is a configuration: by its first bytes, or, for
 * files that are neither, by its name. */
static bool
is_model(const char *path, struct bytes file)
{
	return onnx_begins(file) || has_suffix(path, ".onnx");
}

static int
read_config(struct lint *l, struct npu_err *err)
{
	struct bytes file = l->bytes.file;
	int rc;

	if (foreign_is_lfs_pointer(file)) {
		findings_add(&l->findings, RULE_LFS_POINTER, LEVEL_ERROR, 0,
		    NULL, cmd_copy("this is a Git LFS pointer, not the "
		    "configuration"), cmd_copy("fetch the file: git lfs pull"));
		return 0;
	}
	if (file.n > MOST_CONFIG)
		return npu_fail(err, NPU_EFORMAT, "the file has %zu bytes; a "
		    "configuration has at most %d", (size_t)file.n,
		    MOST_CONFIG);
	if ((rc = ini_read(&l->ini, file, &l->findings, err)) == 0)
		l->configured = true;
	return rc;
}

static void
run_checks(struct lint *l)
{
	check_target_option(l);
	check_model_file(l);
	if (!l->has_model)
		return;
	check_inputs(l);
	check_operators(l);
	check_selectors(l);
	check_weights(l);
	if (l->configured)
		check_calibration(l);
}

int
lint_file(struct lint *l, struct npu_err *err)
{
	int fd = cmd_try_open_input(l->path), rc;

	memcpy(l->findings.off, l->o->off, sizeof(l->o->off));
	if (fd < 0)
		return npu_fail(err, NPU_ESYSTEM, "%s", strerror(errno));
	rc = model_bytes_open(&l->bytes, fd, err);
	if (fd != STDIN_FILENO)
		close(fd);
	if (rc < 0)
		return rc;
	if (is_model(l->path, l->bytes.file)) {
		l->model_path = cmd_copy(l->path);
	} else {
		rc = read_config(l, err);
		model_bytes_close(&l->bytes);
		l->bytes = (struct model_bytes){ .map = NULL };
		if (rc < 0 || !l->configured)
			return rc;
		check_config(l);
	}
	run_checks(l);
	return 0;
}

void
lint_free(struct lint *l)
{
	findings_free(&l->findings);
	ini_free(&l->ini);
	free(l->model_path);
	if (l->has_model)
		onnx_model_free(&l->model);
	model_bytes_close(&l->bytes);
}
