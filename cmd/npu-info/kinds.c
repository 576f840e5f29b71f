// SPDX-License-Identifier: Apache-2.0
/* kinds.c - names of the kinds of tensors. */
#include "info.h"
#include "model/cix.h"

static const struct {
	uint32_t kind;
	const char *name;
} kinds[] = {
	{ CIX_INPUT, "input" },
	{ CIX_OUTPUT, "output" },
	{ CIX_DUMP, "dump" },
	{ CIX_PROFILE, "profile" },
	{ CIX_PRINTF, "printf" },
	{ CIX_LAYER_COUNTER, "layer-counter" },
	{ CIX_ERROR_CODE, "error-code" },
	{ CIX_OUT_SHAPE, "out-shape" },
	{ CIX_SEGMMU, "segmmu" },
};

/* cix_parse() refuses any other kind. */
const char *
info_kind_name(uint32_t kind)
{
	size_t i = sizeof(kinds) / sizeof(*kinds) - 1;

	while (i > 0 && kinds[i].kind != kind)
		i--;
	return kinds[i].name;
}
