// SPDX-License-Identifier: Apache-2.0
/* Loading and describing graphs: noe-abi 4.4 to 4.6, 4.10, 4.11. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/file.h"
#include "emu/api.h"
#include "emu/batch.h"
#include "emu/device.h"
#include "emu/engine.h"
#include "emu/message.h"
#include "emu/tensors.h"
#include "model/check.h"

/* ---- Damaged graphs (noe-abi 4.10) ------------------------------------ */

/* What 2.0.2 does with a graph that lib/model refuses. */
enum outcome {
	OUTCOME_CRASH,		/* all checks not in the table */
	OUTCOME_GVERSION,	/* 0x8, and deinit crashes */
	OUTCOME_OLD,		/* 0x8 */
	OUTCOME_GBIN,		/* 0x9 */
	OUTCOME_TARGET,		/* 0xa */
	OUTCOME_SIZE,		/* 0x15 */
	OUTCOME_MISREAD,	/* reads out of bounds */
};

static const uint8_t outcomes[CIX_BAD_END] = {
	[CIX_BAD_GRAPH_AIPU_BIN] = OUTCOME_OLD,
	[CIX_BAD_NOT_NPU] = OUTCOME_GVERSION,
	[CIX_BAD_GRAPH_EMPTY] = OUTCOME_SIZE,
	[CIX_BAD_NO_COMPILERMSG] = OUTCOME_TARGET,
	[CIX_BAD_ELF_SHORT] = OUTCOME_GBIN,
	[CIX_BAD_ELF_CLASS] = OUTCOME_GBIN,
	[CIX_BAD_ELF_TYPE] = OUTCOME_GBIN,
	[CIX_BAD_ELF_MACHINE] = OUTCOME_GBIN,
	[CIX_BAD_ELF_VERSION] = OUTCOME_GBIN,
	[CIX_BAD_ELF_ENTRY] = OUTCOME_GBIN,
	[CIX_BAD_ELF_HEADERS] = OUTCOME_GBIN,
	[CIX_BAD_ELF_SECTION] = OUTCOME_GBIN,
	[CIX_BAD_ELF_STRINGS] = OUTCOME_GBIN,
	[CIX_BAD_ELF_NAME] = OUTCOME_GBIN,
	[CIX_BAD_NO_TEXT] = OUTCOME_GBIN,
	[CIX_BAD_NO_NOTES] = OUTCOME_GBIN,
	[CIX_BAD_STACK_SIZE] = OUTCOME_GBIN,
	[CIX_BAD_STACK_ALIGN] = OUTCOME_GBIN,
	[CIX_BAD_NO_REUSE] = OUTCOME_GBIN,
	/* Our own checks: the library would try to load such a graph, and a
	 * copy of that behaviour is useless. */
	[CIX_BAD_MANY_SUBGRAPHS] = OUTCOME_GBIN,
	[CIX_BAD_OVERLAP] = OUTCOME_GBIN,
	[CIX_BAD_MANY_TENSORS] = OUTCOME_GBIN,
	[CIX_BAD_FB_OFFSET] = OUTCOME_MISREAD,
	[CIX_BAD_FB_VTABLE] = OUTCOME_MISREAD,
	[CIX_BAD_FB_FIELD] = OUTCOME_MISREAD,
	[CIX_BAD_FB_VECTOR] = OUTCOME_MISREAD,
	[CIX_BAD_FB_STRING] = OUTCOME_MISREAD,
	[CIX_BAD_NOTE_CUT] = OUTCOME_MISREAD,
	[CIX_BAD_COMPILERMSG_CUT] = OUTCOME_MISREAD,
	[CIX_BAD_STATIC_RANGE] = OUTCOME_MISREAD,
	[CIX_BAD_REMAP_CUT] = OUTCOME_MISREAD,
	[CIX_BAD_SUBGRAPHS_CUT] = OUTCOME_MISREAD,
};

/* ---- Loading ---------------------------------------------------------- */

/* One load in progress. */
struct load {
	const char *call;	/* "load_graph" */
	const char *path;	/* the file's; NULL: from memory */
	const struct noe_emu_onnx *onnx;	/* NULL: not an ONNX model */
	struct graph *g;	/* owned until it is added */
};

