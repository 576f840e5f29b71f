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
	bool not_utf8;		/* the name is changed: JSON cannot hold it */
	const char *model, *preprocessing;
	const uint8_t *model_sha256;
	enum index_kind kind;
	bool has_norm;
	enum index_norm norm;
	/* An input that failed has no vector, but a reason. */
	const char *error;
	const float *x;		/* null is NaN; NULL where error is not */
	uint32_t dim;

	struct json_t *root;	/* owned, as is what follows: line_free() */
	float *numbers;
	size_t cap;
	uint8_t sha256[INDEX_SHA256];
	char number[40];
};

/* Reads a line; *l is all 0 at first.  NPU_EFORMAT for any other line. */
int line_read(struct line *l, const char *p, size_t n, struct npu_err *err);
void line_free(struct line *l);

#endif
