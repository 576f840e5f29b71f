/* SPDX-License-Identifier: Apache-2.0 */
/* A model file in memory: read, or, for a large ONNX file, mapped. */
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
 * Reads the model from fd, as cmd_read_model() does.  An ONNX file that is a
 * regular file is mapped, because most of it is weights that nobody looks at; a
 * file that becomes shorter then ends the program.  Close it, also after a
 * failure.
 */
int model_bytes_open(struct model_bytes *m, int fd, struct npu_err *err);
void model_bytes_close(struct model_bytes *m);

#endif
