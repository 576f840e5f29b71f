/* SPDX-License-Identifier: Apache-2.0 */
/* Parses a hub's listing of files, which is JSON from the network. */
#ifndef NPU_MODEL_LISTING_H
#define NPU_MODEL_LISTING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/bytes.h"
#include "npu.h"
#include "sum.h"

enum {
	LISTING_LARGEST = 64 << 20,	/* bytes of JSON */
	LISTING_MOST = 200000,		/* files */
};

enum hub { HUB_MODELSCOPE, HUB_HUGGINGFACE };

struct listed {
	char *path;		/* owned; relative_fault() is NULL */
	uint64_t size;		/* bytes */
	struct sum sum;		/* "": the listing does not say */
};

struct listing {
	struct listed *file;	/* owned */
	size_t n;
};

/*
 * Adds the files of a listing to *l, which the caller has zeroed.  Fails with
 * NPU_EFORMAT for an error of the hub, and at the first file whose path could
 * leave a folder, or whose size or sum is not one.  Free with listing_free(),
 * also after a failure.
 */
int listing_parse(struct listing *l, enum hub hub, struct bytes json,
    struct npu_err *err);
void listing_free(struct listing *l);

/* Returns the file with this path, or NULL. */
const struct listed *listing_find(const struct listing *l, const char *path);

#endif
