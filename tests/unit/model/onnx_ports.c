// SPDX-License-Identifier: Apache-2.0
/* Tests that inputs and outputs of ONNX files are read.  The files are encoded
 * by hand as in protobuf. */
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
/* Input "b" has no type.  The weights are initialisers with this name: a dense
 * one, and the values of a sparse one. */
#define INPUT_B "\x5a\x03\x0a\x01" "b"
#define WEIGHT_B "\x2a\x03\x42\x01" "b"
#define SPARSE_B "\x7a\x05\x0a\x03\x42\x01" "b"

static const struct {
	const char *what, *bytes;
	size_t n;
	int n_in, n_out;	/* -1: the file is refused */
} files[] = {
#define FILE(what, bytes, n_in, n_out) \
	{ what, bytes, sizeof(bytes) - 1, n_in, n_out }
	FILE("a graph with an input and an output has both",
	    "\x3a\x2c" INPUT_A OUTPUT_A, 1, 1),
	FILE("an input that is also a weight is not counted",
	    "\x3a\x36" INPUT_B INPUT_A OUTPUT_A WEIGHT_B, 1, 1),
	FILE("an input that is also a sparse weight is not counted",
	    "\x3a\x38" SPARSE_B INPUT_A INPUT_B OUTPUT_A, 1, 1),
	FILE("a weight that is not an input does not count",
	    "\x3a\x31" WEIGHT_B INPUT_A OUTPUT_A,
	    1, 1),
	FILE("inputs and outputs of a graph in two parts are joined",
	    "\x3a\x16" INPUT_A "\x3a\x16" OUTPUT_A,
	    1, 1),
	FILE("a graph without an input is read", "\x3a\x16" OUTPUT_A, 0, 1),
	FILE("a graph without an output is refused",
	    "\x3a\x16" INPUT_A, -1, -1),
	FILE("a graph that is a number, not a message, is refused",
	    "\x38\x16", -1, -1),
	FILE("an input that is a number, not a message, is ignored",
	    "\x3a\x18\x58\x01" OUTPUT_A, 0, 1),
	FILE("an empty file is refused", "", -1, -1),
	FILE("a field that is cut is refused",
	    "\x3a\x16" OUTPUT_A "\x0a\x05z", -1, -1),
	FILE("a type that is cut is refused",
	    "\x3a\x06\x62\x04\x12\x02\x0a\x05", -1, -1),
	FILE("a shape that is cut is refused",
	    "\x3a\x0a\x62\x08\x12\x06\x0a\x04\x12\x02\x0a\x05",
	    -1, -1),
	FILE("an empty weight is ignored",
	    "\x3a\x1d" INPUT_B OUTPUT_A "\x2a\x00", 1, 1),
	FILE("a weight with a cut name is ignored", "\x3a\x1f" INPUT_B OUTPUT_A
	    "\x2a\x02\x42\x05", -1, -1),
};

static int
read_copy(const char *bytes, size_t n, struct onnx_ports *p, uint8_t **copy)
{
	struct npu_err err;
	int rc;

	*copy = malloc(n);	/* with a copy, tools detect a read beyond its
				 * end */
	memcpy(*copy, bytes, n);
	rc = onnx_ports_read(p, (struct bytes){ *copy, n }, &err);
	if (rc < 0)
		ok(strncmp(err.msg, "not an ONNX model: ", 19) == 0,
		    "the message for a refused file: %s",
		    err.msg);
	return rc;
}

static void
described(void)
{
	static const char file[] = "\x3a\x2c" INPUT_A OUTPUT_A;
	struct onnx_ports p;
	uint8_t *copy;

	ok(read_copy(file, sizeof(file) - 1, &p, &copy) == 0,
	    "a graph with an input and an output is read");
	ok(p.in[0].name.n == 1 && *p.in[0].name.p == 'a' &&
	    p.in[0].dtype == NPU_S8 && p.in[0].shaped && p.in[0].ndim == 2 &&
	    p.in[0].dim[0] == 5 && p.in[0].dim[1] == -1,
	    "name, type and shape of the input are read");
	ok(onnx_port_holds(&p.in[0], 15), "a shape 5 x N holds 15 elements");
	ok(!onnx_port_holds(&p.in[0], 14),
	    "a shape 5 x N does not hold 14 elements");
	p.in[0].dim[1] = 3;
	ok(onnx_port_holds(&p.in[0], 15) && !onnx_port_holds(&p.in[0], 30),
	    "a shape 5 x 3 holds 15 elements, and not 30");
	p.in[0].dim[1] = INT64_MAX;
	ok(!onnx_port_holds(&p.in[0], 5),
	    "a shape larger than any tensor does not hold 5 elements");
	p.in[0].dim[0] = p.in[0].dim[1] = -1;
	ok(onnx_port_holds(&p.in[0], 7),
	    "a shape with two open dimensions holds any number of elements");
	p.in[0].dim[0] = 0;
	ok(!onnx_port_holds(&p.in[0], 7),
	    "a shape with a dimension of 0 holds nothing");
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
