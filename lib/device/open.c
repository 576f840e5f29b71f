// SPDX-License-Identifier: Apache-2.0
/* Opens a model: first the file, then the library, then the library's
 * description of the model. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/err.h"
#include "device/frame.h"
#include "device/info.h"
#include "device/model_file.h"
#include "device/names.h"
#include "device/npu_impl.h"

#define DEFAULT_TIMEOUT_MS 10000
/* No model has more tensors; a larger count is an error of the library. */
#define TENSORS_MAX 4096

static int
out_of_memory(struct npu_err *err)
{
	return npu_fail(err, NPU_ESYSTEM, "out of memory");
}

/* ---- The model --------------------------------------------------------- */

int
device_check_target(const struct cix_graph *g, const struct npu_options *opt,
    bool emulator, struct npu_err *err)
{
	if (g->isa == CIX_ISA_X2)
		return 0;
	if (g->isa != CIX_ISA_EMULATOR)
		return npu_fail(err, NPU_EUSAGE, "the model was compiled for "
		    "%s, and this NPU is an X2: compile it for X2_1204MP3",
		    g->target);
	if (emulator)
		return 0;
	return npu_fail(err, NPU_EUSAGE, "packed for the emulator "
	    "(%s), which no NPU can run: take the real model of that name "
	    "from the model hub of the board's vendor, or compile one with "
	    "CixBuilder", option_names(opt).device_emu);
}

/* ---- The library ------------------------------------------------------- */

/*
 * Reports why load_graph failed.  The emulator refuses a model only because of
 * its twin or ONNX Runtime, and has printed why on stderr: the vendor's advice
 * would mislead.
 */
static int
not_loaded(const struct npu *n, noe_status_t st, struct npu_err *err)
{
	int rc = noe_refused(err, "load_graph", st);

	if (!n->s.noe.emulator || st == NOE_STATUS_ERROR_BUF_ALLOC_FAIL)
		return rc;
	return npu_fail_detail(err, rc, (int)st, "load_graph: %s (0x%X): "
	    DEVICE_EMULATOR_SAYS, noe_status_name(st), (unsigned)st);
}

/*
 * Fails if the library would crash on path (noe-abi 1.1).  The library crashes
 * on a file that it cannot open, even if only because no descriptor is free,
 * and on bytes that model_file_check() would have refused.  The file may
 * contain such bytes by now if another process writes to it.
 */
static int
may_be_read(const char *path, const struct stat *validated,
    struct npu_err *err)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC), rc;
	struct stat st;

	if (fd < 0)
		return npu_fail(err, NPU_ESYSTEM, "%s, through which the "
		    "library reads it: %s", path, strerror(errno));
	rc = fstat(fd, &st) < 0 ? npu_fail(err, NPU_ESYSTEM, "%s",
	    strerror(errno)) : 0;
	close(fd);
	if (rc == 0 && (st.st_size != validated->st_size ||
	    st.st_mtim.tv_sec != validated->st_mtim.tv_sec ||
	    st.st_mtim.tv_nsec != validated->st_mtim.tv_nsec))
		rc = npu_fail(err, NPU_EFORMAT, "was written to while it was "
		    "opened: begin again when it is whole");
	return rc;
}

/* Fails without clusters, because create_job would crash (libnoe 2.0.2 with
 * FAKEAIPU_CLUSTERS=0). */
static int
has_clusters(const struct session *s, struct npu_err *err)
{
	uint32_t clusters;

	if (s->noe.get_cluster_count == NULL || s->noe.get_cluster_count(
	    s->ctx, 0, &clusters) != NOE_STATUS_SUCCESS || clusters > 0)
		return 0;
	return npu_fail(err, NPU_ENODEV, "%s: the driver reports an NPU "
	    "without clusters, with which the library crashes; 'npu-info "
	    "--doctor' says what is wrong", s->noe.path);
}

