/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Places of a file, found by a hash of what is there.  The hash is keyed, so
 * that no file can be made whose names all fall together.
 */
#ifndef STORE_TABLE_H
#define STORE_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct table_slot {
	uint64_t hash;
	uint64_t at;		/* 0: free */
};

struct index_table {
	struct table_slot *slot;	/* owned; free() */
	size_t n, cap;			/* cap is 0 or a power of 2 */
	uint64_t key;
};

/* A new key for *t, which is zeroed. */
void table_begin(struct index_table *t);
uint64_t table_hash(const struct index_table *t, const void *p, size_t n);
/* The slot whose at is the one that same() means, or where it would go; NULL
 * while there is none at all. */
struct table_slot *table_find(const struct index_table *t, uint64_t hash,
    bool (*same)(const void *arg, uint64_t at), const void *arg);
/* Room for one more; false without memory.  Moves the slots. */
bool table_room(struct index_table *t);

#endif
