// SPDX-License-Identifier: Apache-2.0
/*
 * Names of classes from a file or a model's metadata are refused with a
 * message, or each name is a short text of one line.
 */
#include <stdlib.h>
#include <string.h>

#include "vision/classnames.h"

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n);

static void
check(int rc, struct classnames *names, const struct npu_err *err)
{
	if (rc < 0) {
		if (err->msg[0] == '\0')
			abort();
		return;
	}
	if (names->n == 0)
		abort();
	for (size_t i = 0; i < names->n; i++) {
		size_t len = strlen(names->name[i]);

		if (len == 0 || len > CLASSNAMES_LONGEST ||
		    strpbrk(names->name[i], "\n\r\t\033") != NULL)
			abort();
	}
	classnames_free(names);
}

int
LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	struct npu_err err = { 0 };
	struct classnames names;

	check(classnames_read(&names, (struct bytes){ p, n }, &err), &names,
	    &err);
	err.msg[0] = '\0';
	check(classnames_literal(&names, (struct bytes){ p, n }, &err), &names,
	    &err);
	return 0;
}
