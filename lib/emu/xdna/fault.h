/* SPDX-License-Identifier: Apache-2.0 */
/*
 * NPU_XDNA_FAULT: the fault to emulate.
 *
 *	N:ERRNO		the Nth call of open, ioctl or mmap fails, once
 *	each:ERRNO	each open and ioctl fails once before it succeeds
 *	state:N		each command ends in state N: 5, 6, 8
 *	hang		no command ends; the kernel gives up after 60 s
 *	hang:MS		the same, but it gives up after MS milliseconds
 *
 * ERRNO is a name, such as EINTR, or a number.
 */
#ifndef EMU_XDNA_FAULT_H
#define EMU_XDNA_FAULT_H

#include <stdbool.h>
#include <stdint.h>

/* Reads the variable and restarts the count of calls.  A value that was already
 * read changes nothing, because an open() may be repeated.  If the value is
 * wrong, prints a message on stderr and returns false. */
bool xemu_read_fault(void);
/* Forgets the value when the node is closed: the next open() is not a repeated
 * one. */
void xemu_forget_fault(void);

/* Counts a call.  Returns the errno with which the call fails, or 0. */
int xemu_fault(bool is_mmap);

/* Returns the final state of each command; 0: the command's own. */
uint32_t xemu_fault_state(void);

/* Returns the milliseconds after which the kernel gives up; -1 if commands
 * end. */
int64_t xemu_fault_hang(void);

#endif
