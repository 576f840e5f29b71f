/* SPDX-License-Identifier: Apache-2.0 */
/* The section EMBEDDED_METADATA of the containers, sound or hostile. */
#ifndef TESTS_TOOLS_AXLFGEN_XML_H
#define TESTS_TOOLS_AXLFGEN_XML_H

#include <stdint.h>

#include "base/buf.h"

struct axlfgen_xml {
	uint32_t kernels, instances;	/* instances of each kernel */
};

/* Adds a document. */
void axlfgen_kernels(const struct axlfgen_xml *x, struct buf *b);
/* Adds a document that ends within a tag. */
void axlfgen_cut(const struct axlfgen_xml *x, struct buf *b);
/* Adds a document with entities that would expand to 10^9 words. */
void axlfgen_laughs(const struct axlfgen_xml *x, struct buf *b);
/* Adds a document with a DTD default for the name of each argument. */
void axlfgen_defaults(const struct axlfgen_xml *x, struct buf *b);

#endif