static noe_status_t
refused(struct load *l, const struct npu_err *err)
{
	const char *path = l->path != NULL ? l->path : "the graph";
	enum outcome outcome;

	if (err->code == NPU_ESYSTEM)
		return NOE_STATUS_ERROR_BUF_ALLOC_FAIL;
	outcome = (enum outcome)outcomes[err->detail];	/* the check's number */
	switch (outcome) {
	case OUTCOME_GVERSION:
		l->g->poison = true;
		return NOE_STATUS_ERROR_GVERSION_UNSUPPORTED;
	case OUTCOME_OLD:
		return NOE_STATUS_ERROR_GVERSION_UNSUPPORTED;
	case OUTCOME_GBIN:
		emu_noise_error("the graph is damaged: %s", err->msg);
		return NOE_STATUS_ERROR_INVALID_GBIN;
	case OUTCOME_TARGET:
		return NOE_STATUS_ERROR_TARGET_NOT_FOUND;
	case OUTCOME_SIZE:
		return NOE_STATUS_ERROR_INVALID_SIZE;
	case OUTCOME_MISREAD:
		emu_misread(l->call, "%s: %s", path, err->msg);
	default:
		emu_crash(l->call, "%s: %s", path, err->msg);
	}
}

/* Reports why the graph was refused.  lib/device passes /proc/self/fd/N as the
 * path, so the message names the file behind the link. */
static void
report_reason(const char *path, const char *why)
{
	char *name = path != NULL ? realpath(path, NULL) : NULL;

	emu_message("%s: %s", name != NULL ? name : "the graph", why);
	free(name);
}

/* Checks that the device and the engine can run a graph that lib/model has
 * parsed, and prepares the graph. */
static noe_status_t
accept_graph(struct load *l, enum emu_fault fault)
{
	const struct cix_graph *m = graph_cix(l->g);
	noe_status_t st = NOE_STATUS_ERROR_BUF_ALLOC_FAIL;
	struct npu_err err;

	if (m->isa != CIX_ISA_X2 && m->isa != CIX_ISA_EMULATOR) {
		emu_noise_error("the graph was compiled for %s", m->target);
		return NOE_STATUS_ERROR_TARGET_NOT_FOUND;
	}
	if (fault == EMU_NOMEM || fault == EMU_NODEVICE || !graph_lay_out(l->g))
		return st;
	if ((l->onnx != NULL ?
	    engine_open_onnx(&l->g->engine, m, l->onnx, &st, &err) :
	    engine_open(&l->g->engine, m, l->path, &st, &err)) < 0) {
		report_reason(l->path, err.msg);
		return st;
	}
	return NOE_STATUS_SUCCESS;
}

/* Adds the graph to its context, or frees it.  id may be NULL only if st is an
 * error. */
static noe_status_t
finish_load(const context_handler_t *ctx, struct load *l, noe_status_t st,
    uint64_t *id)
{
	struct context *c;

	emu_acquire();
	if (find_context(ctx, &c) != NOE_STATUS_SUCCESS) {
		release_graph(l->g);
		return emu_release(NOE_STATUS_ERROR_INVALID_CTX);
	}
	add_graph(c, l->g);
	if (id != NULL)
		*id = l->g->id;		/* also of a refused graph: 4.4 */
	if (st != NOE_STATUS_SUCCESS && !l->g->poison)
		remove_graph(l->g);
	return emu_release(st);
}

static void
destroy_graph(struct graph *g)
{
	batch_free_queues(g);
	engine_close(g->engine);
	cix_free(&g->model);
	free(g->offset);
	free(g->spare);
	free(g);
}

static struct graph *
new_graph(void)
{
	struct graph *g = calloc(1, sizeof(*g));

	if (g == NULL)
		return NULL;
	g->refs = 1;
	g->destroy = destroy_graph;
	return g;
}

/* Returns whether the error means that the path does not name a readable file,
 * for which 2.0.2 crashes.  Processes without free descriptors or memory were
 * not measured.  Those are not mistakes of the program's author, so they are
 * reported as a status. */
static bool
is_callers_mistake(int error)
{
	static const int mistakes[] = { ENOENT, ENOTDIR, EISDIR, EACCES,
	    EPERM, ELOOP, ENAMETOOLONG };

	for (size_t i = 0; i < sizeof(mistakes) / sizeof(*mistakes); i++)
		if (error == mistakes[i])
			return true;
	return false;
}

