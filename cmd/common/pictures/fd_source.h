/* SPDX-License-Identifier: Apache-2.0 */
/* Files as sources for lib/image, in programs that go on after a bad one. */
#ifndef CMD_PICTURES_FD_SOURCE_H
#define CMD_PICTURES_FD_SOURCE_H

#include "cmd.h"
#include "image/sink.h"
#include "image/source.h"

/* A descriptor to read the file from, "-" is stdin; negative with the reason
 * in *err.  Closed by fd_source_close(). */
int fd_source_open(const char *path, struct npu_err *err);
void fd_source_close(int fd);

/* Reads the rest of *fd; fd lives as long as the source. */
struct picture_source fd_source(int *fd);

/* Writes to *o, which lives as long; a failed write ends the program. */
struct sink output_sink(struct output *o);

#endif
