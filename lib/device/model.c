// SPDX-License-Identifier: Apache-2.0
/* npu_model: the description of a model file, without a device. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/err.h"
#include "device/model_file.h"

struct npu_model {
	struct model_file file;
	struct npu_tensor *tensors;	/* inputs, then outputs */
	uint32_t n_in, n_out;
	char compiler[40];
};

static int
describe(struct npu_model *m, struct npu_err *err)
{
	const struct cix_graph *g = &m->file.model.graphs[0];
	size_t n = (size_t)g->n_inputs + g->n_outputs;

	if ((m->tensors = calloc(n > 0 ? n : 1, sizeof(*m->tensors))) == NULL)
		return npu_fail(err, NPU_ESYSTEM, "out of memory");
	for (size_t i = 0; i < n; i++) {
		m->tensors[i] = g->tensors[i].desc;
		if (m->tensors[i].scale == 0)	/* not quantised */
			m->tensors[i].scale = 1;
	}
	if (g->isa != CIX_ISA_EMULATOR)
		snprintf(m->compiler, sizeof(m->compiler), "%" PRIu32 ".%"
		    PRIu32 ".%" PRIu32, g->build.major, g->build.minor,
		    g->build.number);
	m->n_in = g->n_inputs;
	m->n_out = g->n_outputs;
	return 0;
}

static int
read_file(struct npu_model *m, const char *path, struct npu_err *err)
{
	static const struct chosen_sizes no_sizes = { .option = "cix-lint "
	    "--fix-shape" };
	struct stat st;
	int fd = -1, rc;

	if ((rc = model_file_open(path, &fd, &st, err)) == 0)
		rc = model_file_check(fd, &no_sizes, &m->file, err);
	if (fd >= 0)
		close(fd);
	return rc != 0 ? rc : describe(m, err);
}

int
npu_model_open(struct npu_model **model, const char *path,
    struct npu_err *err)
{
	struct npu_model *m;
	int rc;

	if ((rc = npu_need(model, "npu_model_open(): model", err)) < 0)
		return rc;
	if ((m = calloc(1, sizeof(*m))) == NULL)
		return npu_fail(err, NPU_ESYSTEM, "out of memory");
	if ((rc = read_file(m, path, err)) < 0) {
		npu_model_close(m);
		return model_file_prefix(path, rc, err);
	}
	*model = m;
	return 0;
}

void
npu_model_close(struct npu_model *model)
{
	if (model == NULL)
		return;
	model_file_free(&model->file);
	free(model->tensors);
	free(model);
}

const char *
npu_model_name(const struct npu_model *model)
{
	return model->file.model.name;
}

const char *
npu_model_target(const struct npu_model *model)
{
	return model->file.model.graphs[0].target;
}

const char *
npu_model_compiler(const struct npu_model *model)
{
	return model->compiler;
}

uint32_t
npu_model_inputs(const struct npu_model *model)
{
	return model->n_in;
}

uint32_t
npu_model_outputs(const struct npu_model *model)
{
	return model->n_out;
}

const struct npu_tensor *
npu_model_input(const struct npu_model *model, uint32_t i)
{
	return i < model->n_in ? &model->tensors[i] : NULL;
}

const struct npu_tensor *
npu_model_output(const struct npu_model *model, uint32_t i)
{
	return i < model->n_out ? &model->tensors[model->n_in + i] : NULL;
}
