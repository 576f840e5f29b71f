// SPDX-License-Identifier: Apache-2.0
/* Inputs and outputs of ONNX files, built by hand from protobuf's encoding. */
#include <stdlib.h>
#include <string.h>

#include "model/onnx_ports.h"
#include "tap.h"

/* ValueInfoProto of "a": name 1, type 2 { tensor_type 1 { elem_type 1: s8,
 * shape 2 { dim 1 { dim_value 1: 5 } dim { dim_param 2: "N" } } } }. */
#define TENSOR "\x0a\x0d\x08\x03\x12\x09\x0a\x02\x08\x05\x0a\x03\x12\x01N"
#define A "\x0a\x01" "a" "\x12\x0f" TENSOR
#define INPUT_A "\x5a\x14" A
#define OUTPUT_A "\x62\x14" A
/* One without a type, of name "b"; initialisers of this name, the second of a
 * sparse one's values. */
#define INPUT_B "\x5a\x03\x0a\x01" "b"
#define WEIGHT_B "\x2a\x03\x42\x01" "b"
#define SPARSE_B "\x7a\x05\x0a\x03\x42\x01" "b"

static const struct {
	const char *what, *bytes;
	size_t n;
	int n_in, n_out;	/* -1: refused */
} files[] = {
#define FILE(what, bytes, n_in, n_out) \
	{ what, bytes, sizeof(bytes) - 1, n_in, n_out }
	FILE("an input and an output", "\x3a\x2c" INPUT_A OUTPUT_A, 1, 1),
	FILE("an input that is a weight",
	    "\x3a\x36" INPUT_B INPUT_A OUTPUT_A WEIGHT_B, 1, 1),
	FILE("one that is a sparse weight",
	    "\x3a\x38" SPARSE_B INPUT_A INPUT_B OUTPUT_A, 1, 1),
	FILE("a weight that is no input", "\x3a\x31" WEIGHT_B INPUT_A OUTPUT_A,
	    1, 1),
	FILE("a graph in two parts", "\x3a\x16" INPUT_A "\x3a\x16" OUTPUT_A,
	    1, 1),
	FILE("no input", "\x3a\x16" OUTPUT_A, 0, 1),
	FILE("no output", "\x3a\x16" INPUT_A, -1, -1),
	FILE("a graph that is no message", "\x38\x16", -1, -1),
	FILE("an input that is a number", "\x3a\x18\x58\x01" OUTPUT_A, 0, 1),
	FILE("no bytes", "", -1, -1),
	FILE("a cut field", "\x3a\x16" OUTPUT_A "\x0a\x05z", -1, -1),
	FILE("a cut type", "\x3a\x06\x62\x04\x12\x02\x0a\x05", -1, -1),
	FILE("a cut shape", "\x3a\x0a\x62\x08\x12\x06\x0a\x04\x12\x02\x0a\x05",
	    -1, -1),
	FILE("a cut weight", "\x3a\x1d" INPUT_B OUTPUT_A "\x2a\x00", 1, 1),
	FILE("a weight of a cut name", "\x3a\x1f" INPUT_B OUTPUT_A
	    "\x2a\x02\x42\x05", -1, -1),
};

static int
read_copy(const char *bytes, size_t n, struct onnx_ports *p, uint8_t **copy)
{
	struct npu_err err;
	int rc;

	*copy = malloc(n);	/* so that a read beyond it is seen */
	memcpy(*copy, bytes, n);
	rc = onnx_ports_read(p, (struct bytes){ *copy, n }, &err);
	if (rc < 0)
		ok(strncmp(err.msg, "not an ONNX model: ", 19) == 0, "%s",
		    err.msg);
	return rc;
}

static void
described(void)
{
	static const char file[] = "\x3a\x2c" INPUT_A OUTPUT_A;
	struct onnx_ports p;
	uint8_t *copy;

	ok(read_copy(file, sizeof(file) - 1, &p, &copy) == 0, "a file");
	ok(p.in[0].name.n == 1 && *p.in[0].name.p == 'a' &&
	    p.in[0].dtype == NPU_S8 && p.in[0].shaped && p.in[0].ndim == 2 &&
	    p.in[0].dim[0] == 5 && p.in[0].dim[1] == -1, "its input");
	ok(onnx_port_holds(&p.in[0], 15), "three rows of five");
	ok(!onnx_port_holds(&p.in[0], 14), "14 elements are no rows of five");
	p.in[0].dim[1] = 3;
	ok(onnx_port_holds(&p.in[0], 15) && !onnx_port_holds(&p.in[0], 30),
	    "a shape of 15");
	p.in[0].dim[1] = INT64_MAX;
	ok(!onnx_port_holds(&p.in[0], 5), "larger than any tensor");
	p.in[0].dim[0] = p.in[0].dim[1] = -1;
	ok(onnx_port_holds(&p.in[0], 7), "two open dimensions hold anything");
	p.in[0].dim[0] = 0;
	ok(!onnx_port_holds(&p.in[0], 7), "a dimension of 0 holds nothing");
	onnx_ports_free(&p);
	free(copy);
}

int
main(void)
{
	struct onnx_ports p;
	uint8_t *copy;
	int rc;

	for (size_t i = 0; i < sizeof(files) / sizeof(*files); i++) {
		rc = read_copy(files[i].bytes, files[i].n, &p, &copy);
		ok(files[i].n_out < 0 ? rc == NPU_EFORMAT : rc == 0 &&
		    p.n_in == (size_t)files[i].n_in &&
		    p.n_out == (size_t)files[i].n_out, "%s", files[i].what);
		if (rc == 0)
			onnx_ports_free(&p);
		free(copy);
	}
	described();
	return done();
}
