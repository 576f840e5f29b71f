/* SPDX-License-Identifier: Apache-2.0 */
/* Generates data for model inputs without a file. */
#ifndef CMD_TENSORS_FILL_H
#define CMD_TENSORS_FILL_H

#include "npu.h"

struct fill {
	enum { FILL_NONE, FILL_ZERO, FILL_RAMP, FILL_RANDOM } with;
	uint64_t state;		/* FILL_RANDOM: the seed, then the
				   generator's state */
};

/* Parses --fill: "zero", "ramp", "random" or "random:SEED". */
void fill_parse(struct fill *f, const char *arg);

/*
 * Writes t->size bytes to p: zero bytes; the numbers 0, 1, ... in as many bits
 * as the type has; or random numbers.  Integers of 32 and 64 bits are below
 * 256, small enough for token ids; floats are from -1 up to 1.
 */
void fill_tensor(const struct npu_tensor *t, struct fill *f, uint8_t *p);

#endif
