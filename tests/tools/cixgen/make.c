// SPDX-License-Identifier: Apache-2.0
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>

#include "make.h"

#define FNP1 0x31504e46		/* what the stand-in device executes */

void
bad(const char *what)
{
	fprintf(stderr, "mkcix: %s\n", what);
	exit(2);
}

uint32_t
get32(const struct buf *b, size_t at)
{
	uint32_t v;

	if (b->n < sizeof(v) || at > b->n - sizeof(v))
		bad("read past the end");
	memcpy(&v, b->p + at, sizeof(v));
	return v;
}

void
set(struct buf *b, size_t at, size_t width, uint32_t v)
{
	if (b->n < width || at > b->n - width)
		bad("write past the end");
	memcpy(b->p + at, &v, width);
}

size_t
section_head(const struct buf *elf, unsigned i)
{
	return get32(elf, offsetof(Elf32_Ehdr, e_shoff)) +
	    i * sizeof(Elf32_Shdr);
}

/* Notes are in section 2 of our own writer.  Does not use the reader's code. */
size_t
note_head(const struct buf *elf, const char *name)
{
	size_t at = get32(elf, section_head(elf, 2) +
	    offsetof(Elf32_Shdr, sh_offset));

	while (at + 12 < elf->n && strcmp(elf->p + at + 12, name) != 0)
		at += 12 + (get32(elf, at) + 3) / 4 * 4 +
		    (get32(elf, at + 4) + 3) / 4 * 4;
	if (at + 12 >= elf->n)
		bad("no such note");
	return at;
}

size_t
note_desc(const struct buf *elf, const char *name)
{
	size_t at = note_head(elf, name);

	return at + 12 + (get32(elf, at) + 3) / 4 * 4;
}

struct cix_tensor *
more_tensors(struct make *m, size_t n)
{
	size_t had = m->graph.n_tensors;

	m->t = realloc(m->t, (had + n) * sizeof(*m->t));
	if (m->t == NULL)
		bad("out of memory");
	memset(m->t + had, 0, n * sizeof(*m->t));
	m->graph.tensors = m->t;
	m->graph.n_tensors = had + n;
	return m->t + had;
}

void
more_parts(struct make *m, size_t n)
{
	m->parts = realloc(m->parts, n * sizeof(*m->parts));
	if (m->parts == NULL)
		bad("out of memory");
	for (size_t i = m->container.n_parts; i < n; i++)
		m->parts[i] = (struct container_part){ .name = "more" };
	m->container.parts = m->parts;
	m->container.n_parts = n;
}

static void
plan(struct make *m)
{
	struct cix_tensor *t = more_tensors(m, m->n_in + m->n_out);

	for (size_t i = 0; i < m->n_in; i++)
		*t++ = (struct cix_tensor){ m->in[i], CIX_INPUT, m->in_id[i] };
	for (size_t i = 0; i < m->n_out; i++)
		*t++ = (struct cix_tensor){ m->out[i], CIX_OUTPUT,
		    m->out_id[i] };
	m->container.name = m->container.name != NULL ? m->container.name :
	    "synthetic";
	m->container.inputs = m->in;
	m->container.n_inputs = m->n_in;
	m->container.outputs = m->out;
	m->container.n_outputs = m->n_out;
	more_parts(m, 1);
	m->parts[0] = (struct container_part){ .name = "npu", .backend = 1 };
}

static void
apply(struct make *m, const struct damage *d, enum stage stage)
{
	if (d->stage == stage && d->apply != NULL)
		d->apply(m, d);
}

void
make_graph(struct make *m)
{
	size_t rodata;

	buf_clear(&m->elf);
	graph_write(&m->graph, &m->elf);
	rodata = note_desc(&m->elf, "rodata");
	set(&m->elf, rodata, 4, FNP1);
	set(&m->elf, rodata + 4, 4, m->op);
}

void
make_model(struct make *m, const struct damage *d)
{
	apply(m, d, SHAPE);
	plan(m);
	apply(m, d, PLAN);
	make_graph(m);
	apply(m, d, GRAPH);
	/* A part for the NPU that does not have its own bytes is the graph. */
	for (size_t i = 0; i < m->container.n_parts; i++)
		if (m->parts[i].backend == 1 && m->parts[i].blob.p == NULL)
			m->parts[i].blob = (struct bytes){
			    (uint8_t *)m->elf.p, m->elf.n };
	container_write(&m->container, &m->file);
	apply(m, d, WHOLE);
	if (m->elf.failed || m->file.failed)
		bad("out of memory");
}

void
make_free(struct make *m)
{
	buf_free(&m->elf);
	buf_free(&m->file);
	free(m->parts);
	free(m->t);
}
