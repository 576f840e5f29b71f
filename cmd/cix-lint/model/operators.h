/* SPDX-License-Identifier: Apache-2.0 */
/* The operators that each stage knows. */
#ifndef CIX_LINT_OPERATORS_H
#define CIX_LINT_OPERATORS_H

#include "base/bytes.h"
#include "operator_list.h"

/* The newest version of ai.onnx of which the parser knows an operator. */
#define PARSER_NEWEST 23

/* An operator that the parser has a class for. */
struct parser_operator {
	const char *name;	/* "Conv", or "com.microsoft:QGemm" */
	unsigned newest;	/* version that it has attributes for; 0: any */
};

/* Returns the operator, or NULL. */
const struct parser_operator *parser_operator_find(struct bytes domain,
    struct bytes type);
/* Returns the operator of this domain with the nearest name, or NULL. */
const char *parser_operator_like(struct bytes type);

/* Types of elements that the provider takes. */
enum {
	TYPE_I8 = 1, TYPE_I16 = 2, TYPE_I32 = 4, TYPE_FLOAT = 8, TYPE_BOOL = 16,
	TYPE_QDQ = 32,		/* float, between a DequantizeLinear and a
				   QuantizeLinear */
};

/* An operator that the provider takes. */
struct provider_operator {
	const char *name;
	unsigned types;
	const char *limit;	/* NULL: none */
};

const struct provider_operator *provider_operator_find(struct bytes domain,
    struct bytes type);

#endif
