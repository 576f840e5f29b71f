// SPDX-License-Identifier: Apache-2.0
/* The functions that libaipudrv.so has in addition to libnoe-emu.so. */
#include "emu/device.h"
#include "emu/message.h"
#include "emu/noe3/noe3.h"

EMU_API noe_status_t
aipudrv_emu_init(context_handler_t **ctx, uint32_t device)
{
	if (!emu_read_settings())
		return NOE_STATUS_ERROR_INVALID_CONFIG;
	if (device == emu_settings.device)
		return noe_init_context(ctx);
	emu_message("noe_init_context: device %u, but the NPU is %u here "
	    "(NPU_NOE_DEVICE and NPU_EMU_DEVICE set them)", device,
	    emu_settings.device);
	return NOE_STATUS_ERROR_INVALID_CONFIG;
}

EMU_API noe_status_t
aipudrv_emu_status(const context_handler_t *ctx, noe_device_status_t *status)
{
	struct context *c;
	noe_status_t st;

	if ((st = emu_with_context(ctx, &c)) != NOE_STATUS_SUCCESS)
		return st;
	if (status == NULL)
		return emu_release(NOE_STATUS_ERROR_NULL_PTR);
	if (device_lost())
		return emu_release(NOE_STATUS_ERROR_DEV_ABNORMAL);
	*status = device_busy() ? NOE_DEV_BUSY : NOE_DEV_IDLE;
	return emu_release(NOE_STATUS_SUCCESS);
}
