/* SPDX-License-Identifier: Apache-2.0 */
/* The graph ELF as a file: sections and notes by name (noe-abi 8). */
#ifndef MODEL_ELF_H
#define MODEL_ELF_H

#include <elf.h>

#include "base/bytes.h"
#include "model/check.h"

#define ELF_MACHINE_ZHOUYI 0x29a

struct elf {
	struct bytes b;
	Elf32_Ehdr h;
	struct bytes names;	/* the table of section names, up to and
				   including its last NUL */
};

/* Checks the header and every section's header, name and data. */
int elf_open(struct bytes b, struct elf *e, struct npu_err *err);

/* The bytes of the first section with that name; false if there is none. */
bool elf_section(const struct elf *e, const char *name, struct bytes *data);

/* True if b begins like a graph ELF, sound or not. */
bool elf_is_graph(struct bytes b);

/* Reads the note at *at, and moves *at past it: 1 with name (without its NUL)
 * and desc set, 0 at the end, or a failure. */
int elf_next_note(struct bytes notes, uint64_t *at, struct bytes *name,
    struct bytes *desc, struct npu_err *err);

#endif
