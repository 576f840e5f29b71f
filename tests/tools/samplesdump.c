// SPDX-License-Identifier: Apache-2.0
/*
 * samplesdump - what cix-lint reads from calibration data.
 *
 *	samplesdump FILE [TYPE]
 *
 * Prints a line for each array: its name, type, shape, and the numbers of
 * samples_range().  With TYPE, writes the elements of all samples of all
 * arrays as TYPE instead.  The status is 1, with a line on stderr, for a file
 * that cannot be read.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "cix-lint/calibration/samples.h"
#include "cmd.h"

const struct program program = { .name = "samplesdump" };

static void
dump_elements(struct samples *s, size_t k, uint32_t dtype)
{
	const struct sample_array *a = &s->array[k];
	size_t size = npu_dtype_size(dtype);
	uint8_t *p = cmd_alloc(a->row * size + 1);
	struct npu_err err;

	for (uint64_t i = 0; i < a->samples && a->row > 0; i++) {
		if (samples_read(s, k, i, dtype, p, &err) < 0)
			cmd_die("sample %" PRIu64 ": %s", i, err.msg);
		fwrite(p, size, a->row, stdout);
	}
	free(p);
}

static void
describe_array(struct samples *s, size_t k)
{
	const struct sample_array *a = &s->array[k];
	struct sample_range r;
	struct npu_err err;

	if (samples_range(s, k, &r, &err) < 0)
		cmd_die("%s", err.msg);
	printf("'%s' %s (", a->member.name, npu_dtype_name(a->form.dtype));
	for (uint32_t i = 0; i < a->form.ndim; i++)
		printf("%s%" PRIu64, i > 0 ? "," : "", a->form.dim[i]);
	printf(") %" PRIu64 " %" PRIu64 " %" PRIu64 " %.9g %.9g\n", r.n, r.nan,
	    r.not_zero, (double)r.min, (double)r.max);
}

int
main(int argc, char *argv[])
{
	struct samples s;
	struct npu_err err;
	int dtype = 0;

	cmd_start();
	if (argc < 2 || (argc > 2 && (dtype = npu_dtype_by_name(argv[2])) < 0))
		return 2;
	if (samples_open(&s, argv[1], &err) < 0)
		cmd_die("%s", err.msg);
	for (size_t k = 0; k < s.n; k++) {
		if (argc > 2)
			dump_elements(&s, k, (uint32_t)dtype);
		else
			describe_array(&s, k);
	}
	samples_close(&s);
	cmd_exit(0);
}
