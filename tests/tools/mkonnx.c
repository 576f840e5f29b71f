// SPDX-License-Identifier: Apache-2.0
/*
 * mkonnx - writes a small ONNX model, to be the twin of a test model.
 *
 *	mkonnx OP IN... : OUT... [@KEY=VALUE]... >FILE
 *
 * IN and OUT are TYPE:DIMS, such as f32:1x8 or i64:Nx77 (N stays open).  An IN
 * such as f32:1x8@FILE is not an input: its weights are in FILE beside the
 * model.  OP is an ONNX operator (Identity, Relu, Add, Sqrt, Neg ...), which is
 * applied to all inputs and gives output 0; each further output is input k,
 * unchanged.  If types differ, a Cast is added.  "Loop:COUNT" adds input 0 to
 * itself COUNT times by a chain of matrix products, which takes time; input 0
 * is then f32:NxN.  KEYs are metadata.  The bytes are written without a
 * library, in the formats of protobuf and onnx.proto.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"

#define MAX_PORTS 16

struct port {
	int type;		/* TensorProto.DataType */
	char dims[100];
	const char *file;	/* file with its weights, or NULL */
};

static struct port in[MAX_PORTS], out[MAX_PORTS];
static unsigned n_in, n_out;

static void
bad(const char *what)
{
	fprintf(stderr, "mkonnx: %s\n", what);
	exit(2);
}

/* ---- Protobuf --------------------------------------------------------- */

static void
varint(struct buf *b, uint64_t v)
{
	uint8_t byte;

	do {
		byte = (uint8_t)((v & 0x7f) | (v > 0x7f ? 0x80 : 0));
		buf_add(b, &byte, 1);
		v >>= 7;
	} while (v > 0);
}

static void
number(struct buf *b, unsigned field, uint64_t v)
{
	varint(b, field << 3);
	varint(b, v);
}

static void
text(struct buf *b, unsigned field, const char *s)
{
	varint(b, field << 3 | 2);
	varint(b, strlen(s));
	buf_puts(b, s);
}

/* Adds the message in inner, and empties inner. */
static void
message(struct buf *b, unsigned field, struct buf *inner)
{
	varint(b, field << 3 | 2);
	varint(b, inner->n);
	buf_add(b, inner->p, inner->n);
	buf_free(inner);
}

/* ---- ONNX ------------------------------------------------------------- */

/* NodeProto: input 1, output 2, op_type 4, attribute 5. */
static void
node(struct buf *graph, const char *op, const char *const *ins,
    unsigned n, const char *result, int cast_to)
{
	struct buf b = { 0 }, a = { 0 };

	for (unsigned i = 0; i < n; i++)
		text(&b, 1, ins[i]);
	text(&b, 2, result);
	text(&b, 4, op);
	if (cast_to != 0) {		/* AttributeProto: name 1, i 3 */
		text(&a, 1, "to");
		number(&a, 3, (uint64_t)cast_to);
		number(&a, 20, 2);	/* type: INT */
		message(&b, 5, &a);
	}
	message(graph, 1, &b);
}

/* ValueInfoProto: name 1, type 2 { tensor_type 1 { elem_type 1, shape 2 } } */
static void
value(struct buf *graph, unsigned field, const char *name,
    const struct port *p)
{
	struct buf info = { 0 }, type = { 0 }, tensor = { 0 }, shape = { 0 };
	char dims[sizeof(p->dims)], *save = NULL;

	strcpy(dims, p->dims);
	for (char *s = strtok_r(dims, "x", &save); s != NULL;
	    s = strtok_r(NULL, "x", &save)) {
		struct buf dim = { 0 };

		if (*s >= '0' && *s <= '9')
			number(&dim, 1, strtoull(s, NULL, 10));
		else
			text(&dim, 2, s);
		message(&shape, 1, &dim);
	}
	number(&tensor, 1, (uint64_t)p->type);
	message(&tensor, 2, &shape);
	message(&type, 1, &tensor);
	text(&info, 1, name);
	message(&info, 2, &type);
	message(graph, field, &info);
}

/* TensorProto: dims 1, data_type 2, name 8,
 * external_data 13 { key 1, value 2 }, data_location 14: EXTERNAL. */
static void
weights(struct buf *graph, const char *name, const struct port *p)
{
	struct buf tensor = { 0 }, entry = { 0 };
	char dims[sizeof(p->dims)], *save = NULL;

	strcpy(dims, p->dims);
	for (char *s = strtok_r(dims, "x", &save); s != NULL;
	    s = strtok_r(NULL, "x", &save))
		number(&tensor, 1, strtoull(s, NULL, 10));
	number(&tensor, 2, (uint64_t)p->type);
	text(&tensor, 8, name);
	text(&entry, 1, "location");
	text(&entry, 2, p->file);
	message(&tensor, 13, &entry);
	number(&tensor, 14, 1);
	message(graph, 5, &tensor);
}

