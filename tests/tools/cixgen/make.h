/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A model while it is made.  A row of the table says what is odd in the model,
 * and at which stage it is changed: in the inputs and outputs; before anything
 * is written; in the bytes of the graph ELF; or in the bytes of the file.
 */
#ifndef TESTS_TOOLS_CIXGEN_MAKE_H
#define TESTS_TOOLS_CIXGEN_MAKE_H

#include "model/write.h"

#define MAX_IO 64

enum stage { SHAPE, PLAN, GRAPH, WHOLE };

struct make {
	struct npu_tensor in[MAX_IO], out[MAX_IO];
	uint32_t in_id[MAX_IO], out_id[MAX_IO];
	size_t n_in, n_out;
	uint32_t op;			/* operation of the FNP1 program */
	struct graph_plan graph;
	struct container_plan container;
	struct cix_tensor *t;		/* graph.tensors; make_free() */
	struct container_part *parts;	/* container.parts; make_free() */
	struct buf elf, file;
};

struct damage {
	const char *name;
	int check;			/* that refuses it, or CIX_SOUND */
	enum stage stage;
	void (*apply)(struct make *m, const struct damage *d);
	const char *s;			/* for apply */
	uint32_t a, b;
};

/* Rows, up to a row whose name is NULL. */
extern const struct damage sound_rows[];
extern const struct damage graph_rows[];
extern const struct damage container_rows[];

/* Fills m->elf and m->file.  The inputs and outputs must be set. */
void make_model(struct make *m, const struct damage *d);
/* Writes m->elf from m->graph, as make_model() does before stage GRAPH. */
void make_graph(struct make *m);
void make_free(struct make *m);

/* Adds space for n more tensors at the end; returns the first. */
struct cix_tensor *more_tensors(struct make *m, size_t n);
/* Sets the number of parts to n: the graph, then empty parts for the CPU. */
void more_parts(struct make *m, size_t n);

/* Read and write bytes that must exist; otherwise the generator is wrong, and
 * the program ends. */
uint32_t get32(const struct buf *b, size_t at);
void set(struct buf *b, size_t at, size_t width, uint32_t v);
/* Return the offset of a note's desc in the graph, and of its header. */
size_t note_desc(const struct buf *elf, const char *name);
size_t note_head(const struct buf *elf, const char *name);
/* Returns the offset of the header of section i. */
size_t section_head(const struct buf *elf, unsigned i);
_Noreturn void bad(const char *what);

#endif
