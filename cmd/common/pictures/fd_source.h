/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Files as sources for lib/image, in programs that continue after a bad file.
 */
#ifndef CMD_PICTURES_FD_SOURCE_H
#define CMD_PICTURES_FD_SOURCE_H

#include "cmd.h"
#include "image/sink.h"
#include "image/source.h"

/* Opens path and returns a descriptor; "-" is stdin.  Returns a negative number
 * with the reason in *err.  Close with fd_source_close(). */
int fd_source_open(const char *path, struct npu_err *err);
void fd_source_close(int fd);

/* Returns a source that reads the rest of *fd; fd must outlive the source. */
struct picture_source fd_source(int *fd);

/* Returns a sink that writes to *o, which must outlive it.  A failed write ends
 * the program. */
struct sink output_sink(struct output *o);

#endif
