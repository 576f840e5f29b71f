/* SPDX-License-Identifier: Apache-2.0 */
/*
 * NPU_XDNA_FAULT: what is to go wrong.
 *
 *	N:ERRNO		the Nth call of open, ioctl or mmap fails, once
 *	each:ERRNO	each open and ioctl fails once before it succeeds
 *	state:N		each command ends in that state: 5, 6, 8
 *	hang		no command ends; the kernel gives up after 60 s
 *	hang:MS		the same, but it gives up after so many milliseconds
 *
 * ERRNO is a name, such as EINTR, or a number.
 */
#ifndef EMU_XDNA_FAULT_H
#define EMU_XDNA_FAULT_H

#include <stdbool.h>
#include <stdint.h>

/* Reads the variable and begins to count, unless it is what was read before: an
 * open() may be a repeated one.  False after a message on stderr: the variable
 * is not understood. */
bool xemu_read_fault(void);
/* The node is closed: the next open() is another one. */
void xemu_forget_fault(void);

/* Counts a call.  The errno with which it fails, or 0. */
int xemu_fault(bool is_mmap);

/* The state of each command's end; 0: its own. */
uint32_t xemu_fault_state(void);

/* Milliseconds after which the kernel gives up; -1: commands end. */
int64_t xemu_fault_hang(void);

#endif
