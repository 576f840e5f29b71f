// SPDX-License-Identifier: Apache-2.0
/*
 * An accepted line gives a vector or a reason, which lie within memory; the
 * next line is read as if it came first.
 */
#include <stdlib.h>
#include <string.h>

#include "store/line.h"

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n);

static void
check(const struct line *l)
{
	float sum = 0;

	if ((l->x == NULL) == (l->error == NULL) ||
	    (l->x != NULL && (l->dim < 1 || l->dim > INDEX_MAX_DIM)))
		abort();
	for (uint32_t i = 0; l->x != NULL && i < l->dim; i++)
		sum += l->x[i];
	for (size_t i = 0; i < l->id_n; i++)
		sum += (float)l->id[i];
	if (l->model != NULL)
		sum += (float)strlen(l->model);
	__asm__ volatile("" : : "m"(sum));
}

int
LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	static const char sound[] = "{\"vector\":[1,2]}";
	struct line l = { 0 };
	struct npu_err err = { 0 };
	int rc = line_read(&l, (const char *)p, n, &err);

	if (rc == 0)
		check(&l);
	else if (err.msg[0] == '\0')
		abort();
	if (line_read(&l, sound, sizeof(sound) - 1, NULL) < 0 || l.dim != 2 ||
	    l.id != NULL || l.model_sha256 != NULL || l.kind != INDEX_ANY)
		abort();
	line_free(&l);
	return 0;
}
