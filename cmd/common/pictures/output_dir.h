/* SPDX-License-Identifier: Apache-2.0 */
/* A folder for files that are named after other files. */
#ifndef CMD_PICTURES_OUTPUT_DIR_H
#define CMD_PICTURES_OUTPUT_DIR_H

#include <sys/stat.h>

#include "cmd.h"

/* Rows of a program's options. */
enum { OUTPUT_DIR_MIRROR = 380, OUTPUT_DIR_WHOLE };
#define OUTPUT_DIR_OPTIONS \
	FLAG(OUTPUT_DIR_MIRROR, "mirror", \
	    "in a folder of output, keep the folders of names"), \
	FLAG(OUTPUT_DIR_WHOLE, "whole-names", \
	    "in a folder of output, keep the endings of names: a.jpg.png")

struct output_naming {
	bool mirror;		/* the folders of a name are made, too */
	bool whole;		/* a name keeps its ending */
};
/* Reads one of OUTPUT_DIR_OPTIONS; false if it is another option. */
bool output_naming_option(struct output_naming *n, int opt);
/* A usage error where one was given, but no folder is written to. */
void output_naming_check(const struct output_naming *n, bool folder);

/* Folders by device and inode; zeroed before the first. */
struct folders {
	struct folder_id { uint64_t dev, ino; } *item;	/* owned */
	size_t n;
};
void folders_add(struct folders *f, const struct stat *st);

struct output_dir {
	const char *path;
	struct output_naming naming;
	const char *other;	/* another output, a file; or NULL */
	const struct folders *read;	/* --recursive: whose pictures are
					   read, with all below them; or NULL */
	void *files, *stems;	/* owned: tsearch(3) trees of the paths so far,
				   with and without ending, and of the files
				   that they were made of */
	char *file;		/* owned: the last path */
	uint64_t dev, ino;
};

/* Whether the file at path is in the folder, or in one below it. */
bool output_dir_has(const struct output_dir *f, const char *path);

/* Makes the folder if there is none; dies. */
void output_dir_open(struct output_dir *f);

/*
 * The path of a file that is named after file, with another ending: "NAME.png";
 * for picture number of a stream, from 1, "NAME-000001.png", or "000001.png" if
 * file is NULL.  Valid until the next call.  NULL with the reason in *err: file
 * has no name, or one that leads out of *f; another file of this run has that
 * name; it would replace a link, or a file beside the picture; with --recursive
 * it would be beside the picture, or among the pictures that are read.  Usage
 * error if it is f->other or standard output.
 */
const char *output_dir_path(struct output_dir *f, const char *file,
    uint64_t number, const char *ending, struct npu_err *err);

void output_dir_close(struct output_dir *f);

#endif
