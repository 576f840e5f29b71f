/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Library 3.x: libnoe.so.3.1.0 is a front end that loads a back end,
 * libaipudrv.so (noe-abi 10).  We have never seen its header, only programs
 * that use it, so the interface between front end and back end is our own: the
 * back end is the emulator, with the functions of 2.x and two more.
 */
#ifndef EMU_NOE3_NOE3_H
#define EMU_NOE3_NOE3_H

#include "emu/api.h"

/* The versions of 3.1.2 and of the driver that belongs to it (noe-abi 10). */
#define NOE3_UMD_VERSION "3.1.0"
#define NOE3_KMD_VERSION "6.2.0"

/* ---- Back end --------------------------------------------------------- */

/* Does the same as noe_init_context() for the device that NPU_EMU_DEVICE names;
 * other devices give INVALID_CONFIG. */
noe_status_t aipudrv_emu_init(context_handler_t **ctx, uint32_t device);
noe_status_t aipudrv_emu_status(const context_handler_t *ctx,
    noe_device_status_t *status);

/* ---- Front end -------------------------------------------------------- */

/* A C function; library 2.x exports it only under a mangled C++ name. */
noe_status_t noe_get_device_status(const context_handler_t *ctx,
    noe_device_status_t *status);

/* Under this name noe_abi.h declares the function of 2.x, with one argument. */
noe_status_t noe3_init_context(context_handler_t **ctx, uint32_t device)
    __asm__("noe_init_context");

#endif
