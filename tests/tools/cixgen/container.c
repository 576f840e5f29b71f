// SPDX-License-Identifier: Apache-2.0
/* Files that are not containers, and damaged containers: noe-abi 4.10 and 7. */
#include "make.h"

/* ---- Files of other kinds --------------------------------------------- */

static void
replace(struct make *m, const void *p, size_t n)
{
	buf_clear(&m->file);
	buf_add(&m->file, p, n);
}

static void
text(struct make *m, const struct damage *d)
{
	replace(m, d->s, strlen(d->s));
}

static void
binary(struct make *m, const struct damage *d)
{
	replace(m, d->s, d->a);
}

static void
zeros(struct make *m, const struct damage *d)
{
	static const char none[4096];

	replace(m, none, d->a);
}

/* Random bytes from xorshift32 with seed a. */
static void
noise(struct make *m, const struct damage *d)
{
	uint32_t x = d->a;

	buf_clear(&m->file);
	for (int i = 0; i < 1024; i++) {
		x ^= x << 13;
		x ^= x >> 17;
		x ^= x << 5;
		put_u32(&m->file, x);
	}
}

/* An ONNX model that negates one float: IR version 8, a graph, opset 17. */
static void
onnx(struct make *m, const struct damage *d)
{
	static const char bytes[] = "\x08\x08\x3a\x1a"
	    "\x0a\x0b" "\x0a\x01x" "\x12\x01y" "\x22\x03Neg"
	    "\x12\x01g" "\x5a\x03\x0a\x01x" "\x62\x03\x0a\x01y"
	    "\x42\x02\x10\x11";

	(void)d;
	buf_clear(&m->file);
	buf_add(&m->file, bytes, sizeof(bytes) - 1);
}

static void
bare(struct make *m, const struct damage *d)
{
	(void)d;
	replace(m, m->elf.p, m->elf.n);
}

/* A shared library for aarch64. */
static void
other_elf(struct make *m, const struct damage *d)
{
	static const char elf[64] = "\x7f" "ELF\2\1\1\0\0\0\0\0\0\0\0\0"
	    "\3\0\xb7\0\1";

	(void)d;
	replace(m, elf, sizeof(elf));
}

static void
aipu_bin(struct make *m, const struct damage *d)
{
	static const char old[256] = "AIPU BIN";

	(void)d;
	replace(m, old, sizeof(old));
}

/* Keeps the first a bytes, or all but the last b. */
static void
cut(struct make *m, const struct damage *d)
{
	m->file.n = d->a != 0 ? d->a : m->file.n - d->b;
}

/* ---- FlatBuffers ------------------------------------------------------ */

/* Returns where the vtable stores the offset of field i of a table. */
static size_t
vtable_entry(const struct buf *b, size_t table, unsigned i)
{
	return table - get32(b, table) + 4 + 2 * i;
}

static size_t
field(const struct buf *b, size_t table, unsigned i)
{
	return table + (get32(b, vtable_entry(b, table, i)) & 0xffff);
}

static size_t
lead(const struct buf *b, size_t at)
{
	return at + get32(b, at);
}

/* Returns the table with this name: "root", "version", "subgraph", "tensor"; if
 * there are several, the first. */
static size_t
table(const struct buf *b, const char *name)
{
	size_t root = lead(b, 0);

	if (strcmp(name, "version") == 0)
		return lead(b, field(b, root, 0));
	if (strcmp(name, "subgraph") == 0)
		return lead(b, lead(b, field(b, root, 2)) + 4);
	if (strcmp(name, "tensor") == 0)
		return lead(b, lead(b, field(b, root, 3)) + 4);
	return root;
}

static void
root_word(struct make *m, const struct damage *d)
{
	set(&m->file, 0, 4, d->a);
}

/* Removes field a from table s. */
static void
without(struct make *m, const struct damage *d)
{
	set(&m->file, vtable_entry(&m->file, table(&m->file, d->s), d->a), 2,
	    0);
}

/* The vtable says that field a of table s is at byte b. */
static void
field_at(struct make *m, const struct damage *d)
{
	set(&m->file, vtable_entry(&m->file, table(&m->file, d->s), d->a), 2,
	    d->b);
}

