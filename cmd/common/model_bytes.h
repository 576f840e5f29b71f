/* SPDX-License-Identifier: Apache-2.0 */
/* A model file in memory: read, or, for an ONNX file, mapped. */
#ifndef CMD_MODEL_BYTES_H
#define CMD_MODEL_BYTES_H

#include "base/buf.h"
#include "base/bytes.h"
#include "npu.h"

struct model_bytes {
	struct bytes file;
	void *map;		/* owned; NULL: file is in read */
	struct buf read;
};

/*
 * Reads the model from fd, as cmd_read_model() does.  A regular file that
 * begins like an ONNX file is mapped instead, because its weights, which are
 * nearly the whole file, are not looked at.  If a mapped file becomes shorter,
 * the program ends.  Close it, also after a failure.
 */
int model_bytes_open(struct model_bytes *m, int fd, struct npu_err *err);
void model_bytes_close(struct model_bytes *m);

#endif
