// SPDX-License-Identifier: Apache-2.0
#include <string.h>

#include "model_name.h"
#include "npu-bench/bench.h"
#include "table.h"

void
model_name(char s[200], const struct bench *b, const char *model,
    size_t widest)
{
	const char *base = strrchr(model, '/'), *other;

	for (unsigned i = 0; base != NULL && i < b->runs; i++) {
		other = strrchr(b->run[i]->model.path, '/');
		if (strcmp(other != NULL ? other + 1 : b->run[i]->model.path,
		    base + 1) == 0 && strcmp(b->run[i]->model.path, model) != 0)
			base = NULL;
	}
	format_name(s, base != NULL ? base + 1 : model, widest);
}