static int
init_context(struct npu *n, struct npu_err *err)
{
	uint64_t begin = clock_ns();
	noe_status_t st = noe_init(&n->s.noe, &n->s.ctx);

	n->opened.init = clock_ns() - begin;
	if (st != NOE_STATUS_SUCCESS) {
		n->s.ctx = NULL;
		return noe_init_refused(err, &n->s.noe, st);
	}
	return has_clusters(&n->s, err);
}

/* Notes the result of loading a graph, which began at the time begin. */
static int
loaded(struct npu *n, uint64_t begin, noe_status_t st, struct npu_err *err)
{
	n->opened.load = clock_ns() - begin;
	/* Closing the context would crash now (noe-abi 1.2); leaving it open
	 * does no harm (noe-abi 1.8) as long as the library stays loaded. */
	if (st == NOE_STATUS_ERROR_GVERSION_UNSUPPORTED) {
		n->s.ctx = NULL;
		n->s.noe.dl = NULL;
	}
	if (st != NOE_STATUS_SUCCESS)
		return not_loaded(n, st, err);
	n->s.loaded = true;
	return 0;
}

static int
load_graph(struct npu *n, struct npu_err *err)
{
	uint64_t begin;
	char path[40];
	int rc;

	/* Names the file that was validated, even if its path names another
	 * file by now. */
	snprintf(path, sizeof(path), "/proc/self/fd/%d", n->model_fd);
	if ((rc = may_be_read(path, &n->validated, err)) < 0)
		return rc;
	begin = clock_ns();
	return loaded(n, begin, n->s.noe.load_graph(n->s.ctx, path,
	    &n->s.graph, NULL), err);
}

static int
open_cix(struct npu *n, const struct cix_graph *g, struct npu_err *err)
{
	int rc;

	if (n->opt.threads != 0)
		return npu_fail(err, NPU_EUSAGE, "%s is for ONNX models, which "
		    "run on the processor", option_names(&n->opt).threads);
	if (n->opt.provider != NPU_PROVIDER_CPU)
		return npu_fail(err, NPU_EUSAGE, "%s is for ONNX models; a "
		    ".cix model runs on the NPU without it",
		    option_names(&n->opt).provider);
	if ((rc = noe_open(&n->s.noe, &n->opt, err)) < 0 ||
	    (rc = device_check_target(g, &n->opt, n->s.noe.emulator,
	    err)) < 0 ||
	    (rc = init_context(n, err)) < 0)
		return rc;
	return load_graph(n, err);
}

/* The emulator gets the path itself, because the weights of the model may be in
 * files beside it. */
static int
open_onnx(struct npu *n, const char *path, const struct buf *container,
    struct npu_err *err)
{
	const struct noe_emu_onnx model = { .file = path,
	    .container = container->p, .size = container->n,
	    .threads = n->opt.threads,
	    .zhouyi = n->opt.provider == NPU_PROVIDER_ZHOUYI,
	    .fallback = n->opt.fallback, .cache = n->opt.cache };
	uint64_t begin;
	int rc;

	if ((rc = noe_open_for_onnx(&n->s.noe, &n->opt, err)) < 0 ||
	    (rc = init_context(n, err)) < 0)
		return rc;
	begin = clock_ns();
	return loaded(n, begin, n->s.noe.load_onnx(n->s.ctx, &model,
	    &n->s.graph), err);
}

static int
describe(struct npu *n, tensor_type_t type, uint32_t i, struct npu_tensor *t,
    struct npu_err *err)
{
	tensor_desc_t d = { 0 };
	noe_status_t st;

	st = n->s.noe.get_tensor_descriptor(n->s.ctx, n->s.graph, type, i, &d);
	if (st != NOE_STATUS_SUCCESS)
		return noe_refused(err, "get_tensor_descriptor", st);
	if (d.size == 0 || !isfinite(d.scale) || d.scale < 0)
		return npu_fail(err, NPU_EFORMAT, "%s %" PRIu32 ": the library "
		    "describes it with %" PRIu32 " bytes and scale %g",
		    type == NOE_TENSOR_TYPE_INPUT ? "input" : "output", i,
		    d.size, (double)d.scale);
	*t = (struct npu_tensor){
		.dtype = (uint32_t)d.data_type, .size = d.size,
		.scale = d.scale != 0 ? d.scale : 1,
		.zero_point = d.zero_point,
	};
	return 0;
}

