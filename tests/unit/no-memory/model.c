// SPDX-License-Identifier: Apache-2.0
/* Without memory: writes and reads models, looks for their twins, reads the
 * kernels of a container, and reads instruction streams in text form. */
#include "model/cix.h"
#include "model/dpu_kernels.h"
#include "model/onnx_model.h"
#include "model/shapes/macs.h"
#include "model/twin.h"
#include "model/txn.h"
#include "nomem.h"

static struct npu_tensor in = { .dtype = NPU_U8, .scale = 1, .ndim = 2,
    .dim = { 1, 4 }, .size = 4, .name = "in" };
static struct npu_tensor out = { .dtype = NPU_F32, .scale = 1, .ndim = 1,
    .dim = { 3 }, .size = 12, .name = "out" };
static const struct cix_pack pack = { .name = "n", .inputs = &in,
    .n_inputs = 1, .outputs = &out, .n_outputs = 1,
    .device = CIX_ISA_EMULATOR };
static struct buf file;

static int
write_model(struct npu_err *err)
{
	struct buf b = { 0 };
	int rc = cix_write(&pack, &b, err);

	if (rc == 0 && (b.n != file.n || memcmp(b.p, file.p, b.n) != 0))
		rc = NOMEM_WRONG;
	buf_free(&b);
	return rc;
}

static int
read_model(struct npu_err *err)
{
	struct cix_model m;
	int rc = cix_parse((struct bytes){ (uint8_t *)file.p, file.n }, &m,
	    err);

	if (rc < 0)
		return rc;
	if (m.n_graphs != 1 || m.graphs[0].n_tensors != 2 ||
	    m.graphs[0].tensors[1].desc.size != 12)
		rc = NOMEM_WRONG;
	cix_free(&m);
	return rc;
}

static int
find_twin(const char *twin, struct npu_err *err)
{
	char *path = NULL;
	int rc;

	setenv("NPU_TWIN", twin, 1);
	/* Makefile is a file that certainly exists. */
	rc = twin_named("Makefile", &path, err);
	if (rc < 0)
		return rc;
	rc = rc == 1 && strcmp(path, "Makefile") == 0 ? 0 : NOMEM_WRONG;
	free(path);
	return rc;
}

static int
named_twin(struct npu_err *err)
{
	return find_twin("Makefile", err);
}

static int
paired_twin(struct npu_err *err)
{
	return find_twin("Makefile=Makefile", err);
}

/* Reads a header of version 0.1 and an unknown operation. */
static int
read_stream(struct npu_err *err)
{
	static const char text[] = "06030100\n00000104\n00000001\n00000014\n"
	    "0000000D\n";
	struct txn t;
	int rc = txn_read(&t, (struct bytes){ (const uint8_t *)text,
	    sizeof(text) - 1 }, err);

	if (rc < 0)
		return rc;
	if (t.complete || t.unknown_at != 4)
		rc = NOMEM_WRONG;
	txn_free(&t);
	return rc;
}

static int
read_kernels(struct npu_err *err)
{
	static const char xml[] = "<project><platform><device><core>"
	    "<kernel name=\"A\" type=\"dpu\"><arg name=\"x\" id=\"0\"/>"
	    "<instance name=\"I\"/></kernel></core></device></platform>"
	    "</project>";
	struct dpu_kernels k;
	int rc = dpu_kernels_read(&k, (struct bytes){ (const uint8_t *)xml,
	    sizeof(xml) }, err);

	if (rc == 0 && (k.n != 1 || k.kernel->type == NULL ||
	    k.kernel->argument->id == NULL || k.kernel->instance[0] == NULL))
		rc = NOMEM_WRONG;
	dpu_kernels_free(&k);
	return rc;
}

/* A graph with an input a, weights w, a node O that takes them, and an output.
 */
static int
read_onnx(struct npu_err *err)
{
	static const char onnx[] = "\x08\x08\x42\x02\x10\x0d\x3a\x2c"
	    "\x0a\x0c\x0a\x01" "a" "\x0a\x01w\x12\x01" "b" "\x22\x01" "O"
	    "\x2a\x0d\x10\x01\x42\x01w\x22\x04" "1234" "\x70\x00"
	    "\x5a\x03\x0a\x01" "a" "\x5a\x03\x0a\x01w" "\x62\x03\x0a\x01" "b";
	struct onnx_model m;
	int rc = onnx_model_read(&m, (struct bytes){ (const uint8_t *)onnx,
	    sizeof(onnx) - 1 }, err);

	if (rc < 0)
		return rc;
	if (m.nodes != 1 || m.n_ops != 1 || m.weights != 1 ||
	    m.ports.n_in != 1 || m.n_opsets != 1)
		rc = NOMEM_WRONG;
	if (rc == 0)
		rc = macs_count(&m, (struct bytes){ (const uint8_t *)onnx,
		    sizeof(onnx) - 1 }, err);
	if (rc == 0 && m.macs.unknown != 1)
		rc = NOMEM_WRONG;
	onnx_model_free(&m);
	return rc;
}

int
main(void)
{
	if (cix_write(&pack, &file, NULL) < 0)
		return 1;
	nomem("writing a model", write_model);
	nomem("reading a model", read_model);
	nomem("finding a named twin", named_twin);
	nomem("finding a twin that is named for a model", paired_twin);
	nomem("reading an instruction stream", read_stream);
	nomem("reading the kernels of a container", read_kernels);
	nomem("describing an ONNX model", read_onnx);
	buf_free(&file);
	return done();
}
