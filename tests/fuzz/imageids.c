// SPDX-License-Identifier: Apache-2.0
/*
 * A list of image ids is refused with a message, or each of its names is found
 * with its id.
 */
#include <stdlib.h>
#include <string.h>

#include "vision/imageids.h"

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n);

static void
check(const struct imageids *ids)
{
	for (size_t i = 0; i < ids->n; i++) {
		const struct imageid *e = &ids->entry[i];
		uint64_t id = 0, number = 0;

		if (*e->name == '\0' || strchr(e->name, '\n') != NULL ||
		    e->id > INT64_MAX ||
		    !imageids_find(ids, e->name, &id) || id != e->id ||
		    (imageids_in_name(e->name, &number) &&
		    number > INT64_MAX))
			abort();
	}
}

int
LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	struct npu_err err = { 0 };
	struct imageids ids;

	if (imageids_read(&ids, (struct bytes){ p, n }, &err) == 0)
		check(&ids);
	else if (err.msg[0] == '\0')
		abort();
	imageids_free(&ids);
	return 0;
}
