/* SPDX-License-Identifier: Apache-2.0 */
/* Finds offsets in a file by a hash of the bytes there.  The hash has a secret
 * key, so nobody can make a file whose names all collide. */
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

/* Zeroes *t and sets a new key. */
void table_begin(struct index_table *t);
uint64_t table_hash(const struct index_table *t, const void *p, size_t n);
/* Returns the slot whose at same() accepts, or the slot where it would go; NULL
 * while the table has no slots. */
struct table_slot *table_find(const struct index_table *t, uint64_t hash,
    bool (*same)(const void *arg, uint64_t at), const void *arg);
/* Frees a slot that is in use, and moves others. */
void table_remove(struct index_table *t, struct table_slot *s);
/* Makes room for one more entry; returns false if memory is short.  Moves the
 * slots. */
bool table_room(struct index_table *t);

#endif
