/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Files of kernel modules, as far as npu-info reads them: ELFs of sections
 * .modinfo, .symtab, .strtab and .shstrtab, sound, odd or damaged.  Their code
 * is empty: no kernel would load one.
 */
#ifndef TESTS_TOOLS_KOGEN_KO_H
#define TESTS_TOOLS_KOGEN_KO_H

#include "base/buf.h"

/* The name of row i; NULL at the end. */
const char *ko_name(size_t i);
/* The message that refuses it; NULL: it is sound. */
const char *ko_says(size_t i);

/* Adds the file of row i, for a kernel of that release, to *out. */
void ko_make(size_t i, const char *release, struct buf *out);

#endif
