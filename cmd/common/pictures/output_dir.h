/* SPDX-License-Identifier: Apache-2.0 */
/* A folder for files that are named after other files. */
#ifndef CMD_PICTURES_OUTPUT_DIR_H
#define CMD_PICTURES_OUTPUT_DIR_H

#include <sys/stat.h>

#include "cmd.h"

/* Rows for a program's options. */
enum { OUTPUT_DIR_MIRROR = 380, OUTPUT_DIR_WHOLE };
#define OUTPUT_DIR_OPTIONS \
	FLAG(OUTPUT_DIR_MIRROR, "mirror", \
	    "in a folder of output, keep the folders of names"), \
	FLAG(OUTPUT_DIR_WHOLE, "whole-names", \
	    "in a folder of output, keep the endings of names: a.jpg.png")

struct output_naming {
	bool mirror;		/* also make the folders of a name */
	bool whole;		/* keep the ending of a name */
};
/* Reads one of OUTPUT_DIR_OPTIONS.  Returns false for another option. */
bool output_naming_option(struct output_naming *n, int opt);
/* Usage error if one of the options was given, but no folder is written to. */
void output_naming_check(const struct output_naming *n, bool folder);

/* Folders by device and inode; zero it before the first. */
struct folders {
	struct folder_id { uint64_t dev, ino; } *item;	/* owned */
	size_t n;
};
void folders_add(struct folders *f, const struct stat *st);

struct output_dir {
	const char *path;
	struct output_naming naming;
	const char *other;	/* another output file, or NULL */
	const struct folders *read;	/* --recursive: folders whose
					   pictures are read, with everything
					   below; or NULL */
	void *files, *stems;	/* owned: tsearch(3) trees of the paths so
				   far, with and without ending, and of the
				   files that they were made from */
	char *file;		/* owned: the last path returned */
	uint64_t dev, ino;
};

/* True if the file at path is in the folder, or in a folder below it. */
bool output_dir_has(const struct output_dir *f, const char *path);

/* Makes the folder if it does not exist; dies if it cannot. */
void output_dir_open(struct output_dir *f);

/*
 * Returns the path for a file named after file, with another ending:
 * "NAME.png"; for picture number of a stream, from 1, "NAME-000001.png", or
 * "000001.png" if file is NULL.  The path is valid until the next call.
 * Returns NULL with the reason in *err if file has no name or a name that leads
 * out of *f; if another file of this run has that name; if the path would
 * replace a link or a file beside the picture; or if, with --recursive, it
 * would be beside the picture, or among the pictures that are read.  A path
 * that is f->other or standard output is a usage error.
 */
const char *output_dir_path(struct output_dir *f, const char *file,
    uint64_t number, const char *ending, struct npu_err *err);

void output_dir_close(struct output_dir *f);

#endif
