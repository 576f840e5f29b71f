/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Library 3.x: libnoe.so.3.1.0 is a front end that loads a back end,
 * libaipudrv.so (noe-abi 10).  Its header was never seen, only programs that
 * use it, so the interface between the two is our own: the back end is the
 * emulator, with the functions of 2.x and two more.
 */
#ifndef EMU_NOE3_NOE3_H
#define EMU_NOE3_NOE3_H

#include "emu/api.h"

/* The versions of 3.1.2 and of the driver that it goes with (noe-abi 10). */
#define NOE3_UMD_VERSION "3.1.0"
#define NOE3_KMD_VERSION "6.2.0"

/* ---- Back end --------------------------------------------------------- */

/* As noe_init_context(), for the device that NPU_EMU_DEVICE names; others give
 * INVALID_CONFIG. */
noe_status_t aipudrv_emu_init(context_handler_t **ctx, uint32_t device);
noe_status_t aipudrv_emu_status(const context_handler_t *ctx,
    noe_device_status_t *status);

/* ---- Front end -------------------------------------------------------- */

/* A C function here; in 2.x it has only a mangled name. */
noe_status_t noe_get_device_status(const context_handler_t *ctx,
    noe_device_status_t *status);

/* noe_abi.h declares that of 2.x, with one argument, under this name. */
noe_status_t noe3_init_context(context_handler_t **ctx, uint32_t device)
    __asm__("noe_init_context");

#endif
