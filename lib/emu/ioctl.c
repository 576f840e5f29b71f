// SPDX-License-Identifier: Apache-2.0
/* noe_ioctl() and noe_set_freq(): noe-abi 4.13 and 4.14. */
#include "emu/api.h"
#include "emu/device.h"
#include "emu/message.h"
#include "emu/shared.h"

/* One command; arg is not NULL. */
typedef noe_status_t command(struct context *c, void *arg);

static noe_status_t
set_profile(struct context *c, void *arg)
{
	(void)c;
	(void)arg;
	return NOE_STATUS_SUCCESS;
}

static noe_status_t
get_build_version(struct context *c, void *arg)
{
	noe_cix_buildversion_t *v = arg;
	const struct cix_graph *m;
	struct graph *g;
	noe_status_t st;

	if ((st = find_graph(c, v->graph_id, &g)) != NOE_STATUS_SUCCESS)
		return st;
	m = graph_cix(g);
	v->noe_cix_buildversion = m->build.number << 16 |
	    m->build.minor << 8 | m->build.major;
	return NOE_STATUS_SUCCESS;
}

static noe_status_t
get_version(struct context *c, void *arg)
{
	(void)c;
	if (device_lost())
		return NOE_STATUS_ERROR_DEV_ABNORMAL;
	emu_put_versions(arg, EMU_UMD_VERSION, EMU_KMD_VERSION);
	return NOE_STATUS_SUCCESS;
}

/* ---- Dynamic shapes, of which a static graph has none ----------------- */

static noe_status_t
no_shapes(struct context *c, uint64_t graph, uint32_t *n)
{
	struct graph *g;
	noe_status_t st;

	if ((st = find_graph(c, graph, &g)) != NOE_STATUS_SUCCESS)
		return st;
	if (graph_cix(g)->dynamic_shape)	/* not emulated */
		return NOE_STATUS_ERROR_OP_NOT_SUPPORTED;
	if (n == NULL)
		return NOE_STATUS_ERROR_NULL_PTR;
	*n = 0;
	return NOE_STATUS_SUCCESS;
}

static noe_status_t
get_shapes(struct context *c, void *arg)
{
	const noe_dynshape_num_t *a = arg;

	return no_shapes(c, a->graph_id, a->ds_num);
}

static noe_status_t
get_dimensions(struct context *c, void *arg)
{
	const noe_dynshape_dim_num_t *a = arg;

	return no_shapes(c, a->graph_id, a->ds_dim_num);
}

static noe_status_t
get_shape(struct context *c, void *arg)
{
	const noe_dynshape_info_t *a = arg;
	uint32_t n;
	noe_status_t st;

	st = no_shapes(c, a->graph_id, &n);
	return st == NOE_STATUS_SUCCESS ? NOE_STATUS_ERROR_GET_SHAPE_FAILED :
	    st;
}

/* ---- Share buffers ---------------------------------------------------- */

static noe_status_t
alloc_shared(struct context *c, void *arg)
{
	(void)c;
	return shared_alloc(arg);
}

static noe_status_t
free_shared(struct context *c, void *arg)
{
	(void)c;
	return shared_free(arg);
}

/* ---- What is not emulated --------------------------------------------- */

static noe_status_t
not_supported(struct context *c, void *arg)
{
	(void)c;
	(void)arg;
	return NOE_STATUS_ERROR_OP_NOT_SUPPORTED;
}

/* Fails like a driver without DMA buffers. */
static noe_status_t
no_dma_buffers(struct context *c, void *arg)
{
	(void)c;
	(void)arg;
	emu_noise_error("the driver has no dma-buf requests");
	return NOE_STATUS_ERROR_DEV_ABNORMAL;
}

/* Indexed by number, from NOE_IOCTL_SET_PROFILE on. */
static command *const commands[] = {
	set_profile, get_build_version, get_shapes, get_dimensions, get_shape,
	not_supported,				/* SET_DS_INFO */
	alloc_shared, free_shared,
	no_dma_buffers, no_dma_buffers, no_dma_buffers, no_dma_buffers,
	no_dma_buffers, no_dma_buffers, no_dma_buffers,
	get_version,
};

_Static_assert(sizeof(commands) / sizeof(*commands) ==
    NOE_IOCTL_GET_VERSION - NOE_IOCTL_SET_PROFILE + 1, "one a command");

static noe_status_t
run_ioctl(struct context *c, ioctl_cmd_t cmd, void *arg)
{
	if (cmd == NOE_IOCTL_ENABLE_TICKCOUNTER ||
	    cmd == NOE_IOCTL_DISABLE_TICKCOUNTER)
		return NOE_STATUS_SUCCESS;
	if (cmd < NOE_IOCTL_SET_PROFILE || cmd > NOE_IOCTL_GET_VERSION)
		return NOE_STATUS_ERROR_OP_NOT_SUPPORTED;
	if (arg == NULL)
		return NOE_STATUS_ERROR_NULL_PTR;
	return commands[cmd - NOE_IOCTL_SET_PROFILE](c, arg);
}

EMU_API noe_status_t
noe_ioctl(context_handler_t *ctx, device_type_t device, ioctl_cmd_t cmd,
    void *arg)
{
	struct context *c;
	noe_status_t st;

	(void)device;		/* ignored, as in 2.0.2 */
	if ((st = emu_with_context(ctx, &c)) != NOE_STATUS_SUCCESS)
		return st;
	return emu_release(run_ioctl(c, cmd, arg));
}

/* Fails: the emulator has no devfreq file, and must not change a real one. */
EMU_API noe_status_t
noe_set_freq(int index)
{
	if (index < 0 || index > 3)
		return NOE_STATUS_ERROR_INVALID_CONFIG;
	emu_noise_error("no frequency file");
	return NOE_STATUS_ERROR_OPEN_DEV_FAIL;
}
