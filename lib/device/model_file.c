// SPDX-License-Identifier: Apache-2.0
#include <errno.h>
#include <fcntl.h>
#include <string.h>

#include "base/err.h"
#include "base/file.h"
#include "device/model_file.h"

static int
not_found(const char *path, struct npu_err *err)
{
	int why = errno;

	return npu_fail(err, NPU_ESYSTEM, "%s%s", strerror(why),
	    why == ENOENT && strchr(path, '/') == NULL ? " in the working "
	    "directory, and no other is searched" : "");
}

int
model_file_prefix(const char *path, int rc, struct npu_err *err)
{
	if (path == NULL)
		return rc;
	return npu_prefix(err, rc, "%s", path[0] != '\0' ? path : "''");
}

int
model_file_open(const char *path, int *fd, struct stat *st,
    struct npu_err *err)
{
	if (path == NULL)
		return npu_fail(err, NPU_EUSAGE, "the path of the model is "
		    "NULL");
	if (path[0] == '\0')
		return npu_fail(err, NPU_EUSAGE, "an empty name; a file has a "
		    "name");
	*fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (*fd < 0)
		return not_found(path, err);
	if (fstat(*fd, st) < 0)
		return npu_fail(err, NPU_ESYSTEM, "%s", strerror(errno));
	if (S_ISDIR(st->st_mode))
		return npu_fail(err, NPU_EFORMAT,
		    "is a directory, not a model");
	if (!S_ISREG(st->st_mode))
		return npu_fail(err, NPU_EFORMAT, "is not a regular file: a "
		    "model cannot come from a pipe or a device");
	return 0;
}

/* Checks the file first, because the vendor library crashes on damaged files
 * (noe-abi 1.1). */
int
model_file_check(int fd, const struct chosen_sizes *sizes,
    struct model_file *f, struct npu_err *err)
{
	struct buf file = { 0 };
	int rc = file_read(fd, CIX_LARGEST, &file, err);

	*f = (struct model_file){ .onnx = { 0 } };
	if (rc >= 0)
		rc = model_parse((struct bytes){ (uint8_t *)file.p, file.n },
		    sizes, &f->model, &f->onnx, err);
	buf_free(&file);
	return rc;
}

void
model_file_free(struct model_file *f)
{
	cix_free(&f->model);
	buf_free(&f->onnx);
}
