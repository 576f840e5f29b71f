// SPDX-License-Identifier: Apache-2.0
/* Models that are odd, but sound: library 2.0.2 loads them (noe-abi 4.10). */
#include <stdio.h>

#include "make.h"

static struct npu_tensor
tensor(const char *name, enum npu_dtype type, uint32_t n, float scale,
    int32_t zero)
{
	struct npu_tensor t = { .dtype = type, .ndim = 2, .dim = { 1, n },
	    .scale = scale, .zero_point = zero };

	t.size = n * npu_dtype_size(type);
	snprintf(t.name, sizeof(t.name), "%s", name);
	return t;
}

/* Three inputs and two outputs, all different. */
static void
several(struct make *m, const struct damage *d)
{
	m->n_in = 3;
	m->in[0] = tensor("tokens", NPU_S32, 77, 1, 0);
	m->in[1] = tensor("image", NPU_U8, 300, 255, 0);
	m->in[2] = tensor("mask", NPU_S16, 5, 64.75f, -12);
	m->n_out = 2;
	m->out[0] = tensor("embedding", NPU_S8, 512, 27.6738f, 60);
	m->out[1] = tensor("score", NPU_F16, 3, 1, 0);
	for (uint32_t i = 0; i < 3; i++)
		m->in_id[i] = m->out_id[i] = i;
	if (d->s == NULL)
		return;
	m->graph.reversed = strcmp(d->s, "reversed") == 0;
	m->graph.one_section = strcmp(d->s, "one-section") == 0;
	m->graph.lists = strcmp(d->s, "two-lists") == 0 ? 2 : 1;
}

/* The digits in s are the ids of the inputs. */
static void
ids(struct make *m, const struct damage *d)
{
	struct damage none = { .s = NULL };

	several(m, &none);
	for (size_t i = 0; i < 3; i++)
		m->in_id[i] = (uint32_t)(d->s[i] - '0');
}

/* A tensor of every kind, and one with an unknown kind. */
static void
kinds(struct make *m, const struct damage *d)
{
	static const uint32_t all[] = { CIX_SEGMMU, CIX_OUT_SHAPE, CIX_DUMP,
	    CIX_DUMP, CIX_PROFILE, CIX_INTERMEDIATE, CIX_LAYER_COUNTER,
	    CIX_ERROR_CODE, CIX_PRINTF, 99 };
	size_t n = sizeof(all) / sizeof(*all);
	struct cix_tensor *t = more_tensors(m, n);

	(void)d;
	for (size_t i = 0; i < n; i++) {
		t[i].kind = all[i];
		t[i].desc = tensor("", NPU_U8, 16 + (uint32_t)i, 1, 0);
	}
	t[2].id = 1;		/* the two dumps, in reverse order */
}

static void
dtype(struct make *m, const struct damage *d)
{
	m->in[0].dtype = d->a;
}

static void
scale(struct make *m, const struct damage *d)
{
	m->in[0].scale = (float)d->a;
}

static void
names(struct make *m, const struct damage *d)
{
	snprintf(m->in[0].name, sizeof(m->in[0].name), "%s", d->s);
	m->container.name = d->s;
}

static void
weight(struct make *m, const struct damage *d)
{
	static const uint8_t some[16] = { 1, 2, 3 };

	m->graph.weight = d->s == NULL ?
	    (struct bytes){ some, sizeof(some) } :
	    (struct bytes){ (const uint8_t *)d->s, d->a };
}

static void
desc(struct make *m, const struct damage *d)
{
	static const uint8_t some[64];

	(void)d;
	m->graph.desc = (struct bytes){ some, sizeof(some) };
}

/* ISA a, configuration b. */
static void
device(struct make *m, const struct damage *d)
{
	m->graph.device = d->a << 16 | d->b;
}

static void
parts(struct make *m, const struct damage *d)
{
	more_parts(m, 2);
	m->parts[1].backend = d->a;
	if (d->s != NULL)
		m->parts[1].blob = (struct bytes){ (const uint8_t *)d->s,
		    strlen(d->s) };
}

static void
no_table(struct make *m, const struct damage *d)
{
	(void)d;
	m->container.no_table = true;
}

/* The container's table describes a model with another input. */
static void
contradiction(struct make *m, const struct damage *d)
{
	static struct npu_tensor other;

	other = tensor("other", NPU_F32, d->a, 3, 4);
	m->container.inputs = &other;
	m->container.n_inputs = 1;
}

static void
word(struct make *m, const struct damage *d)
{
	set(&m->elf, note_desc(&m->elf, d->s) + d->a, 4, d->b);
}

