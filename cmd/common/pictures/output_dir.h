/* SPDX-License-Identifier: Apache-2.0 */
/* A folder for files that are named after other files. */
#ifndef CMD_PICTURES_OUTPUT_DIR_H
#define CMD_PICTURES_OUTPUT_DIR_H

#include "cmd.h"

struct output_dir {
	const char *path;
	void *names;		/* owned: a tsearch(3) tree of the paths so
				   far */
	char *file;		/* owned: the last path */
	uint64_t dev, ino;
};

/* Makes the folder if there is none; dies. */
void output_dir_open(struct output_dir *f);

/*
 * The path of a file that is named after file, with another ending: "NAME.png";
 * for picture number of a stream, from 1, "NAME-000001.png", or "000001.png" if
 * file is NULL.  Valid until the next call.  NULL with the reason in *err: file
 * has no name, another file of this run has the path, or it would replace a
 * file beside the one it is named after.
 */
const char *output_dir_path(struct output_dir *f, const char *file,
    uint64_t number, const char *ending, struct npu_err *err);

void output_dir_close(struct output_dir *f);

#endif
