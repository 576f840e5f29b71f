// SPDX-License-Identifier: Apache-2.0
/*
 * A file of calibration data: it is refused with a message, or each array and
 * its first and last samples can be read.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "cix-lint/calibration/samples.h"
#include "cmd.h"

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n);

const struct program program = { .name = "samples" };

enum { MOST = 1 << 20 };	/* numbers of a sample that is read */

static void
must_say(int rc, const struct npu_err *err)
{
	if (rc < 0 && err->msg[0] == '\0')
		abort();
}

static void
read_sample(struct samples *s, size_t k, uint64_t i)
{
	static const uint32_t types[] = { NPU_F32, NPU_S64, NPU_U8, NPU_F16 };
	const struct sample_array *a = &s->array[k];
	struct npu_err err;
	void *out;

	if (a->row > MOST || a->form.bytes > MOST)
		return;
	out = malloc(a->row * 8 + 1);
	for (size_t t = 0; t < sizeof(types) / sizeof(*types); t++) {
		err.msg[0] = '\0';
		must_say(samples_read(s, k, i, types[t], out, &err), &err);
	}
	free(out);
}

static void
read_array(struct samples *s, size_t k)
{
	const struct sample_array *a = &s->array[k];
	struct npu_err err = { .msg = "" };
	struct sample_range r;
	int rc;

	if (a->row > 0 && a->samples * a->row != a->form.elements)
		abort();
	if (memchr(a->member.name, '\0', sizeof(a->member.name)) == NULL ||
	    samples_find(s, (struct bytes){ (const void *)a->member.name,
	    strlen(a->member.name) }) > k)
		abort();
	if (a->form.bytes > MOST)
		return;
	rc = samples_range(s, k, &r, &err);
	must_say(rc, &err);
	if (rc == 0 && (r.n != a->form.elements || r.min > r.max ||
	    r.not_zero > r.n))
		abort();
	if (a->samples == 0)
		return;
	read_sample(s, k, 0);
	read_sample(s, k, a->samples - 1);
}

int
LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	struct npu_err err = { .msg = "" };
	int fd = memfd_create("samples", 0), rc;
	struct samples s;

	if (fd < 0 || write(fd, p, n) != (ssize_t)n)
		abort();
	rc = samples_open_fd(&s, fd, &err);
	must_say(rc, &err);
	if (rc < 0)
		return 0;
	for (size_t k = 0; k < s.n && k < 8; k++)
		read_array(&s, k);
	samples_close(&s);
	return 0;
}