static noe_status_t
read_model(struct load *l, struct buf *file)
{
	int fd = open(l->path, O_RDONLY | O_CLOEXEC), error = errno, rc;
	struct npu_err err;

	if (fd < 0) {
		rc = npu_fail(&err, NPU_ESYSTEM, "%s", strerror(error));
	} else {
		rc = file_read(fd, CIX_LARGEST, file, &err);
		error = errno;
		close(fd);
	}
	if (rc == 0)
		return NOE_STATUS_SUCCESS;
	buf_free(file);
	if (err.code != NPU_ESYSTEM || is_callers_mistake(error))
		emu_crash(l->call, "%s: cannot be read: %s",
		    l->path, err.msg);			/* noe-abi 1.1 */
	report_reason(l->path, err.msg);
	return error == ENOMEM ? NOE_STATUS_ERROR_BUF_ALLOC_FAIL :
	    NOE_STATUS_ERROR_OPEN_FILE_FAIL;
}

/* Reads the file, checks id, and parses the graph, in the library's order. */
static noe_status_t
load_file(struct load *l, const uint64_t *id, enum emu_fault fault)
{
	struct npu_err err;
	struct buf file = { 0 };
	noe_status_t st;

	if ((st = read_model(l, &file)) != NOE_STATUS_SUCCESS)
		return st;
	if (id == NULL)
		st = NOE_STATUS_ERROR_NULL_PTR;
	else if (cix_parse_lenient((struct bytes){ (uint8_t *)file.p,
	    file.n }, &l->g->model, &err) < 0)
		st = refused(l, &err);
	else
		st = accept_graph(l, fault);
	buf_free(&file);
	return st;
}

/* Begins a call that loads a graph: checks the context, and sets the fault that
 * the call meets. */
static noe_status_t
begin_load(const context_handler_t *ctx, enum emu_fault *fault)
{
	struct context *c;
	noe_status_t st;

	*fault = emu_begin_call(EMU_GRAPH);
	if ((st = emu_with_context(ctx, &c)) != NOE_STATUS_SUCCESS)
		return st;
	if (device_lost())
		*fault = EMU_NODEVICE;
	return emu_release(st);
}

EMU_API noe_status_t
noe_load_graph(const context_handler_t *ctx, const char *file, uint64_t *id,
    graph_config_t *config)
{
	struct load l = { .call = "load_graph", .path = file };
	enum emu_fault fault;
	noe_status_t st;

	(void)config;		/* as in 2.0.2 (noe-abi 1.3) */
	if ((st = begin_load(ctx, &fault)) != NOE_STATUS_SUCCESS)
		return st;
	if (file == NULL)
		emu_crash(l.call, "the path is NULL");	/* noe-abi 1.1 */
	if ((l.g = new_graph()) == NULL)
		return NOE_STATUS_ERROR_BUF_ALLOC_FAIL;
	st = load_file(&l, id, fault);
	return finish_load(ctx, &l, st, id);
}

/* Parses a bare graph as a model with one graph. */
static noe_status_t
load_elf(struct load *l, struct bytes elf, enum emu_fault fault)
{
	struct cix_model *m = &l->g->model;
	struct npu_err err;

	if ((m->graphs = calloc(1, sizeof(*m->graphs))) == NULL)
		return NOE_STATUS_ERROR_BUF_ALLOC_FAIL;
	if (cix_parse_graph(elf, m->graphs, &err) < 0)
		return refused(l, &err);
	m->n_graphs = 1;
	return accept_graph(l, fault);
}

static bool
weights_missing(const graph_config_t *config)
{
	const graph_config_npu_t *npu = config->conf_g_npu;

	if (npu == NULL || npu->extra_weight_path == NULL ||
	    access(npu->extra_weight_path, F_OK) == 0)
		return false;
	emu_noise_error("%s: no weights", npu->extra_weight_path);
	return true;
}

EMU_API noe_status_t
noe_load_graph_helper(const context_handler_t *ctx, const char *graph,
    uint32_t size, uint64_t *id, graph_config_t *config)
{
	struct load l = { .call = "load_graph_helper" };
	struct bytes elf = { (const uint8_t *)graph, size };
	enum emu_fault fault;
	noe_status_t st;

	if ((st = begin_load(ctx, &fault)) != NOE_STATUS_SUCCESS)
		return st;
	if (config == NULL)
		emu_crash(l.call, "config is NULL");	/* noe-abi 1.3 */
	if (graph == NULL || id == NULL)
		return NOE_STATUS_ERROR_NULL_PTR;
	if (weights_missing(config))
		return NOE_STATUS_ERROR_OPEN_FILE_FAIL;
	if (size == 0)
		return NOE_STATUS_ERROR_INVALID_SIZE;
	if ((l.g = new_graph()) == NULL)
		return NOE_STATUS_ERROR_BUF_ALLOC_FAIL;
	st = load_elf(&l, elf, fault);
	return finish_load(ctx, &l, st, id);
}

