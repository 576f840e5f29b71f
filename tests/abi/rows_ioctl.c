// SPDX-License-Identifier: Apache-2.0
/* noe_ioctl(): noe-abi 4.13. */
#include <string.h>

#include "abi.h"

static void
version(struct world *w)
{
	fill(w);
	w->index = NOE_IOCTL_GET_VERSION;
}

static int
versions(struct world *w)
{
	const char *kmd = noe.opaque ? "6.2.0" : "5.11.0";
	noe_driver_version_t *v = w->data;
	int st = call_ioctl(w);

	must(w, without_nul(v->umd_version, noe.opaque ? "3.1.0" : "0.6.0"),
	    "umd 0.6.0, or 3.1.0; no NUL");
	must(w, strncmp(v->kmd_version, kmd, 16) == 0,
	    "kmd 5.11.0, or 6.2.0; a NUL");
	must(w, v->kmd_version[strlen(kmd) + 1] == '~', "kmd: not padded");
	return st;
}

static int
version_of_the_cpu(struct world *w)
{
	return noe.ioctl(w->ctx, NOE_DEVICE_CPU, NOE_IOCTL_GET_VERSION,
	    w->data);
}

static int
build_version(struct world *w)
{
	noe_cix_buildversion_t *v = w->data;

	v->graph_id = w->graph;
	w->index = NOE_IOCTL_GET_NOEBIN_BUILDVERSION;
	return call_ioctl(w);
}

/* The version of compiler 6.1.3407: number << 16 | minor << 8 | major. */
static int
build_number(struct world *w)
{
	noe_cix_buildversion_t *v = w->data;
	int st = build_version(w);

	must(w, v->noe_cix_buildversion == (3407u << 16 | 1 << 8 | 6),
	    "6.1.3407");
	return st;
}

static int
build_version_of_no_graph(struct world *w)
{
	w->graph = 0;
	return build_version(w);
}

static void
version_to_nowhere(struct world *w)
{
	w->index = NOE_IOCTL_GET_VERSION;
	w->data = NULL;
}

static void ticks_on(struct world *w) { w->index = 272; w->data = NULL; }
static void ticks_off(struct world *w) { w->index = 273; w->data = NULL; }
static void ioctl_unknown(struct world *w) { w->index = 999; }
/* ---- Dynamic shapes of a static graph --------------------------------- */

static uint32_t shape[8];

static int
number_of(struct world *w, uint32_t *n)
{
	noe_dynshape_num_t arg = { w->graph, n };

	return noe.ioctl(w->ctx, NOE_DEVICE_NPU, NOE_IOCTL_GET_DS_NUM, &arg);
}

static int
dimensions_of(struct world *w, uint32_t *n)
{
	noe_dynshape_dim_num_t arg = { w->graph, w->index, true, n };

	return noe.ioctl(w->ctx, NOE_DEVICE_NPU, NOE_IOCTL_GET_DS_DIM_NUM,
	    &arg);
}

static int
no_shapes(struct world *w)
{
	int st = number_of(w, &w->count);

	must(w, w->count == 0, "none");
	return st;
}

static int
no_dimensions(struct world *w)
{
	int st = dimensions_of(w, &w->count);

	must(w, w->count == 0, "none");
	return st;
}

static int
no_shape(struct world *w)
{
	noe_dynshape_info_t arg = { w->graph, 0, true, shape };

	return noe.ioctl(w->ctx, NOE_DEVICE_NPU, NOE_IOCTL_GET_DS_INFO, &arg);
}

static int number_to_nowhere(struct world *w) { return number_of(w, NULL); }

static int
dimensions_to_nowhere(struct world *w)
{
	return dimensions_of(w, NULL);
}

/* ---- Without an argument, and commands of the kernel driver ----------- */

static int
nothing_for(struct world *w, int first, int last)
{
	w->data = NULL;
	for (int cmd = first; cmd <= last; cmd++) {
		w->index = (uint32_t)cmd;
		must(w, call_ioctl(w) == 1, "each answers 0x1");
	}
	return 1;
}

static int
no_arguments(struct world *w)
{
	return nothing_for(w, NOE_IOCTL_GET_NOEBIN_BUILDVERSION,
	    NOE_IOCTL_GET_VERSION);
}

static int
dma_buffers(struct world *w)
{
	for (int cmd = NOE_IOCTL_ALLOC_DMABUF; cmd <= NOE_IOCTL_DETACH_DMABUF;
	    cmd++) {
		memset(w->data, 0, 64);
		w->index = (uint32_t)cmd;
		must(w, call_ioctl(w) == 4, "each answers 0x4");
	}
	return 4;
}

static const struct row rows[] = {
	{ "ioctl: versions", CTX, version, versions, 0, NULL, NULL },
	{ "ioctl: the device type is ignored", CTX, NULL, version_of_the_cpu,
	    0, NULL, NULL },
	{ "ioctl: version, arg NULL", CTX, version_to_nowhere, call_ioctl, 1,
	    NULL, NULL },
	{ "ioctl: build version of a graph", GRAPH, NULL, build_version, 0,
	    NULL, NULL },
	{ "ioctl: build version, graph 0", GRAPH, NULL,
	    build_version_of_no_graph, 0xb, NULL, NULL },
	{ "ioctl: tick counter on", CTX, ticks_on, call_ioctl, 0, NULL,
	    NULL },
	{ "ioctl: tick counter off", CTX, ticks_off, call_ioctl, 0, NULL,
	    NULL },
	{ "ioctl: unknown command", CTX, ioctl_unknown, call_ioctl, 0x13,
	    NULL, NULL },
	{ "ioctl: ctx NULL", CTX, no_ctx, call_ioctl, 1, NULL, NULL },
	{ "ioctl: unknown handle", CTX, stale_ctx, call_ioctl, 2, NULL,
	    NULL },
	{ "ioctl: the build version's parts", GRAPH, NULL, build_number, 0,
	    "sound-build", NULL },

	{ "ioctl: dynamic shapes of a static graph", GRAPH, NULL, no_shapes,
	    0, NULL, NULL },
	{ "ioctl: dimensions of a static graph", GRAPH, NULL, no_dimensions, 0,
	    NULL, NULL },
	{ "ioctl: a dynamic shape of a static graph", GRAPH, NULL, no_shape,
	    0x28, NULL, NULL },
	{ "ioctl: dynamic shapes, graph 0", GRAPH, no_graph,
	    number_to_nowhere, 0xb, NULL, NULL },
	{ "ioctl: dimensions, graph 0", GRAPH, no_graph,
	    dimensions_to_nowhere, 0xb, NULL, NULL },
	{ "ioctl: a shape, graph 0", GRAPH, no_graph, no_shape, 0xb, NULL,
	    NULL },
	{ "ioctl: dynamic shapes, result NULL", GRAPH, NULL,
	    number_to_nowhere, 1, NULL, NULL },
	{ "ioctl: dimensions, result NULL", GRAPH, NULL,
	    dimensions_to_nowhere, 1, NULL, NULL },
	{ "ioctl: commands with an argument, arg NULL", GRAPH, NULL,
	    no_arguments, 1, NULL, NULL },
	{ "ioctl: dma-buf requests, which the driver lacks", GRAPH,
	    NULL, dma_buffers, 4, NULL, NULL },
};

TABLE(ioctl_rows, rows);
