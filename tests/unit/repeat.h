/* SPDX-License-Identifier: Apache-2.0 */
/* Adds a text to a buffer many times. */
#ifndef TESTS_UNIT_REPEAT_H
#define TESTS_UNIT_REPEAT_H

#include <string.h>

#include "base/buf.h"

/* Adds s to *b 'times' times, in blocks of some thousand bytes, because single
 * additions are slow under qemu. */
static void
buf_repeat(struct buf *b, const char *s, size_t times)
{
	size_t n = strlen(s), most, have;
	char many[4096];

	most = sizeof(many) / n;
	for (size_t i = 0; i < most; i++)
		memcpy(many + i * n, s, n);
	for (; times > 0; times -= have) {
		have = times < most ? times : most;
		buf_add(b, many, have * n);
	}
}

#endif
