/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Library 3.x: libnoe.so.3.1.0 is a front end, which loads libaipudrv.so, the
 * back end, behind itself (noe-abi 10).  Its header was never seen, only what
 * programs do that use it, so what is between the two here is our own: the
 * back end is the emulator, which has the functions of 2.x, and two more.
 */
#ifndef EMU_NOE3_NOE3_H
#define EMU_NOE3_NOE3_H

#include "emu/api.h"

/* What 3.1.2 and the driver that it goes with are called (noe-abi 10). */
#define NOE3_UMD_VERSION "3.1.0"
#define NOE3_KMD_VERSION "6.2.0"

/* ---- The back end's own ------------------------------------------------ */

/* As noe_init_context(), of the device that NPU_EMU_DEVICE says; of another it
 * is INVALID_CONFIG. */
noe_status_t aipudrv_emu_init(context_handler_t **ctx, uint32_t device);
noe_status_t aipudrv_emu_status(const context_handler_t *ctx,
    noe_device_status_t *status);

/* ---- The front end's own ----------------------------------------------- */

/* A C function, which in 2.x has only a mangled name. */
noe_status_t noe_get_device_status(const context_handler_t *ctx,
    noe_device_status_t *status);

/* noe_abi.h has 2.x's, of one argument, under this name. */
noe_status_t noe3_init_context(context_handler_t **ctx, uint32_t device)
    __asm__("noe_init_context");

#endif