/* Sets the offset in field a of table s to b. */
static void
offset(struct make *m, const struct damage *d)
{
	set(&m->file, field(&m->file, table(&m->file, d->s), d->a), 4, d->b);
}

/* Sets the count of the list or string in field a to b. */
static void
count(struct make *m, const struct damage *d)
{
	set(&m->file, lead(&m->file, field(&m->file,
	    table(&m->file, d->s), d->a)), 4, d->b);
}

/* Sets the first offset in the list in field a to b. */
static void
element(struct make *m, const struct damage *d)
{
	set(&m->file, lead(&m->file, field(&m->file,
	    table(&m->file, d->s), d->a)) + 4, 4, d->b);
}

/* Overwrites the NUL after the string in field a. */
static void
open_string(struct make *m, const struct damage *d)
{
	size_t at = lead(&m->file, field(&m->file, table(&m->file, d->s),
	    d->a));

	set(&m->file, at + 4 + get32(&m->file, at), 1, 'x');
}

/* Sets the distance from table s to its vtable to a. */
static void
vtable(struct make *m, const struct damage *d)
{
	set(&m->file, table(&m->file, d->s), 4, d->a);
}

/* Sets a size in the vtable of table s to b: the size of the vtable (a = 0) or
 * of the table (a = 2). */
static void
vtable_size(struct make *m, const struct damage *d)
{
	set(&m->file, vtable_entry(&m->file, table(&m->file, d->s), 0) - 4 +
	    d->a, 2, d->b);
}

/* ---- Subgraphs -------------------------------------------------------- */

/* a subgraphs, each of which is the graph. */
static void
graphs(struct make *m, const struct damage *d)
{
	more_parts(m, d->a);
	for (size_t i = 0; i < d->a; i++)
		m->parts[i].backend = 1;
}

/* The first subgraph is the text s, for backend a. */
static void
first_is(struct make *m, const struct damage *d)
{
	m->parts[0].blob = (struct bytes){ (const uint8_t *)d->s,
	    strlen(d->s) };
	m->parts[0].backend = d->a;
}

/* Writes the container again, from m->parts. */
static size_t
again(struct make *m)
{
	buf_clear(&m->file);
	container_write(&m->container, &m->file);
	return lead(&m->file, field(&m->file, table(&m->file, "root"), 2));
}

/* A large graph; both entries of the list point to it. */
static void
overlap(struct make *m, const struct damage *d)
{
	static const uint8_t weight[65536];
	size_t list;

	(void)d;
	m->graph.weight = (struct bytes){ weight, sizeof(weight) };
	make_graph(m);
	more_parts(m, 2);
	m->parts[0].blob = (struct bytes){ (uint8_t *)m->elf.p, m->elf.n };
	list = again(m);
	set(&m->file, list + 8, 4, get32(&m->file, list + 4) - 4);
}

/* The second of two graphs has ELF type 1. */
static void
second_damaged(struct make *m, const struct damage *d)
{
	size_t list;

	(void)d;
	more_parts(m, 2);
	m->parts[1] = m->parts[0];
	list = again(m);
	set(&m->file, lead(&m->file, field(&m->file,
	    lead(&m->file, list + 8), 1)) + 4 + 16, 2, 1);
}

#define LFS "version https://git-lfs.github.com/spec/v1\n" \
	"oid sha256:4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2" \
	"ca24d17e2393\nsize 89393024\n"

