// SPDX-License-Identifier: Apache-2.0
#include <stdio.h>

#include "model/elf.h"
#include "model/reader.h"

/* TECs in a core of the Sky1.  Each has a stack and private data (noe-abi
 * 9). */
#define TECS 4

/* ---- Notes ------------------------------------------------------------ */

static bool
named(struct bytes name, const char *want)
{
	return name.n == strlen(want) && memcmp(name.p, want, name.n) == 0;
}

/* Reads the notes.  Keeps the first note of each name, as the library does. */
static int
read_notes(struct model_reader *r, struct bytes section)
{
	struct notes *n = &r->notes;
	const struct {
		const char *name;
		struct bytes *desc;
	} wanted[] = {
		{ "rodata", &n->rodata }, { "desc", &n->desc },
		{ "weight", &n->weight }, { "fmlist", &n->fmlist },
		{ "remap", &n->remap }, { "subgraphs", &n->subgraphs },
		{ "compilermsg", &n->compilermsg },
	};
	struct bytes name, desc;
	uint64_t at = 0;
	int rc;

	while ((rc = elf_next_note(section, &at, &name, &desc, r->err)) > 0)
		for (size_t i = 0; i < sizeof(wanted) / sizeof(*wanted); i++)
			if (named(name, wanted[i].name) &&
			    wanted[i].desc->p == NULL)
				*wanted[i].desc = desc;
	return rc;
}

static int
require_notes(struct model_reader *r)
{
	const struct notes *n = &r->notes;

	if (reader_refuses(r, CIX_BAD_NO_COMPILERMSG, n->compilermsg.p == NULL))
		return cix_refuse(r->err, CIX_BAD_NO_COMPILERMSG, "%s", "");
	if (reader_refuses(r, CIX_BAD_NO_FMLIST, n->fmlist.p == NULL))
		return cix_refuse(r->err, CIX_BAD_NO_FMLIST, "%s", "");
	if (reader_refuses(r, CIX_BAD_NO_SUBGRAPHS, n->subgraphs.p == NULL))
		return cix_refuse(r->err, CIX_BAD_NO_SUBGRAPHS, "%s", "");
	if (reader_refuses(r, CIX_BAD_NO_RODATA, n->rodata.p == NULL))
		return cix_refuse(r->err, CIX_BAD_NO_RODATA, "%s", "");
	return 0;
}

/* Reads the compiler's message (noe-abi 8.1). */
static int
read_compilermsg(struct model_reader *r)
{
	static const char *const isas[] = { "", "Z1", "Z2", "Z3", "X1", "X2" };
	struct cix_graph *g = r->g;
	uint32_t w[4] = { 0 };

	if (reader_refuses(r, CIX_BAD_COMPILERMSG_CUT,
	    r->notes.compilermsg.n < 48))
		return cix_refuse(r->err, CIX_BAD_COMPILERMSG_CUT,
		    "it is %zu", r->notes.compilermsg.n);
	bytes_get(r->notes.compilermsg, 0, w, sizeof(w));
	g->file_version = w[0];
	g->build.major = w[1] & 0xf;
	g->build.minor = w[1] >> 8 & 0xf;
	g->build.number = w[1] >> 16;
	g->config = w[2] & 0xffff;
	g->isa = w[2] >> 16 & 0xf;
	g->arch = w[2] >> 20 & 0xff;
	g->revision = w[2] >> 28;
	g->dynamic_shape = w[3] >> 6 & 1;
	if (g->isa == CIX_ISA_EMULATOR)
		snprintf(g->target, sizeof(g->target), "emulator");
	else if (g->isa >= 1 && g->isa <= CIX_ISA_X2)
		snprintf(g->target, sizeof(g->target), "%s_%04u",
		    isas[g->isa], g->config);
	else
		snprintf(g->target, sizeof(g->target), "isa%u_%04u", g->isa,
		    g->config);
	return 0;
}

/* ---- Public functions ------------------------------------------------- */

static int
open_sections(struct model_reader *r, struct bytes b, struct bytes *notes)
{
	struct bytes text = { NULL, 0 }, s;
	struct cix_graph *g = r->g;
	struct elf e = { .b = b };
	int rc;

	if ((rc = elf_open(b, &e, r->err)) < 0)
		return rc;
	if (reader_refuses(r, CIX_BAD_NO_TEXT,
	    !elf_section(&e, ".text", &text)))
		return cix_refuse(r->err, CIX_BAD_NO_TEXT, "%s", "");
	if (reader_refuses(r, CIX_BAD_TEXT_EMPTY, text.n == 0))
		return cix_refuse(r->err, CIX_BAD_TEXT_EMPTY, "%s", "");
	if (reader_refuses(r, CIX_BAD_NO_NOTES,
	    !elf_section(&e, ".note.aipu", notes)))
		return cix_refuse(r->err, CIX_BAD_NO_NOTES, "%s", "");
	g->text = text.n;
	g->note = notes->n;
	if (elf_section(&e, ".rodata", &s))
		g->rodata_section = s.n;
	if (elf_section(&e, ".data", &s))
		g->data = s.n;
	if (elf_section(&e, ".onnx", &s))
		g->twin = s;
	return 0;
}

/* Computes device memory (noe-abi 9).  The result agrees with the requests that
 * 2.0.2 sends to the driver (run). */
static void
count_memory(struct model_reader *r)
{
	struct cix_graph *g = r->g;

	g->rodata = r->notes.rodata.n;
	g->params = r->notes.rodata;
	g->desc = r->notes.desc.n;
	g->weight = r->notes.weight.n;
	g->load_memory = g->text + g->rodata_section + r->statics;
	g->job_memory = g->rodata + g->desc + g->reuse +
	    TECS * (g->stack + g->private_data);
}

int
graph_parse(struct bytes elf, bool lenient, struct cix_graph *g,
    struct npu_err *err)
{
	struct model_reader r = { .g = g, .lenient = lenient, .err = err };
	struct bytes notes = { NULL, 0 };
	int rc;

	g->elf = elf;
	if ((rc = open_sections(&r, elf, &notes)) < 0 ||
	    (rc = read_notes(&r, notes)) < 0 ||
	    (rc = require_notes(&r)) < 0 ||
	    (rc = read_compilermsg(&r)) < 0 ||
	    (rc = fmlist_parse(&r)) < 0 ||
	    (rc = fmlist_parse_subgraphs(&r)) < 0 ||
	    (rc = fmlist_parse_remap(&r)) < 0)
		return rc;
	count_memory(&r);
	g->is_npu = true;
	return tensor_order(g, err);
}
