/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Share buffers (noe-abi 4.13, 4.15): memory that the program and jobs share,
 * and that both identify by its device address.  A buffer that is freed while a
 * job uses it stays until the job is gone.  All functions require emu_lock.
 */
#ifndef EMU_SHARED_H
#define EMU_SHARED_H

#include "emu/state.h"

struct shared_buffer;

/* Allocates a buffer of the size in b and stores both addresses in b.  Returns
 * 0 or BUF_ALLOC_FAIL. */
noe_status_t shared_alloc(noe_share_buf_t *b);
/* Frees a buffer.  Returns 0, or SET_SHARED_TENSOR if no buffer has the
 * address. */
noe_status_t shared_free(const noe_share_buf_t *b);

/* Return the address of tensor i of j (inputs first, then outputs) in a share
 * buffer, or NULL if the tensor is in the job's memory.  shared_tensor() is for
 * the device.  shared_copied() is for load_tensor() and get_tensor(), which use
 * the job's memory if the buffer is customed. */
uint8_t *shared_tensor(const struct emu_job *j, uint32_t i);
uint8_t *shared_copied(const struct emu_job *j, uint32_t i);
/* Places tensor i at the device address pa.  Returns 0, SET_SHARED_TENSOR if no
 * share buffer has enough room there, or BUF_ALLOC_FAIL. */
noe_status_t shared_place(struct emu_job *j, uint32_t i, uint64_t pa,
    bool customed);
/* Releases the buffers that j uses. */
void shared_leave(struct emu_job *j);

#endif
