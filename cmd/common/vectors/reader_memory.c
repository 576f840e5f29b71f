// SPDX-License-Identifier: Apache-2.0
/*
 * reader_memory.c - a whole input in memory: a mapped file, or a pipe's data.
 */
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "reader_impl.h"

/* Most bytes of a pipe or of an archive's arrays. */
#define LOAD_MOST ((size_t)4 << 30)

size_t
vector_reader_file_size(const struct vector_reader *v)
{
	struct stat st = { 0 };

	fstat(v->s.fd, &st);
	if (!S_ISREG(st.st_mode) ||
	    lseek(v->s.fd, 0, SEEK_CUR) != (off_t)v->s.n_ahead)
		return 0;
	return (size_t)st.st_size;
}

bool
vector_reader_map(struct vector_reader *v, bool once)
{
	size_t n = vector_reader_file_size(v);
	void *p;

	if (n == 0)
		return false;
	p = mmap(NULL, n, PROT_READ,
	    MAP_SHARED | (once ? 0 : file_map_flags(n)), v->s.fd, 0);
	if (p == MAP_FAILED)
		return false;
	if (once)
		mapped_file_begin(&v->window, p, n);
	v->file = (struct bytes){ p, n };
	v->in_memory = v->mapped = true;
	return true;
}

static void
use_loaded(struct vector_reader *v)
{
	if (v->loaded.failed)
		cmd_die("%s: out of memory", v->name);
	v->file = (struct bytes){ (void *)v->loaded.p, v->loaded.n };
	v->in_memory = true;
}

void
vector_reader_load(struct vector_reader *v)
{
	struct npu_err err;
	int rc;

	buf_add(&v->loaded, v->s.ahead, v->s.n_ahead);
	rc = file_read(v->s.fd, LOAD_MOST, &v->loaded, &err);
	if (rc == NPU_EFORMAT)
		cmd_die("%s: %s: a pipe is kept in memory; name a file, which "
		    "is mapped", v->name, err.msg);
	if (rc < 0)
		cmd_die_err(v->name, &err);
	v->s.n_ahead = 0;
	use_loaded(v);
}

void
vector_reader_load_archive(struct vector_reader *v)
{
	uint8_t label[NPU_LABEL_SIZE];
	struct npu_err err;
	int rc;

	while ((rc = stream_next(&v->s, &err)) > 0) {
		if (v->s.label.tensor.size > LOAD_MOST - v->loaded.n)
			cmd_die("%s: more than 4 GiB of arrays; 'npu-tensor "
			    "-F label' makes a file that is mapped", v->name);
		if ((rc = npu_label_encode(&v->s.label, label, &err)) < 0)
			break;
		buf_add(&v->loaded, label, sizeof(label));
		if ((rc = stream_read_all(&v->s, &v->loaded, &err)) < 0)
			break;
	}
	if (rc < 0)
		cmd_die_err(v->name, &err);
	use_loaded(v);
}

void
vector_reader_free_memory(struct vector_reader *v)
{
	if (v->mapped)
		munmap((void *)v->file.p, v->file.n);
	buf_free(&v->loaded);
}
