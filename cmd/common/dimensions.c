// SPDX-License-Identifier: Apache-2.0
#include <string.h>
#include <unistd.h>

#include "dimensions.h"
#include "model_bytes.h"

static struct chosen_sizes sizes = { .option = "--dim" };
static struct npu_dim *dims;

bool
cmd_dim_option(int c, const char *arg)
{
	const char *equals;

	if (c != OPT_DIM)
		return false;
	equals = strrchr(arg, '=');
	if (equals == NULL || equals == arg)
		cmd_usage("--dim: '%s' is not a name and a size, as in "
		    "batch=1", arg);
	dims = cmd_realloc(dims, (sizes.n + 1) * sizeof(*dims));
	dims[sizes.n++] = (struct npu_dim){
		.name = cmd_text("%.*s", (int)(equals - arg), arg),
		.size = (uint32_t)cmd_int("--dim", equals + 1, 1, INT32_MAX),
	};
	sizes.dim = dims;
	return true;
}

const struct chosen_sizes *
cmd_dims(void)
{
	return &sizes;
}

void
cmd_check_dims(const char *model)
{
	if (model == NULL && sizes.n > 0)
		cmd_usage("--dim is for an ONNX model, which --model names");
}

void
cmd_describe_model(const char *path, struct cix_model *m)
{
	int fd = cmd_open_input(path);
	struct model_bytes bytes;
	struct buf container = { 0 };
	struct npu_err err;

	if (model_bytes_open(&bytes, fd, &err) < 0 ||
	    model_parse(bytes.file, &sizes, m, &container,
	    &err) < 0)
		cmd_die_err(cmd_input_name(path), &err);
	/* No longer valid. */
	m->graphs[0].twin = m->graphs[0].elf = m->graphs[0].params =
	    (struct bytes){ 0 };
	buf_free(&container);
	model_bytes_close(&bytes);
	if (fd != STDIN_FILENO)
		close(fd);
}
