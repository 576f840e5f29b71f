/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Looks at the bytes of a file that should be a model.  What a server sends in
 * place of a file is recognised: a Git LFS pointer, a web page, an error in
 * JSON, a compressed body, half of a file.
 */
#ifndef NPU_MODEL_CONTENT_H
#define NPU_MODEL_CONTENT_H

#include <stdbool.h>

#include "base/bytes.h"
#include "npu.h"
#include "sum.h"

enum content_kind {
	CONTENT_CIX,
	CONTENT_ONNX,
	CONTENT_OTHER,		/* nothing is known against it */
	/* From here on, it is not the file that its name promises. */
	CONTENT_POINTER,
	CONTENT_WEB_PAGE,
	CONTENT_JSON_ERROR,
	CONTENT_GZIP,
	CONTENT_EMPTY,
	CONTENT_DAMAGED,	/* a .cix or .onnx that cannot be read */
};

struct content {
	enum content_kind kind;
	char why[400];		/* for a bad file: what it is, and what to do;
				   no name in front */
	/* Of a pointer: the file that it stands for. */
	struct sum sum;		/* "" if the pointer does not say */
	uint64_t size;		/* 0 if it does not say */
	/* Of a .cix: */
	char builder[80];	/* "AIPUBuilder ..." or "" */
	char target[16];	/* "X2_1204" */
	bool board_known;	/* an NPU, or -d emu, has answered */
	bool runs_here;		/* if board_known */
	char runs_why[200];	/* why not, or why it is not known */
};

/*
 * Looks at a file's bytes; its name decides what it should be: NAME.cix,
 * NAME.onnx, or something else.  Asks this machine's NPU what it runs, the
 * first time that it sees a .cix.  Returns 0, or NPU_ESYSTEM without memory.
 */
int content_look(struct content *c, const char *name, struct bytes file,
    struct npu_err *err);
/* Does the same for a file that is open for reading.  Also returns NPU_ESYSTEM
 * if it cannot be read. */
int content_look_file(struct content *c, const char *name, int fd,
    struct npu_err *err);

/* True if the file may get its name. */
bool content_is_good(const struct content *c);
/* True if content that is not good can be what the file called name is meant to
 * be, such as a web page or an empty file; a right sum shows it.  Never so for
 * a pointer or a model. */
bool content_can_be_meant(const struct content *c, const char *name);
/* Returns "cix", "onnx", "other", "pointer", "web-page", "json-error", "gzip",
 * "empty" or "damaged". */
const char *content_kind_name(enum content_kind kind);

/* Reads a Git LFS pointer.  Returns false if the file is not a pointer, or if
 * it lacks a sum or a size. */
bool content_pointer(struct bytes file, struct sum *sum, uint64_t *size);

#endif
