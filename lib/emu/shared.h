/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Share buffers (noe-abi 4.13, 4.15): memory that the program and jobs have in
 * common, known to both by its device address.  One that is freed while a job
 * uses it stays until that job is gone.  All with emu_lock held.
 */
#ifndef EMU_SHARED_H
#define EMU_SHARED_H

#include "emu/state.h"

struct shared_buffer;

/* Fills in both addresses of b, of which the size is asked for: 0, or
 * BUF_ALLOC_FAIL. */
noe_status_t shared_alloc(noe_share_buf_t *b);
/* 0, or SET_SHARED_TENSOR where the address is in none. */
noe_status_t shared_free(const noe_share_buf_t *b);

/* Where tensor i of j, inputs and then outputs, is in a share buffer for the
 * device, and where for load_tensor() and get_tensor(), which keep to the job's
 * memory if the buffer is customed; NULL: in the job's memory. */
uint8_t *shared_tensor(const struct emu_job *j, uint32_t i);
uint8_t *shared_copied(const struct emu_job *j, uint32_t i);
/* Puts it at device address pa: 0, SET_SHARED_TENSOR where no share buffer has
 * the room there, or BUF_ALLOC_FAIL. */
noe_status_t shared_place(struct emu_job *j, uint32_t i, uint64_t pa,
    bool customed);
/* Gives up what j uses. */
void shared_leave(struct emu_job *j);

#endif
