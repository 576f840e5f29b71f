// SPDX-License-Identifier: Apache-2.0
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "dimensions.h"
#include "tensor/tensor.h"
#include "tensor_options.h"

/* Returns the option's name for messages. */
static const char *
name_of(const struct tensor_options *p, const char *option)
{
	return p->from != NULL ? p->from : option;
}

static _Noreturn void
unknown_type(const struct tensor_options *p, const char *arg)
{
	char list[200] = "";

	for (uint32_t t = 0; t < 64; t++) {
		if (npu_dtype_name(t) == NULL)
			continue;
		strcat(list, " ");
		strcat(list, npu_dtype_name(t));
	}
	cmd_usage("%s: '%s' is not one of%s", name_of(p, "--type"), arg, list);
}

/* Parses "1,3,224,224" or "1x3x224x224". */
static void
parse_shape(struct tensor_options *p, const char *arg)
{
	char *copy = strdup(arg), *rest = copy, *one;

	if (copy == NULL)
		cmd_die("out of memory");
	p->ndim = 0;
	while ((one = strsep(&rest, ",x")) != NULL) {
		if (p->ndim == NPU_MAX_DIMS)
			cmd_usage("--shape: '%s' has more than %d dimensions",
			    arg, NPU_MAX_DIMS);
		p->dim[p->ndim++] = (uint32_t)cmd_int("--shape", one, 1,
		    UINT32_MAX);
	}
	p->has_shape = true;
	free(copy);
}

static void
parse_scale(struct tensor_options *p, const char *arg)
{
	p->scale = (float)cmd_double(name_of(p, "--scale"), arg, 1e-37, 3e38);
	p->has_scale = true;
}

bool
tensor_option(struct tensor_options *p, int c, const char *arg)
{
	int code;

	switch (c) {
	case 't':
		if ((code = npu_dtype_by_name(arg)) < 0)
			unknown_type(p, arg);
		p->dtype = (uint32_t)code;
		p->has_type = true;
		return true;
	case TENSOR_OPTION_SHAPE:
		parse_shape(p, arg);
		return true;
	case 's':
		parse_scale(p, arg);
		return true;
	case 'z':
		p->zero_point = (int32_t)cmd_int(name_of(p, "--zero"), arg,
		    INT32_MIN, INT32_MAX);
		p->has_zero = true;
		return true;
	}
	return false;
}

void
tensor_from_options(const struct tensor_options *p, struct npu_tensor *t)
{
	struct npu_err err;
	uint64_t n;

	if (!p->has_type)
		cmd_usage("say the type of the elements with --type");
	*t = (struct npu_tensor){ .dtype = p->dtype,
	    .scale = p->has_scale ? p->scale : 1,
	    .zero_point = p->has_zero ? p->zero_point : 0 };
	if (npu_dtype_is_float(p->dtype) && (p->has_scale || p->has_zero))
		cmd_usage("%s%s%s is never scaled; leave %s out",
		    p->from != NULL ? p->from : "", p->from != NULL ? ": " :
		    "", npu_dtype_name(p->dtype), p->from != NULL ?
		    "scale and zero point" : "--scale and --zero");
	if (!p->has_shape)
		return;
	t->ndim = p->ndim;
	memcpy(t->dim, p->dim, p->ndim * sizeof(*t->dim));
	if (tensor_elements(t, &n, &err) < 0 ||
	    (t->size = tensor_bytes(t->dtype, n)) > NPU_MAX_PAYLOAD)
		cmd_usage("--shape: more than 2^40 bytes");
}

void
tensor_as_floats(const struct npu_tensor *t, struct npu_tensor *f)
{
	*f = *t;
	f->dtype = NPU_F32;
	f->scale = 1;
	f->zero_point = 0;
	f->size = npu_tensor_count(t) * sizeof(float);
}

bool
tensor_same_encoding(const struct npu_tensor *a, const struct npu_tensor *b)
{
	if (a->dtype != b->dtype)
		return false;
	return npu_dtype_is_float(a->dtype) || (a->scale == b->scale &&
	    a->zero_point == b->zero_point);
}

/* ---- From a model ----------------------------------------------------- */

/* Returns all inputs or outputs of the first graph, which is the graph that is
 * run. */
static struct npu_tensor *
model_tensors(const struct cix_model *m, bool outputs, uint16_t *n)
{
	const struct cix_graph *g = &m->graphs[0];
	uint32_t first = outputs ? g->n_inputs : 0;
	uint32_t count = outputs ? g->n_outputs : g->n_inputs;
	struct npu_tensor *t;

	if (count == 0)		/* lib/model: at most 65535, for the NPU */
		return NULL;
	t = cmd_alloc(count * sizeof(*t));
	for (uint32_t i = 0; i < count; i++) {
		t[i] = g->tensors[first + i].desc;
		if (t[i].scale == 0)
			t[i].scale = 1;
	}
	*n = (uint16_t)count;
	return t;
}

/* Returns the index of "in0", "out1" or a name; -1 if it is unknown. */
static long
which_tensor(const char *which, bool outputs, const struct npu_tensor *t,
    uint16_t n)
{
	const char *prefix = outputs ? "out" : "in";
	size_t len = strlen(prefix);
	char *end;
	long k;

	for (uint16_t i = 0; i < n; i++)
		if (t[i].name[0] != '\0' && strcmp(t[i].name, which) == 0)
			return i;
	if (strncmp(which, prefix, len) != 0)
		return -1;
	which += len;
	if (*which < '0' || *which > '9')
		return -1;
	k = strtol(which, &end, 10);
	return *end == '\0' && k < n ? k : -1;
}

char *
tensor_split_name(char *arg)
{
	char *colon = strrchr(arg, ':');

	if (colon == NULL || strchr(colon, '/') != NULL)
		return NULL;
	*colon = '\0';
	return colon + 1;
}

struct npu_tensor *
tensors_of_model(const char *arg, bool outputs, uint16_t *n, int *chosen)
{
	char *name = strdup(arg), *which, *path;
	struct cix_model m;
	struct npu_tensor *t;
	long k;

	if (name == NULL)
		cmd_die("out of memory");
	which = tensor_split_name(name);
	*chosen = -1;
	path = cmd_model_path(name);
	cmd_describe_model(path, &m);
	t = model_tensors(&m, outputs, n);
	if (t == NULL)
		cmd_die("%s: has no %s", path, outputs ? "outputs" : "inputs");
	if (which != NULL) {
		if ((k = which_tensor(which, outputs, t, *n)) < 0)
			cmd_usage("--model: '%s' is not an %s of %s, which has "
			    "%u; the first is %s0", which,
			    outputs ? "output" : "input", path, *n,
			    outputs ? "out" : "in");
		*chosen = (int)k;
		t[0] = t[k];
		*n = 1;
	}
	cix_free(&m);
	free(path);
	free(name);
	return t;
}
