// SPDX-License-Identifier: Apache-2.0
/* other_files.c - maps files with weights. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/err.h"
#include "cmd.h"
#include "other_files.h"

bool
other_files_leaves(const char *name)
{
	const char *up = name;

	if (*name == '/')
		return true;
	while ((up = strstr(up, "..")) != NULL) {
		if ((up == name || up[-1] == '/') &&
		    (up[2] == '\0' || up[2] == '/'))
			return true;
		up += 2;
	}
	return false;
}

static int
map_file(struct other_file *f, const char *path, struct npu_err *err)
{
	struct stat st;
	int fd;

	/* Opening a FIFO would wait. */
	if (stat(path, &st) == 0 && !S_ISREG(st.st_mode))
		return npu_fail(err, NPU_EFORMAT, "%s: not a regular file",
		    path);
	fd = cmd_try_open_file(path);
	if (fd < 0 || fstat(fd, &st) < 0) {
		npu_fail(err, NPU_ESYSTEM, "%s: %s", path, strerror(errno));
		if (fd >= 0)
			close(fd);
		return NPU_ESYSTEM;
	}
	if (st.st_size > 0)
		f->map = mmap(NULL, (size_t)st.st_size, PROT_READ,
		    MAP_PRIVATE, fd, 0);
	close(fd);
	if (f->map == MAP_FAILED) {
		f->map = NULL;
		return npu_fail(err, NPU_ESYSTEM, "%s: %s", path,
		    strerror(errno));
	}
	f->n = (size_t)st.st_size;
	return 0;
}

static int
add_file(struct other_files *all, const char *name, struct npu_err *err)
{
	const char *slash = strrchr(all->model, '/');
	struct other_file *f;
	char *path;
	int rc;

	if (other_files_leaves(name))
		return npu_fail(err, NPU_EFORMAT, "%s: weights outside of the "
		    "model's folder", name);
	path = cmd_text("%.*s%s", slash == NULL ? 0 :
	    (int)(slash - all->model + 1), all->model, name);
	f = cmd_alloc(sizeof(*f));
	f->name = cmd_copy(name);
	f->next = all->first;
	all->first = f;
	rc = map_file(f, path, err);
	free(path);
	return rc;
}

int
other_files_data(struct other_files *all, const struct onnx_numbers *r,
    struct bytes *data, struct npu_err *err)
{
	char *name = cmd_text("%.*s", (int)r->file.n,
	    (const char *)r->file.p);
	uint64_t size = r->n * npu_dtype_size(r->dtype);
	struct other_file *f = all->first;
	struct bytes content;
	int rc = 0;

	while (f != NULL && strcmp(f->name, name) != 0)
		f = f->next;
	if (f == NULL && (rc = add_file(all, name, err)) == 0)
		f = all->first;
	content = rc == 0 ? (struct bytes){ f->map, f->n } :
	    (struct bytes){ .n = 0 };
	if (rc == 0 && !bytes_sub(content, r->offset, size, data))
		rc = npu_fail(err, NPU_EFORMAT, "%s: ends before the weights "
		    "that it should have", name);
	free(name);
	return rc;
}

void
other_files_close(struct other_files *all)
{
	while (all->first != NULL) {
		struct other_file *f = all->first;

		all->first = f->next;
		if (f->map != NULL)
			munmap(f->map, f->n);
		free(f->name);
		free(f);
	}
}
