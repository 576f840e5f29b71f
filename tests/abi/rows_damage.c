// SPDX-License-Identifier: Apache-2.0
/*
 * Every model of tests/tools/mkcix that is not in rows_graph.c: the observed
 * behaviour of 2.0.2.  Besides a status, there are three kinds of trouble:
 *
 *	LATE	the model loads, and noe_create_job() crashes
 *	MISREAD	the library reads past the end of its input; whether it survives
 *		depends on the bytes there; the emulator stops and reports it
 *	DIFFERS	the emulator answers differently on purpose: its target is
 *		another, and lib/model limits its own work
 */
#include "abi.h"

static int
load_and_run(struct world *w)
{
	must(w, call_load_graph(w) == 0, "load_graph");
	must(w, call_create_job(w) == 0, "create_job");
	return call_job_infer_sync(w);
}

static int
load_and_create(struct world *w)
{
	must(w, call_load_graph(w) == 0, "load_graph");
	return call_create_job(w);
}

/* The twin is not read, because the vendor's library also ignores it. */
#define NO_TWIN "NPU_EMU_COMPUTE=none"

#define RUNS(file) \
	{ "load_graph: model " file, CTX, NULL, load_and_run, 0, file, NO_TWIN }
#define REFUSED(file, st) \
	{ "load_graph: model " file, CTX, NULL, call_load_graph, st, file, \
	  NULL }
#define CRASHING(file) REFUSED(file, CRASHES)
#define MISREAD(file) REFUSED(file, MISREADS)
#define LATE(file) \
	{ "create_job: model " file, CTX, NULL, load_and_create, CRASHES, \
	    file, NULL }
#define DIFFERS(file, st, here) \
	{ "load_graph: model " file, CTX, NULL, call_load_graph, \
	    BUT_EMULATOR(st, here), file, NO_TWIN }

static const struct row rows[] = {
	RUNS("sound-several"),
	RUNS("sound-one-section"),
	RUNS("sound-two-lists"),
	RUNS("sound-ids-210"),
	RUNS("sound-ids-120"),
	RUNS("sound-ids-321"),
	RUNS("sound-ids-007"),
	RUNS("sound-ids-100"),
	RUNS("sound-ids-110"),
	RUNS("sound-kinds"),
	RUNS("sound-type-unknown"),
	RUNS("sound-type-compact"),
	RUNS("sound-scale-0"),
	RUNS("sound-names"),
	RUNS("sound-weight"),
	RUNS("sound-builder"),
	RUNS("sound-desc"),
	REFUSED("sound-isa-7", 0xa),
	DIFFERS("sound-emulator", 0xa, 0),
	RUNS("sound-dynamic"),
	RUNS("sound-build"),
	RUNS("sound-private-negative"),
	RUNS("sound-second-for-cpu"),
	RUNS("sound-twin"),
	DIFFERS("elf-4-bytes", 0x8, 0x9),
	REFUSED("elf-64-bit", 0x9),
	REFUSED("elf-big-endian", 0x9),
	REFUSED("elf-entry-0", 0x9),
	REFUSED("elf-entry-64", 0x9),
	REFUSED("elf-headers-beyond", 0x9),
	DIFFERS("elf-many-sections", 0, 0x9),
	REFUSED("elf-cut-header", 0x9),
	REFUSED("section-beyond", 0x9),
	DIFFERS("section-too-long", CRASHES, 0x9),
	REFUSED("strings-beyond", 0x9),
	REFUSED("strings-none", 0x9),
	REFUSED("strings-index", 0x9),
	REFUSED("strings-open", 0x9),
	REFUSED("sections-none", 0x9),
	REFUSED("section-name", 0x9),
	LATE("text-empty"),
	CRASHING("note-name-long"),
	CRASHING("note-name-huge"),
	CRASHING("note-desc-long"),
	MISREAD("note-last-long"),
	MISREAD("compilermsg-40"),
	CRASHING("fmlist-none"),
	CRASHING("fmlist-count-huge"),
	CRASHING("fmlist-sections"),
	CRASHING("fmlist-parts"),
	CRASHING("fmlist-slots"),
	LATE("section-empty"),
	CRASHING("static-offset"),
	MISREAD("static-size"),
	LATE("slot"),
	LATE("slot-negative"),
	MISREAD("remap-count"),
	CRASHING("remap-count-huge"),
	RUNS("subgraphs-none"),
	MISREAD("subgraphs-count"),
	MISREAD("precursors"),
	CRASHING("private-sections"),
	DIFFERS("many-tensors", 0, 0x9),
	RUNS("tensor-beyond"),
	RUNS("tensor-too-long"),
	RUNS("tensor-empty"),
	RUNS("tensor-halves"),
	RUNS("scale-nan"),
	RUNS("scale-infinite"),
	RUNS("scale-negative"),
	CRASHING("web-page"),
	CRASHING("web-page-bom"),
	CRASHING("aipu-bin"),
	CRASHING("zeros-10"),
	CRASHING("short"),
	CRASHING("root-zero"),
	CRASHING("root-beyond"),
	MISREAD("file-cut-byte"),
	MISREAD("file-cut-half"),
	CRASHING("offset-beyond"),
	CRASHING("offset-negative"),
	MISREAD("offset-zero"),
	CRASHING("subgraph-beyond"),
	CRASHING("tensor-entry-beyond"),
	CRASHING("input-beyond"),
	CRASHING("vtable-beyond"),
	CRASHING("vtable-before"),
	MISREAD("vtable-odd"),
	CRASHING("vtable-2"),
	MISREAD("vtable-long"),
	MISREAD("table-2"),
	MISREAD("table-long"),
	CRASHING("field-beyond"),
	CRASHING("field-across"),
	CRASHING("field-first"),
	MISREAD("scalar-beyond"),
	MISREAD("backend-beyond"),
	CRASHING("subgraphs-huge"),
	MISREAD("data-huge"),
	MISREAD("shape-huge"),
	CRASHING("name-huge"),
	MISREAD("name-open"),
	CRASHING("no-version-field"),
	CRASHING("no-name-field"),
	CRASHING("no-subgraphs-field"),
	CRASHING("no-tensors-field"),
	CRASHING("no-inputs-field"),
	CRASHING("no-outputs-field"),
	CRASHING("no-graph-name-field"),
	CRASHING("no-graph-data-field"),
	CRASHING("no-graph-inputs-field"),
	CRASHING("no-graph-outputs-field"),
	CRASHING("no-tensor-name-field"),
	DIFFERS("many-subgraphs", 0, 0x9),
	DIFFERS("overlap", 0, 0x9),
	REFUSED("graph-empty", 0x15),
	REFUSED("graph-noise", 0x8),
	RUNS("second-elf-type"),
};

TABLE(damage_rows, rows);