/* Parses the container that describes an ONNX model. */
static noe_status_t
load_onnx(struct load *l, enum emu_fault fault)
{
	struct bytes container = { l->onnx->container, l->onnx->size };
	struct npu_err err;

	if (cix_parse(container, &l->g->model, &err) < 0) {
		report_reason(l->path, err.msg);
		return NOE_STATUS_ERROR_INVALID_GBIN;
	}
	return accept_graph(l, fault);
}

EMU_API noe_status_t
noe_emu_load_onnx(const context_handler_t *ctx,
    const struct noe_emu_onnx *model, uint64_t *id)
{
	struct load l = { .call = "emu_load_onnx", .onnx = model };
	enum emu_fault fault;
	noe_status_t st;

	if ((st = begin_load(ctx, &fault)) != NOE_STATUS_SUCCESS)
		return st;
	if (model == NULL || model->file == NULL || model->container == NULL ||
	    id == NULL)
		return NOE_STATUS_ERROR_NULL_PTR;
	l.path = model->file;
	if ((l.g = new_graph()) == NULL)
		return NOE_STATUS_ERROR_BUF_ALLOC_FAIL;
	st = load_onnx(&l, fault);
	return finish_load(ctx, &l, st, id);
}

/* Unlike the other calls, this call compares the whole id and checks the
 * context first (tests/abi). */
EMU_API noe_status_t
noe_unload_graph(const context_handler_t *ctx, uint64_t id)
{
	struct context *c;
	struct graph *g;
	noe_status_t st;

	emu_begin_call(EMU_UNLOAD);
	if ((st = emu_with_context(ctx, &c)) != NOE_STATUS_SUCCESS)
		return st;
	st = find_graph(c, id, &g);
	if (st != NOE_STATUS_SUCCESS || g->id != id)
		return emu_release(NOE_STATUS_ERROR_INVALID_GRAPH_ID);
	remove_graph(g);
	return emu_release(NOE_STATUS_SUCCESS);
}

/* ---- Describing ------------------------------------------------------- */

EMU_API noe_status_t
noe_get_tensor_count(const context_handler_t *ctx, uint64_t id,
    tensor_type_t type, uint32_t *count)
{
	struct graph *g;
	noe_status_t st;

	if (ctx != NULL && count == NULL)
		return NOE_STATUS_ERROR_NULL_PTR;
	if ((st = emu_with_graph(ctx, id, &g)) != NOE_STATUS_SUCCESS)
		return st;
	if (tensor_kind(type) < 0 || type == NOE_TENSOR_TYPE_LAYER_COUNTER ||
	    type == NOE_TENSOR_TYPE_ERROR_CODE) {
		emu_noise_warning("no such tensor type: %d", (int)type);
		return emu_release(NOE_STATUS_ERROR_INVALID_TENSOR_TYPE);
	}
	*count = graph_tensor_count(g, (uint32_t)tensor_kind(type));
	return emu_release(NOE_STATUS_SUCCESS);
}

/* Returns whether 2.0.2 describes tensors of the type.  Of some other types it
 * counts tensors without describing them. */
static bool
is_described(tensor_type_t type)
{
	return tensor_kind(type) >= 0 && type != NOE_TENSOR_TYPE_INTER_DUMP &&
	    type != NOE_TENSOR_TYPE_LAYER_COUNTER &&
	    type != NOE_TENSOR_TYPE_ERROR_CODE;
}

EMU_API noe_status_t
noe_get_tensor_descriptor(const context_handler_t *ctx, uint64_t id,
    tensor_type_t type, uint32_t tensor, tensor_desc_t *desc)
{
	const struct cix_tensor *t = NULL;
	struct graph *g;
	noe_status_t st;

	if ((st = emu_with_graph(ctx, id, &g)) != NOE_STATUS_SUCCESS)
		return st;
	if (is_described(type))
		t = graph_tensor(g, (uint32_t)tensor_kind(type), tensor);
	if (t == NULL)
		return emu_release(NOE_STATUS_ERROR_INVALID_TENSOR_ID);
	if (desc == NULL)
		return emu_release(NOE_STATUS_ERROR_NULL_PTR);
	desc->id = tensor;	/* the argument, not the file's id */
	desc->size = (uint32_t)t->desc.size;
	desc->scale = t->desc.scale;
	desc->zero_point = t->desc.zero_point;
	desc->data_type = (noe_data_type_t)t->desc.dtype;
	return emu_release(NOE_STATUS_SUCCESS);
}