static int
describe_all(struct npu *n, tensor_type_t type, struct npu_tensor **tensors,
    uint32_t *count, uint64_t *bytes, struct npu_err *err)
{
	uint32_t have = 0;
	noe_status_t st;
	int rc;

	st = n->s.noe.get_tensor_count(n->s.ctx, n->s.graph, type, &have);
	if (st != NOE_STATUS_SUCCESS)
		return noe_refused(err, "get_tensor_count", st);
	if (have > TENSORS_MAX)
		return npu_fail(err, NPU_EFORMAT, "the library counts %" PRIu32
		    " tensors, and %d is the limit", have, TENSORS_MAX);
	*tensors = calloc(have > 0 ? have : 1, sizeof(**tensors));
	if (*tensors == NULL)
		return out_of_memory(err);
	*count = have;
	for (uint32_t i = 0; i < have; i++) {
		rc = describe(n, type, i, *tensors + i, err);
		if (rc < 0)
			return rc;
		*bytes += (*tensors)[i].size;
	}
	return 0;
}

/* Copies names and shapes, which only the file has; never sizes, types or
 * scales. */
static void
adopt_names(const struct cix_graph *g, uint32_t kind, struct npu_tensor *t,
    uint32_t n)
{
	uint32_t first = kind == CIX_INPUT ? 0 : g->n_inputs;
	uint32_t have = kind == CIX_INPUT ? g->n_inputs : g->n_outputs;

	for (uint32_t i = 0; i < n && i < have; i++) {
		const struct npu_tensor *f = &g->tensors[first + i].desc;

		if (f->size != t[i].size || f->dtype != t[i].dtype)
			continue;
		memcpy(t[i].name, f->name, sizeof(t[i].name));
		t[i].ndim = f->ndim;
		memcpy(t[i].dim, f->dim, sizeof(t[i].dim));
	}
}

static int
describe_model(struct npu *n, const struct cix_graph *g, struct npu_err *err)
{
	int rc;

	if ((rc = describe_all(n, NOE_TENSOR_TYPE_INPUT, &n->in, &n->n_in,
	    &n->in_size, err)) < 0)
		return rc;
	if ((rc = describe_all(n, NOE_TENSOR_TYPE_OUTPUT, &n->out, &n->n_out,
	    &n->out_size, err)) < 0)
		return rc;
	adopt_names(g, CIX_INPUT, n->in, n->n_in);
	adopt_names(g, CIX_OUTPUT, n->out, n->n_out);
	return 0;
}

static int
open_model(struct npu *n, const char *path, struct npu_err *err)
{
	const struct chosen_sizes sizes = { .dim = n->opt.dims,
	    .n = n->opt.n_dims, .option = option_names(&n->opt).dims };
	struct model_file f;
	int rc;

	if ((rc = model_file_open(path, &n->model_fd, &n->validated,
	    err)) < 0 ||
	    (rc = model_file_check(n->model_fd, &sizes, &f, err)) < 0)
		return rc;
	if (f.onnx.n > 0)
		rc = open_onnx(n, path, &f.onnx, err);
	else
		rc = open_cix(n, &f.model.graphs[0], err);
	if (rc == 0)
		rc = describe_model(n, &f.model.graphs[0], err);
	model_file_free(&f);
	return rc;
}

