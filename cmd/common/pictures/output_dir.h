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

/* Makes it if there is none; dies. */
void output_dir_open(struct output_dir *f);

/*
 * The path of a file named as file is, without its folder and with another
 * ending; of picture number of a stream "NAME-000001.png", and "000001.png" if
 * file is NULL.  number 0: file itself.  It lasts until the next call.  NULL
 * with the reason in *err: no name can be made of it, another file of this run
 * has it, or it would replace a file that lies beside the one it is named
 * after.
 */
const char *output_dir_path(struct output_dir *f, const char *file,
    uint64_t number, const char *ending, struct npu_err *err);

void output_dir_close(struct output_dir *f);

#endif
