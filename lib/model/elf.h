/* SPDX-License-Identifier: Apache-2.0 */
/* The graph ELF as a file: sections and notes, found by name (noe-abi 8). */
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
				 * including its last NUL */
};

/* Opens the ELF: checks the header and the header, name and data of every
 * section. */
int elf_open(struct bytes b, struct elf *e, struct npu_err *err);

/* Stores the bytes of the first section with the name.  Returns false if it
 * does not exist. */
bool elf_section(const struct elf *e, const char *name, struct bytes *data);

/* Returns whether b begins like a graph ELF, valid or not. */
bool elf_is_graph(struct bytes b);

/* Reads the note at *at and moves *at past it.  Returns 1 after it has set name
 * (without its NUL) and desc, 0 at the end, or a failure. */
int elf_next_note(struct bytes notes, uint64_t *at, struct bytes *name,
    struct bytes *desc, struct npu_err *err);

#endif