const struct damage container_rows[] = {
	{ "empty", CIX_BAD_EMPTY, WHOLE, text, "", 0, 0 },
	{ "lfs-pointer", CIX_BAD_LFS_POINTER, WHOLE, text, LFS, 0, 0 },
	{ "web-page", CIX_BAD_WEB_PAGE, WHOLE, text,
	    "\n\n<!DOCTYPE html>\n<html lang=\"en\">", 0, 0 },
	{ "web-page-bom", CIX_BAD_WEB_PAGE, WHOLE, text,
	    "\xef\xbb\xbf<HTML><body>404", 0, 0 },
	{ "bare-elf", CIX_BAD_BARE_ELF, WHOLE, bare, 0, 0, 0 },
	{ "other-elf", CIX_BAD_OTHER_ELF, WHOLE, other_elf, 0, 0, 0 },
	{ "aipu-bin", CIX_BAD_AIPU_BIN, WHOLE, aipu_bin, 0, 0, 0 },
	{ "onnx", CIX_BAD_ONNX, WHOLE, onnx, 0, 0, 0 },
	{ "tflite", CIX_BAD_TFLITE, WHOLE, text, "\x1c\x01\x01\x01TFL3\x01",
	    0, 0 },
	{ "zip", CIX_BAD_ZIP, WHOLE, text, "PK\x03\x04\x14", 0, 0 },
	{ "hdf5", CIX_BAD_HDF5, WHOLE, text, "\x89HDF\r\n\x1a\n\x01", 0, 0 },
	{ "gguf", CIX_BAD_GGUF, WHOLE, text, "GGUF\x03", 0, 0 },
	{ "rknn", CIX_BAD_RKNN, WHOLE, text, "RKNN\x01", 0, 0 },
	{ "ggml", CIX_BAD_GGML, WHOLE, text, "tjgg\x01", 0, 0 },
	{ "ort", CIX_BAD_ORT, WHOLE, text, "\x1c\x01\x01\x01ORTM", 0, 0 },
	{ "torch", CIX_BAD_TORCH, WHOLE, text, "\x80\x02\x8a\x0a\x6c\xfc"
	    "\x9c\x46\xf9\x20\x6a\xa8\x50\x19", 0, 0 },
	{ "safetensors", CIX_BAD_SAFETENSORS, WHOLE, binary,
	    "\x40\0\0\0\0\0\0\0{\"", 10, 0 },
	{ "xclbin", CIX_BAD_XCLBIN, WHOLE, binary, "xclbin2\0", 9, 0 },
	{ "npy", CIX_BAD_NPY, WHOLE, text, "\x93NUMPY\x01", 0, 0 },
	{ "zeros", CIX_BAD_ZEROS, WHOLE, zeros, 0, 4096, 0 },
	{ "zeros-10", CIX_BAD_ZEROS, WHOLE, zeros, 0, 10, 0 },
	{ "text", CIX_BAD_PLAIN_TEXT, WHOLE, text, "hello\n", 0, 0 },
	{ "short", CIX_BAD_SHORT, WHOLE, cut, 0, 20, 0 },
	{ "noise", CIX_BAD_FB_ROOT, WHOLE, noise, 0, 1, 0 },
	{ "root-zero", CIX_BAD_FB_ROOT, WHOLE, root_word, 0, 0, 0 },
	{ "root-beyond", CIX_BAD_FB_ROOT, WHOLE, root_word, 0, 0x7fffffff,
	    0 },
	{ "file-cut-byte", CIX_BAD_FB_VECTOR, WHOLE, cut, 0, 0, 9 },
	{ "file-cut-half", CIX_BAD_FB_VECTOR, WHOLE, cut, 0, 700, 0 },
	{ "offset-beyond", CIX_BAD_FB_OFFSET, WHOLE, offset, "root", 1,
	    0x7fffffff },
	{ "offset-negative", CIX_BAD_FB_OFFSET, WHOLE, offset, "root", 2,
	    0xfffffff0 },
	{ "offset-zero", CIX_BAD_FB_OFFSET, WHOLE, offset, "root", 4, 0 },
	{ "subgraph-beyond", CIX_BAD_FB_OFFSET, WHOLE, element, "root", 2,
	    0x1000000 },
	{ "tensor-entry-beyond", CIX_BAD_FB_OFFSET, WHOLE, element, "root", 3,
	    0x1000000 },
	{ "input-beyond", CIX_BAD_FB_OFFSET, WHOLE, element, "root", 4,
	    0x1000000 },
	{ "vtable-beyond", CIX_BAD_FB_VTABLE, WHOLE, vtable, "root",
	    0x80000000, 0 },
	{ "vtable-before", CIX_BAD_FB_VTABLE, WHOLE, vtable, "subgraph",
	    0x7fffffff, 0 },
	{ "vtable-odd", CIX_BAD_FB_VTABLE, WHOLE, vtable_size, "version", 0,
	    7 },
	{ "vtable-2", CIX_BAD_FB_VTABLE, WHOLE, vtable_size, "root", 0, 2 },
	{ "vtable-long", CIX_BAD_FB_VTABLE, WHOLE, vtable_size, "tensor", 0,
	    0xfffe },
	{ "table-2", CIX_BAD_FB_VTABLE, WHOLE, vtable_size, "root", 2, 2 },
	{ "table-long", CIX_BAD_FB_VTABLE, WHOLE, vtable_size, "subgraph", 2,
	    0xffff },
	{ "field-beyond", CIX_BAD_FB_FIELD, WHOLE, field_at, "root", 1,
	    0xfff0 },
	{ "field-across", CIX_BAD_FB_FIELD, WHOLE, field_at, "root", 5, 26 },
	{ "field-first", CIX_BAD_FB_FIELD, WHOLE, field_at, "subgraph", 0,
	    2 },
	{ "scalar-beyond", CIX_BAD_FB_FIELD, WHOLE, field_at, "version", 1,
	    0x100 },
	{ "backend-beyond", CIX_BAD_FB_FIELD, WHOLE, field_at, "subgraph", 4,
	    0x100 },
	{ "subgraphs-huge", CIX_BAD_FB_VECTOR, WHOLE, count, "root", 2,
	    0xffffffff },
	{ "data-huge", CIX_BAD_FB_VECTOR, WHOLE, count, "subgraph", 1,
	    0xffffffff },
	{ "shape-huge", CIX_BAD_FB_VECTOR, WHOLE, count, "tensor", 1,
	    0x40000000 },
	{ "name-huge", CIX_BAD_FB_STRING, WHOLE, count, "root", 1,
	    0xffffffff },
	{ "name-open", CIX_BAD_FB_STRING, WHOLE, open_string, "root", 1, 0 },
	{ "no-version-field", CIX_BAD_FB_REQUIRED, WHOLE, without, "root", 0,
	    0 },
	{ "no-name-field", CIX_BAD_FB_REQUIRED, WHOLE, without, "root", 1,
	    0 },
	{ "no-subgraphs-field", CIX_BAD_FB_REQUIRED, WHOLE, without, "root",
	    2, 0 },
	{ "no-tensors-field", CIX_BAD_FB_REQUIRED, WHOLE, without, "root", 3,
	    0 },
	{ "no-inputs-field", CIX_BAD_FB_REQUIRED, WHOLE, without, "root", 4,
	    0 },
	{ "no-outputs-field", CIX_BAD_FB_REQUIRED, WHOLE, without, "root", 5,
	    0 },
	{ "no-graph-name-field", CIX_BAD_FB_REQUIRED, WHOLE, without,
	    "subgraph", 0, 0 },
	{ "no-graph-data-field", CIX_BAD_FB_REQUIRED, WHOLE, without,
	    "subgraph", 1, 0 },
	{ "no-graph-inputs-field", CIX_BAD_FB_REQUIRED, WHOLE, without,
	    "subgraph", 2, 0 },
	{ "no-graph-outputs-field", CIX_BAD_FB_REQUIRED, WHOLE, without,
	    "subgraph", 3, 0 },
	{ "no-tensor-name-field", CIX_BAD_FB_REQUIRED, WHOLE, without,
	    "tensor", 0, 0 },
	{ "no-subgraph", CIX_BAD_NO_SUBGRAPH, WHOLE, count, "root", 2, 0 },
	{ "many-subgraphs", CIX_BAD_MANY_SUBGRAPHS, PLAN, graphs, 0, 65, 0 },
	{ "overlap", CIX_BAD_OVERLAP, WHOLE, overlap, 0, 0, 0 },
	{ "graph-empty", CIX_BAD_GRAPH_EMPTY, PLAN, first_is, "", 1, 0 },
	{ "graph-aipu-bin", CIX_BAD_GRAPH_AIPU_BIN, PLAN, first_is,
	    "AIPU BIN graph of an earlier Zhouyi NPU", 1, 0 },
	{ "graph-for-cpu", CIX_BAD_NOT_NPU, PLAN, first_is,
	    "{\"layers\": \"something for the CPU, longer than a header\"}",
	    0, 0 },
	{ "graph-noise", CIX_BAD_NOT_NPU, PLAN, first_is, "\x7f" "EL", 1,
	    0 },
	{ "second-elf-type", CIX_BAD_ELF_TYPE, WHOLE, second_damaged, 0, 0,
	    0 },
	{ .name = NULL }
};