static int
check_names(const struct npu_options *opt, struct npu_err *err)
{
	const struct npu_names say = option_names(opt);
	const struct { const char *what, *name; } names[] = {
		{ say.library, opt->library },
		{ say.emulator, opt->emulator },
		{ "npu_options.node", opt->node },
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (names[i].name != NULL && names[i].name[0] == '\0')
			return npu_fail(err, NPU_EUSAGE, "%s: an empty name; a "
			    "file has a name", names[i].what);
	return 0;
}

static int
check_dims(const struct npu_options *opt, struct npu_err *err)
{
	for (size_t i = 0; i < opt->n_dims; i++)
		if (opt->dims == NULL || opt->dims[i].name == NULL ||
		    opt->dims[i].size == 0)
			return npu_fail(err, NPU_EUSAGE, "%s: number %zu has "
			    "no name or no size", option_names(opt).dims, i);
	return 0;
}

static int
check_options(const struct npu_options *opt, struct npu_err *err)
{
	int rc;


	switch (opt->device) {
	case NPU_DEVICE_AUTO:
	case NPU_DEVICE_NPU:
	case NPU_DEVICE_EMU:
		rc = check_names(opt, err);
		return rc < 0 ? rc : check_dims(opt, err);
	}
	return npu_fail(err, NPU_EUSAGE, "npu_options.device is %d, which is "
	    "none of enum npu_device", (int)opt->device);
}

int
npu_open(struct npu **npu, const char *model, const struct npu_options *opt,
    struct npu_err *err)
{
	struct npu *n;
	int rc;

	if ((rc = npu_need(npu, "npu_open(): npu", err)) < 0)
		return rc;
	if ((n = calloc(1, sizeof(*n))) == NULL)
		return out_of_memory(err);
	n->model_fd = -1;
	n->thread = pthread_self();
	if (opt != NULL)
		n->opt = *opt;
	if (n->opt.timeout_ms == 0)
		n->opt.timeout_ms = DEFAULT_TIMEOUT_MS;
	n->s.stop = n->opt.stop;
	n->reuse = n->opt.reuse_job;
	if ((rc = check_options(&n->opt, err)) < 0 ||
	    (rc = open_model(n, model, err)) < 0) {
		npu_close(n);
		return model_file_prefix(model, rc, err);
	}
	n->opt.names = NULL;
	n->opt.dims = NULL;
	*npu = n;
	return 0;
}

/* Undoes any prefix of npu_open(), which thus needs only one error path. */
void
npu_close(struct npu *npu)
{
	if (npu == NULL)
		return;
	npu->closed = true;
	if (npu->queue != NULL)		/* npu_queue_close() calls this again */
		return;
	frame_drop_kept(npu);
	if (npu->s.loaded)
		npu->s.noe.unload_graph(npu->s.ctx, npu->s.graph);
	if (npu->s.ctx != NULL)
		npu->s.noe.deinit_context(npu->s.ctx);
	noe_close(&npu->s.noe);
	if (npu->model_fd >= 0)
		close(npu->model_fd);
	free(npu->in);
	free(npu->out);
	free(npu);
}

int
npu_check_thread(const struct npu *n, struct npu_err *err)
{
	if (pthread_equal(n->thread, pthread_self()))
		return 0;
	return npu_fail(err, NPU_EUSAGE, "another thread opened this model, "
	    "and only that one hears of the ends of its jobs");
}

/* ---- Properties --------------------------------------------------------- */

uint32_t
npu_inputs(const struct npu *npu)
{
	return npu->n_in;
}

uint32_t
npu_outputs(const struct npu *npu)
{
	return npu->n_out;
}

const struct npu_tensor *
npu_input(const struct npu *npu, uint32_t i)
{
	return i < npu->n_in ? &npu->in[i] : NULL;
}

const struct npu_tensor *
npu_output(const struct npu *npu, uint32_t i)
{
	return i < npu->n_out ? &npu->out[i] : NULL;
}

uint64_t
npu_input_size(const struct npu *npu)
{
	return npu->in_size;
}

uint64_t
npu_output_size(const struct npu *npu)
{
	return npu->out_size;
}

const struct npu_times *
npu_last_times(const struct npu *npu)
{
	return &npu->times;
}

const struct npu_startup *
npu_startup_times(const struct npu *npu)
{
	return &npu->opened;
}

const char *
npu_library(const struct npu *npu)
{
	return npu->s.noe.path;
}

bool
npu_is_emulator(const struct npu *npu)
{
	return npu->s.noe.emulator;
}
