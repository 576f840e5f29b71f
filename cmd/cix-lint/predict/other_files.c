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

static int
map_file(struct other_file *f, const char *path, struct npu_err *err)
{
	int fd = cmd_try_open_file(path);
	struct stat st;

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
	struct other_file *f = cmd_alloc(sizeof(*f));
	char *path = cmd_text("%.*s%s", slash == NULL ? 0 :
	    (int)(slash - all->model + 1), all->model, name);
	int rc;

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
	if (f == NULL) {
		rc = add_file(all, name, err);
		f = all->first;
	}
	content = (struct bytes){ f->map, f->n };
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
