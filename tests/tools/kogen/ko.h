/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Kernel module files, as far as npu-info reads them: ELFs with the sections
 * .modinfo, .symtab, .strtab and .shstrtab; sound, odd or damaged.  Their code
 * is empty, and a kernel would not load them.
 */
#ifndef TESTS_TOOLS_KOGEN_KO_H
#define TESTS_TOOLS_KOGEN_KO_H

#include "base/buf.h"

/* Returns the name of row i; NULL at the end. */
const char *ko_name(size_t i);
/* Returns the message with which row i is refused; NULL: it is sound. */
const char *ko_says(size_t i);

/* Adds the file of row i to *out, made for this release of the kernel. */
void ko_make(size_t i, const char *release, struct buf *out);

#endif
