// SPDX-License-Identifier: Apache-2.0
/*
 * A table of models: whatever is accepted has fields that can be printed, and
 * paths that stay within a folder.
 */
#include <stdlib.h>
#include <string.h>

#include "cmd.h"
#include "npu-model/catalogue.h"
#include "npu-model/relative.h"
#include "npu-model/sum.h"

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n);

const struct program program = { .name = "modeltable" };

/* Aborts if the path leaves its folder, by another way than the code goes. */
static void
check_path(const char *path)
{
	char copy[RELATIVE_LONGEST + 4];

	if (strlen(path) > RELATIVE_LONGEST + 1 || *path == '/')
		abort();
	snprintf(copy, sizeof(copy), "/%s/", path);
	if (strstr(copy, "/../") != NULL || strstr(copy, "/./") != NULL ||
	    strchr(path, '\n') != NULL)
		abort();
}

int
LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	struct model_catalogue c;
	struct npu_err err = { 0 };
	struct sum sum;

	if (catalogue_parse(&c, (struct bytes){ p, n }, &err) < 0) {
		if (err.code != NPU_EFORMAT || err.msg[0] == '\0' ||
		    strpbrk(err.msg, "\n\033") != NULL)
			abort();
		catalogue_free(&c);
		return 0;
	}
	for (size_t i = 0; i < c.n; i++) {
		const struct model *m = &c.model[i];

		check_path(m->path);
		check_path(m->file);
		if (strstr(m->path, m->file) == NULL ||
		    (m->sha256 != NULL && !sum_parse(&sum, m->sha256,
		    strlen(m->sha256))) ||
		    catalogue_find(&c, m->name) != m)
			abort();
	}
	catalogue_free(&c);
	return 0;
}
