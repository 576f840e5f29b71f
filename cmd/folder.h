/* SPDX-License-Identifier: Apache-2.0 */
/* A folder for files that are named after other files. */
#ifndef FOLDER_H
#define FOLDER_H

#include "cmd.h"

struct folder {
	const char *path;
	void *names;		/* owned: tsearch(3)'s, what was given so far */
	char *place;		/* owned: the last answer */
	uint64_t dev, ino;
};

/* Makes it if there is none; dies. */
void folder_open(struct folder *f);

/*
 * The path of a file named as file is, without its folder and with another
 * ending; it lasts until the next call.  NULL with the reason in *err: no name
 * can be made of it, another file of this run has it, or it would replace a
 * file that lies beside the one it is named after.
 */
const char *folder_place(struct folder *f, const char *file,
    const char *ending, struct npu_err *err);

void folder_close(struct folder *f);

#endif
