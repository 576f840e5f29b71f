/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The body of a request, as it arrives: bytes, or the parts of a form
 * (multipart/form-data), which libmicrohttpd takes apart.
 */
#ifndef NPU_SERVE_BODY_H
#define NPU_SERVE_BODY_H

#include "base/buf.h"
#include "base/bytes.h"
#include "npu.h"

struct MHD_Connection;
struct MHD_PostProcessor;

enum { BODY_PARTS = 16, BODY_PART_NAME = 64, BODY_PART_HEAD = 4096 };

enum body_kind { BODY_NONE, BODY_BYTES, BODY_FORM };

struct body_part {
	char name[BODY_PART_NAME];
	struct buf data;
};

struct body {
	enum body_kind kind;
	struct buf bytes;
	struct body_part part[BODY_PARTS];
	size_t parts;
	struct MHD_PostProcessor *reader;
	uint64_t total, limit;	/* bytes */
	unsigned status;	/* of HTTP, if it is refused; else 0 */
	struct npu_err err;
};

/* Prepares for a body; sets b->status if the head of the request refuses it. */
void body_open(struct body *b, enum body_kind kind, uint64_t limit,
    struct MHD_Connection *http);
/* Takes the next n bytes; what comes after a refusal is dropped. */
void body_add(struct body *b, const char *p, size_t n);
/* The whole body has come. */
void body_end(struct body *b);
void body_free(struct body *b);

/* How many parts have that name; *data is the first one's. */
size_t body_part(const struct body *b, const char *name, struct bytes *data);
struct bytes body_bytes(const struct body *b);

#endif
