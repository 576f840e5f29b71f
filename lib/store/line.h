/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A vector as a line of JSON: an object with "vector":[numbers].  "id" is a
 * string or a number; the other members that clip-embed(1) writes are optional,
 * and unknown members are ignored.
 */
#ifndef STORE_LINE_H
#define STORE_LINE_H

#include "store/index.h"

struct line {
	/* Valid until the next line; NULL: not in the line. */
	const char *id;
	size_t id_n;
	bool not_utf8;		/* name has changed: JSON cannot represent it */
	const char *model, *preprocessing;
	const uint8_t *model_sha256;
	enum index_kind kind;
	bool has_norm;
	enum index_norm norm;
	/* The reason of a failed input, which has no vector. */
	const char *error;
	const float *x;		/* null is NaN; NULL if error is not NULL */
	uint32_t dim;

	struct json_t *root;	/* owned, like the members below: line_free() */
	float *numbers;
	size_t cap;
	uint8_t sha256[INDEX_SHA256];
	char number[40];
};

/* Reads a line; *l must be all 0 at first.  Fails with NPU_EFORMAT if it is not
 * such an object. */
int line_read(struct line *l, const char *p, size_t n, struct npu_err *err);
void line_free(struct line *l);

#endif
