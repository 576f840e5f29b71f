/* SPDX-License-Identifier: Apache-2.0 */
/* Packs a container; the steps have the same order as in xclbinutil. */
#ifndef XCLBIN_PACK_PACK_H
#define XCLBIN_PACK_PACK_H

#include "keys.h"
#include "section_spec.h"
#include "stamp.h"

/* Arguments of an option that can be repeated. */
struct section_specs {
	struct section_spec *spec;	/* owned */
	size_t n;
};

struct pack_options {
	const char *input;		/* a container to begin with, or NULL */
	struct section_specs remove, replace, add;
	const char **kernels;		/* files; array owned */
	size_t n_kernels;
	struct key_value *key;		/* owned */
	size_t n_keys;
	struct stamp stamp;
	bool skip_groups, newline;
};

/* Adds the bytes of the container to *file; dies on failure. */
void pack(const struct pack_options *o, struct buf *file);

/* Prints a note for each check that the file fails and that keeps it from
 * running.  name is the file's name in messages.  Dies if memory is
 * exhausted. */
void pack_note_faults(const struct buf *file, const char *name);

#endif
