/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads the pictures given to a program, one after another: operands,
 * directories, lists of names, standard input and streams.
 *
 *	while ((opt = cmd_option(argc, argv)) != -1)
 *		if (!pictures_option(&p, opt, optarg))
 *			...
 *	pictures_open(&p, argv + optind);
 *	while (pictures_next(&p, &item))
 *		if (item.error == NULL && picture_input(&in, &item, &err) == 0)
 *			... in.source ...
 *	pictures_close(&p);
 *
 * Each item is one record of the program, even a bad item: the numbers of later
 * records must not change (rule 22).
 */
#ifndef CMD_PICTURES_PICTURES_H
#define CMD_PICTURES_PICTURES_H

#include "image/picture_stream.h"
#include "image/picture.h"
#include "lines.h"
#include "pictures/picture_tree.h"

enum { PICTURES_FILES_FROM = 340, PICTURES_MAX_PIXELS, PICTURES_STREAM };
extern const char *const pictures_streams[];	/* enum picture_stream_kind */

/* Rows for a program's options. */
#define PICTURES_OPTIONS \
	FLAG('R', "recursive", "FILE may be a directory: the pictures in it"), \
	TAKES(PICTURES_FILES_FROM, "files-from", "=LIST", COMPLETE_FILE, \
	    "names of more FILEs, one in each line; -: stdin"), \
	FLAG('0', "null", "names in LIST (default: -) end with NUL"), \
	ONE_OF(PICTURES_STREAM, "stream", "=FORMAT", pictures_streams, \
	    "FILEs are streams of pictures: mjpeg or ppm"), \
	TAKES(PICTURES_MAX_PIXELS, "max-pixels", "=N", COMPLETE_NONE, \
	    "refuse larger pictures (178956970)")

struct pictures {
	/* The options; zero them before the first option. */
	const char *files_from;
	bool null, recursive, streams;
	enum picture_stream_kind kind;
	uint64_t max_pixels;		/* the limit in use after
					   pictures_open() */
	/* Called before a read that has to wait, and when a list ends, with or
	 * without an error; for streams and lists.  May be NULL. */
	void (*pause)(void *arg);
	void *arg;
	struct picture_tree tree;	/* the folder of --recursive */

	char *const *operands;		/* remaining operands; ends with NULL */
	struct lines list;
	bool listing;			/* list is open */
	bool lone;			/* stdin, read because the user named
					   nothing */
	struct picture_stream *stream;	/* the stream being read */
	const char *stream_name;
	uint64_t number;		/* number of its pictures so far */
	int fd;				/* of the stream */
	char *name;			/* of a list's entry; owned */
	struct npu_err err;		/* what item.error points to */
};

struct picture_item {
	const char *name;	/* for messages; "stdin" */
	uint64_t number;	/* number of a picture in a stream, from 1;
				   else 0 */
	bool unnamed;		/* the picture is standard input, or in it */
	const char *path;	/* the file to open; NULL: see bytes */
	struct bytes bytes;
	const char *error;	/* why it is not a picture; NULL: it may be a
				   picture */
};

/* Reads an option.  Returns false for an option of another kind. */
bool pictures_option(struct pictures *p, int opt, const char *arg);

/* Opens the pictures.  operands end with NULL and stay the caller's.  Options
 * that do not fit together are usage errors. */
void pictures_open(struct pictures *p, char *const *operands);

/* Reads the next item, valid until the next call.  Returns false at the end.
 * Dies only if a list cannot be read, after a pause. */
bool pictures_next(struct pictures *p, struct picture_item *item);
void pictures_close(struct pictures *p);
/* Removes the CR of CR LF from a line of a list, unless a file whose name has
 * the CR exists. */
void pictures_trim_cr(const struct lines *list, char *name);

/* Returns how many items pictures_next() will read.  Call right after
 * pictures_open().  Folders and a list in a file are read an additional time.
 * Returns 0 for streams and for lists from pipes: not known. */
uint64_t pictures_count(const struct pictures *p);

/* Returns "NAME", or "NAME: picture 3" in a stream; the caller frees it. */
char *picture_item_name(const struct picture_item *item);
/* Returns the file name for a record, beside item->number; NULL for standard
 * input, which does not have a name. */
const char *picture_item_file(const struct picture_item *item);

/* The source of an item's bytes. */
struct picture_input {
	struct picture_source source;
	struct bytes bytes;
	int fd;
};

/* Opens the picture at path or in bytes.  *in must not move while in use. */
int picture_input(struct picture_input *in, const char *path,
    struct bytes bytes, struct npu_err *err);
void picture_input_close(struct picture_input *in);

#endif
