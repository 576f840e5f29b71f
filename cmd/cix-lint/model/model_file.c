// SPDX-License-Identifier: Apache-2.0
/* model_file.c - opens the model, and says what it is if it is not one. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/err.h"
#include "cix-lint/config/parser_key.h"
#include "cmd.h"
#include "model/cix.h"
#include "model/foreign.h"
#include "model/identify.h"
#include "model/onnx.h"
#include "model_file.h"

/* Adds an error about the file, whose message begins with its name if a
 * configuration names it. */
static void
add_error(struct lint *l, enum rule rule, const char *message, const char *fix)
{
	findings_add(&l->findings, rule, LEVEL_ERROR, 0, NULL, l->configured ?
	    cmd_text("%s: %s (gate: parser)", l->model_path, message) :
	    cmd_text("%s (gate: parser)", message),
	    fix != NULL ? cmd_copy(fix) : NULL);
}

/* ---- The configuration --------------------------------------------------- */

/* Returns whether the configuration's model has the format of another
 * framework.  A type that is not known is reported elsewhere, and the file
 * decides. */
static bool
is_other_framework(const struct lint *l)
{
	static const char *const others[] = { "tensorflow", "tf", "tflite",
	    "torch", "pytorch", "caffe" };
	const struct ini_key *type = parser_key(&l->ini, "model_type");

	for (size_t i = 0; type != NULL && i < sizeof(others) /
	    sizeof(*others); i++)
		if (strcasecmp(type->value, others[i]) == 0)
			return true;
	return false;
}

/* Returns whether the calibration data is there.  Without it and without the
 * model, the configuration is probably checked on another machine. */
static bool
has_calibration(const struct lint *l)
{
	const char *name = ini_value(&l->ini, "Optimizer", "calibration_data");
	char *path;
	bool found;

	if (name == NULL || *name == '\0')
		return true;
	path = lint_path(l, name);
	found = access(path, F_OK) == 0;
	free(path);
	return found;
}

/* ---- Opening ------------------------------------------------------------- */

static void
report_absent(struct lint *l, int error)
{
	bool alone = error == ENOENT && !has_calibration(l);

	findings_add(&l->findings, RULE_NOT_ONNX, alone ? LEVEL_WARNING :
	    LEVEL_ERROR, 0, NULL, cmd_text("%s: %s%s (gate: parser)",
	    l->model_path, strerror(error), alone ? ", and the calibration "
	    "data is absent as well: only the configuration is checked" : ""),
	    cmd_copy("write the path from the folder in which the compiler "
	    "runs, or from / on"));
}

/* Opens the file that the configuration names.  Returns -1 after adding a
 * finding.  A pipe or a device is refused before it could block. */
static int
open_model(struct lint *l)
{
	struct stat st;
	int fd;

	if (stat(l->model_path, &st) == 0 && !S_ISREG(st.st_mode)) {
		add_error(l, RULE_NOT_ONNX, S_ISDIR(st.st_mode) ?
		    "a folder, not a file" : "not a file",
		    "name the model's file in input_model");
		return -1;
	}
	if ((fd = cmd_try_open_file(l->model_path)) < 0)
		report_absent(l, errno);
	return fd;
}

/* Reads the file that input_model names.  Returns false without a file that can
 * be checked. */
static bool
read_named(struct lint *l)
{
	const struct ini_key *key = parser_key(&l->ini, "input_model");
	struct npu_err err;
	int fd, rc;

	if (key == NULL)
		return false;
	l->model_line = key->line;
	l->model_path = lint_path(l, key->value);
	if ((fd = open_model(l)) < 0)
		return false;
	if (is_other_framework(l)) {
		findings_add(&l->findings, RULE_NOT_ONNX, LEVEL_NOTE, 0, NULL,
		    cmd_text("%s: only ONNX models are read here; this model "
		    "is not checked", l->model_path), NULL);
		close(fd);
		return false;
	}
	rc = model_bytes_open(&l->bytes, fd, &err);
	close(fd);
	if (rc < 0)
		add_error(l, RULE_NOT_ONNX, err.msg, NULL);
	return rc == 0;
}

/* ---- The format ---------------------------------------------------------- */

/* Returns what to do about a file of another format. */
static const char *
fix_for(uint32_t check)
{
	switch (check) {
	case CIX_BAD_TFLITE: return "write model_type = tflite";
	case CIX_BAD_TORCH: case CIX_BAD_ZIP: case CIX_BAD_SAFETENSORS:
		return "export the model to ONNX, for example with "
		    "torch.onnx.export()";
	case CIX_BAD_WEB_PAGE: case CIX_BAD_EMPTY: case CIX_BAD_ZEROS:
		return "download the model again, from the address of the "
		    "file itself";
	}
	return NULL;
}

/* Says which format the file has.  Returns false if it may be ONNX. */
static bool
report_format(struct lint *l)
{
	struct npu_err err = { .detail = CIX_SOUND };

	if (onnx_begins(l->bytes.file) ||
	    identify_check_twin(l->bytes.file, &err) >= 0)
		return false;
	add_error(l, RULE_NOT_ONNX, err.msg, fix_for(err.detail));
	return true;
}

void
check_model_file(struct lint *l)
{
	struct npu_err err;
	int rc;

	if (l->configured && !read_named(l))
		return;
	if (foreign_is_lfs_pointer(l->bytes.file)) {
		add_error(l, RULE_LFS_POINTER, "a Git LFS pointer, not the "
		    "model", "fetch the model: git lfs pull");
		return;
	}
	if (report_format(l))
		return;
	if ((rc = onnx_model_read(&l->model, l->bytes.file, &err)) ==
	    NPU_ESYSTEM)
		cmd_die("%s: %s", l->model_path, err.msg);
	if (rc < 0) {
		add_error(l, RULE_NOT_ONNX, err.msg, "check the file, and "
		    "export or download it again");
		return;
	}
	l->has_model = true;
	check_weight_files(l);
}