static void
rename_note(struct make *m, const struct damage *d)
{
	set(&m->elf, note_head(&m->elf, d->s) + 12, 1, 'X');
}

static void
rename_weight(struct make *m, const struct damage *d)
{
	struct damage none = { .s = NULL };

	weight(m, &none);
	make_graph(m);
	rename_note(m, d);
}

static void
twin(struct make *m, const struct damage *d)
{
	m->graph.twin = (struct bytes){ (const uint8_t *)d->s, strlen(d->s) };
}

#define BUILT "\1\2\3built by AIPUBuilder version: 6.1.3407\0rest of it"

const struct damage sound_rows[] = {
	{ "sound", CIX_SOUND, WHOLE, NULL, 0, 0, 0 },
	{ "sound-several", CIX_SOUND, SHAPE, several, 0, 0, 0 },
	{ "sound-reversed", CIX_SOUND, SHAPE, several, "reversed", 0, 0 },
	{ "sound-one-section", CIX_SOUND, SHAPE, several, "one-section", 0,
	    0 },
	{ "sound-two-lists", CIX_SOUND, SHAPE, several, "two-lists", 0, 0 },
	{ "sound-ids-210", CIX_SOUND, SHAPE, ids, "210", 0, 0 },
	{ "sound-ids-120", CIX_SOUND, SHAPE, ids, "120", 0, 0 },
	{ "sound-ids-321", CIX_SOUND, SHAPE, ids, "321", 0, 0 },
	{ "sound-ids-007", CIX_SOUND, SHAPE, ids, "007", 0, 0 },
	{ "sound-ids-100", CIX_SOUND, SHAPE, ids, "100", 0, 0 },
	{ "sound-ids-110", CIX_SOUND, SHAPE, ids, "110", 0, 0 },
	{ "sound-kinds", CIX_SOUND, PLAN, kinds, 0, 0, 0 },
	{ "sound-type-unknown", CIX_SOUND, SHAPE, dtype, 0, 99, 0 },
	{ "sound-type-compact", CIX_SOUND, SHAPE, dtype, 0, NPU_S12C, 0 },
	{ "sound-scale-0", CIX_SOUND, SHAPE, scale, 0, 0, 0 },
	{ "sound-names", CIX_SOUND, SHAPE, names,
	    "caf\xc3\xa9 \x1b[31mred \xc2\x9b \xff", 0, 0 },
	{ "sound-weight", CIX_SOUND, PLAN, weight, 0, 0, 0 },
	{ "sound-builder", CIX_SOUND, PLAN, weight, BUILT, sizeof(BUILT), 0 },
	{ "sound-weight-missing", CIX_SOUND, GRAPH, rename_weight, "weight",
	    0, 0 },
	{ "sound-remap-missing", CIX_SOUND, GRAPH, rename_note, "remap", 0,
	    0 },
	{ "sound-desc", CIX_SOUND, PLAN, desc, 0, 0, 0 },
	{ "sound-isa-3", CIX_SOUND, PLAN, device, 0, 3, 1204 },
	{ "sound-isa-7", CIX_SOUND, PLAN, device, 0, 7, 1 },
	{ "sound-emulator", CIX_SOUND, PLAN, device, 0, CIX_ISA_EMULATOR,
	    1204 },
	{ "sound-config", CIX_SOUND, PLAN, device, 0, CIX_ISA_X2, 1205 },
	{ "sound-dynamic", CIX_SOUND, GRAPH, word, "compilermsg", 12, 0x40 },
	{ "sound-build", CIX_SOUND, GRAPH, word, "compilermsg", 4,
	    3407u << 16 | 1u << 8 | 6 },
	{ "sound-private-negative", CIX_SOUND, GRAPH, word, "subgraphs",
	    4 + 60, 0xffffffff },
	{ "sound-two-subgraphs", CIX_SOUND, PLAN, parts, 0, 1, 0 },
	{ "sound-second-for-cpu", CIX_SOUND, PLAN, parts, "for the CPU", 0,
	    0 },
	{ "sound-table-empty", CIX_SOUND, PLAN, no_table, 0, 0, 0 },
	{ "sound-table-contradicts", CIX_SOUND, PLAN, contradiction, 0, 1000,
	    0 },
	{ "sound-table-smaller", CIX_SOUND, PLAN, contradiction, 0, 10, 0 },
	{ "sound-twin", CIX_SOUND, PLAN, twin, "the ONNX model", 0, 0 },
	{ .name = NULL }
};