static void
read_port(struct port *p, const char *spec)
{
	static const struct {
		const char *name;
		int type;
	} types[] = {
		{ "f32", 1 }, { "u8", 2 }, { "i8", 3 }, { "u16", 4 },
		{ "i16", 5 }, { "i32", 6 }, { "i64", 7 }, { "bool", 9 },
		{ "f16", 10 }, { "f64", 11 }, { "u32", 12 }, { "u64", 13 },
	};
	size_t n = strcspn(spec, ":");
	char *at;

	for (size_t i = 0; i < sizeof(types) / sizeof(*types); i++)
		if (strlen(types[i].name) == n &&
		    memcmp(spec, types[i].name, n) == 0)
			p->type = types[i].type;
	if (p->type == 0 || spec[n] != ':' ||
	    strlen(spec + n + 1) >= sizeof(p->dims))
		bad("a port is TYPE:DIMS");
	strcpy(p->dims, spec + n + 1);
	if ((at = strchr(p->dims, '@')) != NULL) {
		*at = '\0';
		p->file = strchr(spec, '@') + 1;
	}
}

/* "c" gets the result of op, with the type of input 0. */
static void
compute(struct buf *graph, const char *op, char names[][16])
{
	const char *ins[MAX_PORTS], *pair[2];
	char chain[16], next[16];
	int count;

	for (unsigned i = 0; i < n_in; i++)
		ins[i] = names[i];
	if (sscanf(op, "Loop:%d", &count) != 1) {
		node(graph, op, ins, n_in, "c", 0);
		return;
	}
	strcpy(chain, names[0]);
	for (int i = 0; i < count; i++) {
		snprintf(next, sizeof(next), "m%d", i);
		pair[0] = chain;
		pair[1] = names[0];
		node(graph, "MatMul", pair, 2, next, 0);
		strcpy(chain, next);
	}
	pair[0] = chain;
	node(graph, "Identity", pair, 1, "c", 0);
}

static void
make_graph(struct buf *graph, const char *op)
{
	char names[MAX_PORTS][16], result[16];
	const char *from;

	for (unsigned i = 0; i < n_in; i++)
		snprintf(names[i], sizeof(names[i]), "in%u", i);
	compute(graph, op, names);
	for (unsigned i = 0; i < n_out; i++) {
		snprintf(result, sizeof(result), "out%u", i);
		from = i == 0 ? "c" : names[i % n_in];
		node(graph, "Cast", &from, 1, result, out[i].type);
	}
	text(graph, 2, "test");
	for (unsigned i = 0; i < n_in; i++) {
		if (in[i].file != NULL)
			weights(graph, names[i], &in[i]);
		else
			value(graph, 11, names[i], &in[i]);
	}
	for (unsigned i = 0; i < n_out; i++) {
		snprintf(result, sizeof(result), "out%u", i);
		value(graph, 12, result, &out[i]);
	}
}

/* StringStringEntryProto: key 1, value 2. */
static void
metadata(struct buf *b, const char *pair)
{
	const size_t n = strcspn(pair, "=");
	struct buf entry = { 0 };
	char key[100];

	if (pair[n] == '\0' || n >= sizeof(key))
		bad("metadata is @KEY=VALUE");
	memcpy(key, pair, n);
	key[n] = '\0';
	text(&entry, 1, key);
	text(&entry, 2, pair + n + 1);
	message(b, 14, &entry);
}

int
main(int argc, char *argv[])
{
	struct buf model = { 0 }, graph = { 0 }, opset = { 0 }, more = { 0 };
	bool after = false;

	if (argc < 4)
		bad("usage: mkonnx OP IN... : OUT... >FILE");
	for (int i = 2; i < argc; i++) {
		if (strcmp(argv[i], ":") == 0)
			after = true;
		else if (argv[i][0] == '@')
			metadata(&more, argv[i] + 1);
		else if ((after ? n_out : n_in) == MAX_PORTS)
			bad("too many ports");
		else
			read_port(after ? &out[n_out++] : &in[n_in++],
			    argv[i]);
	}
	if (n_in == 0 || n_out == 0)
		bad("there must be an input and an output");
	make_graph(&graph, argv[1]);
	/* ModelProto: ir_version 1, graph 7, opset_import 8, metadata 14 */
	number(&model, 1, 8);
	message(&model, 7, &graph);
	number(&opset, 2, 13);
	message(&model, 8, &opset);
	buf_add(&model, more.p, more.n);
	if (model.failed || fwrite(model.p, 1, model.n, stdout) != model.n)
		bad("cannot write");
	buf_free(&more);
	buf_free(&model);
	return 0;
}
