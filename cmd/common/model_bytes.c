// SPDX-License-Identifier: Apache-2.0
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bus_error.h"
#include "input.h"
#include "model/cix.h"
#include "model/onnx.h"
#include "model_bytes.h"

/* Maps a regular file that begins like an ONNX file; returns false for other
 * files. */
static bool
map_onnx(struct model_bytes *m, int fd)
{
	struct stat st;
	void *p;

	if (fstat(fd, &st) < 0 || !S_ISREG(st.st_mode) || st.st_size <= 0 ||
	    (uint64_t)st.st_size > CIX_LARGEST || lseek(fd, 0, SEEK_CUR) != 0)
		return false;
	cmd_catch_bus_error();
	p = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (p == MAP_FAILED)
		return false;
	m->file = (struct bytes){ p, (size_t)st.st_size };
	if (onnx_begins(m->file)) {
		m->map = p;
		return true;
	}
	munmap(p, m->file.n);
	return false;
}

int
model_bytes_open(struct model_bytes *m, int fd, struct npu_err *err)
{
	int rc;

	*m = (struct model_bytes){ .map = NULL };
	if (map_onnx(m, fd))
		return 0;
	rc = cmd_read_model(fd, &m->read, err);
	m->file = (struct bytes){ (void *)m->read.p, m->read.n };
	return rc;
}

void
model_bytes_close(struct model_bytes *m)
{
	if (m->map != NULL)
		munmap(m->map, m->file.n);
	buf_free(&m->read);
	*m = (struct model_bytes){ .map = NULL };
}
