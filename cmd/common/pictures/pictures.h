/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The pictures given to a program over pictures: operands, directories, lists
 * of names, standard input and streams, one after the other.
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
 * Each item is one record of the program, even a bad one, so that nothing
 * shifts (rule 22).
 */
#ifndef CMD_PICTURES_PICTURES_H
#define CMD_PICTURES_PICTURES_H

#include "image/picture_stream.h"
#include "image/picture.h"
#include "lines.h"
#include "pictures/picture_tree.h"

enum { PICTURES_FILES_FROM = 340, PICTURES_MAX_PIXELS, PICTURES_STREAM };
extern const char *const pictures_streams[];	/* enum picture_stream_kind */

/* Rows of a program's options. */
#define PICTURES_OPTIONS \
	FLAG('R', "recursive", "FILE may be a directory: the pictures in it"), \
	TAKES(PICTURES_FILES_FROM, "files-from", "=LIST", COMPLETE_FILE, \
	    "names of more FILEs, one a line; -: stdin"), \
	FLAG('0', "null", "names in LIST (default: -) end with NUL"), \
	ONE_OF(PICTURES_STREAM, "stream", "=FORMAT", pictures_streams, \
	    "FILEs are streams of pictures: mjpeg or ppm"), \
	TAKES(PICTURES_MAX_PIXELS, "max-pixels", "=N", COMPLETE_NONE, \
	    "refuse larger pictures (178956970)")

struct pictures {
	/* Options; zeroed before the first option. */
	const char *files_from;
	bool null, recursive, streams;
	enum picture_stream_kind kind;
	uint64_t max_pixels;		/* in force after pictures_open() */
	/* Called before a read that has to wait, and when a list ends, with or
	 * without an error; may be NULL.  For streams and lists. */
	void (*pause)(void *arg);
	void *arg;
	struct picture_tree tree;	/* of --recursive */

	char *const *operands;		/* those left; ends with NULL */
	struct lines list;
	bool listing;			/* list is open */
	bool lone;			/* stdin, not named by the user */
	struct picture_stream *stream;	/* the stream being read */
	const char *stream_name;
	uint64_t number;		/* of its pictures so far */
	int fd;				/* of the stream */
	char *name;			/* of a list's entry; owned */
	struct npu_err err;		/* what item.error points to */
};

struct picture_item {
	const char *name;	/* in messages; "stdin" */
	uint64_t number;	/* of a picture in a stream, from 1; else 0 */
	bool unnamed;		/* it is, or is in, standard input */
	const char *path;	/* to be opened; NULL: bytes */
	struct bytes bytes;
	const char *error;	/* why it is no picture; NULL: it may be one */
};

/* Takes an option; false if it is none of these. */
bool pictures_option(struct pictures *p, int opt, const char *arg);

/* operands end with NULL and stay the caller's.  Options that do not fit
 * together are usage errors. */
void pictures_open(struct pictures *p, char *const *operands);

/* The next one, valid until the next call; false at the end.  Dies only if a
 * list cannot be read, after a pause. */
bool pictures_next(struct pictures *p, struct picture_item *item);
void pictures_close(struct pictures *p);
/* A line of a list without the CR of CR LF, unless a file of the name with it
 * exists. */
void pictures_trim_cr(const struct lines *list, char *name);

/* How many pictures_next() will give, right after pictures_open(): folders and
 * a list in a file are read once more for it.  0: not known, of streams and of
 * lists from pipes. */
uint64_t pictures_count(const struct pictures *p);

/* "NAME", or "NAME: picture 3" in a stream; to be freed. */
char *picture_item_name(const struct picture_item *item);
/* The file as a record names it, beside item->number; NULL: it has no name. */
const char *picture_item_file(const struct picture_item *item);

/* Where the bytes of an item come from. */
struct picture_input {
	struct picture_source source;
	struct bytes bytes;
	int fd;
};

/* Opens what path or bytes mean; *in must stay where it is. */
int picture_input(struct picture_input *in, const char *path,
    struct bytes bytes, struct npu_err *err);
void picture_input_close(struct picture_input *in);

#endif
