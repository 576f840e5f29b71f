// SPDX-License-Identifier: Apache-2.0
/*
 * opencheck - what npu_open() and npu_model_open() report to a C program.
 *
 *	opencheck [-c] [-d NUMBER] [-e EMULATOR] [-L LIBRARY] [-n NODE]
 *	    [-s [[NAME]=SIZE]] [MODEL]
 *	opencheck -m MODEL
 *
 * Prints "CODE: message" and exits with 1, or prints "ok" and the library.
 * Without MODEL, the path is NULL.  -c: runs an inference on a queue, and
 * closes the model before the queue.  -s: the size of a dimension; the name is
 * NULL without NAME, and the array is NULL with ''.  -m: prints the description
 * instead, one line for the model and one for each tensor.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "npu.h"

static int
refused(const struct npu_err *err)
{
	printf("%s: %s\n", npu_strcode(err->code), err->msg);
	return 1;
}

static void
note(void *arg, const char *line)
{
	(void)arg;
	printf("note: %s\n", line);
}

static int
close_model_first(struct npu *npu, struct npu_err *err)
{
	struct npu_queue *q;
	void *in = calloc(1, npu_input_size(npu));
	void *out = calloc(1, npu_output_size(npu));
	int rc = npu_queue_open(&q, npu, 2, err);

	if (rc == 0)
		rc = npu_queue_put(q, in, err);
	npu_close(npu);
	npu_close(npu);			/* the queue still uses it */
	if (rc == 0)
		rc = npu_queue_get(q, out, err);
	npu_queue_close(q);
	free(in);
	free(out);
	return rc;
}

static void
show(const char *what, uint32_t i, const struct npu_tensor *t)
{
	char text[200];

	npu_tensor_format(t, text, sizeof(text));
	printf("%s %" PRIu32 " %s: %s, %" PRIu64 " bytes\n", what, i, t->name,
	    text, t->size);
}

static int
describe(const char *path)
{
	struct npu_model *m;
	struct npu_err err;

	if (npu_model_open(&m, path, &err) < 0)
		return refused(&err);
	printf("%s for %s, compiler '%s'\n", npu_model_name(m),
	    npu_model_target(m), npu_model_compiler(m));
	for (uint32_t i = 0; i < npu_model_inputs(m); i++)
		show("input", i, npu_model_input(m, i));
	for (uint32_t i = 0; i < npu_model_outputs(m); i++)
		show("output", i, npu_model_output(m, i));
	if (npu_model_input(m, npu_model_inputs(m)) != NULL ||
	    npu_model_output(m, npu_model_outputs(m)) != NULL)
		printf("one too many\n");
	npu_model_close(m);
	npu_model_close(NULL);
	return 0;
}

/* Makes one size of "NAME=SIZE"; NULL of "". */
static const struct npu_dim *
parse_size(char *arg)
{
	static struct npu_dim dim;
	char *equals = strchr(arg, '=');

	if (equals == NULL)
		return NULL;
	*equals = '\0';
	dim.name = *arg != '\0' ? arg : NULL;
	dim.size = (uint32_t)atoi(equals + 1);
	return &dim;
}

int
main(int argc, char *argv[])
{
	struct npu_options opt = { .note = note };
	bool close_first = false, only_describe = false;
	struct npu_err err;
	struct npu *npu;
	int c;

	while ((c = getopt(argc, argv, "cd:e:L:mn:s:")) != -1) {
		switch (c) {
		case 'c': close_first = true; break;
		case 'd': opt.device = (enum npu_device)atoi(optarg); break;
		case 'e': opt.emulator = optarg; break;
		case 'L': opt.library = optarg; break;
		case 'm': only_describe = true; break;
		case 'n': opt.node = optarg; break;
		case 's':
			opt.dims = parse_size(optarg);
			opt.n_dims = 1;
			break;
		default: return 2;
		}
	}
	if (only_describe)
		return describe(argv[optind]);
	if (npu_open(&npu, argv[optind], &opt, &err) < 0)
		return refused(&err);
	printf("ok %s\n", npu_library(npu));
	if (!close_first)
		npu_close(npu);
	else if (close_model_first(npu, &err) < 0)
		return refused(&err);
	return 0;
}
