/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads vectors from a file or a pipe, one at a time.  The form is
 * detected from the first bytes:
 *
 *	labelled tensors (npu-tensor(5)), .npy and the arrays of .npz and
 *	.safetensors, f32: [D] or [1,D] is one vector, [N,D] are N; their
 *	names are their numbers from 1, or --ids
 *	lines of JSON, {"id":"bus.jpg","vector":[...]} (clip-embed(1))
 *	an index (vec-index(5))
 *
 *	vector_reader_open(&v, path, &options);
 *	while ((rc = vector_reader_next(&v, &row, &err)) > 0)
 *		...
 *	if (rc < 0)
 *		cmd_die_err(v.name, &err);
 *	vector_reader_close(&v);
 *
 * Files are mapped: a file that is shortened while it is read ends the program
 * with a message and status 1 (cmd_catch_bus_error()).  All
 * vectors must have as many numbers as the first.  A program that uses this
 * file links jansson: LIBS_x in the Makefile.
 */
#ifndef CMD_VECTORS_READER_H
#define CMD_VECTORS_READER_H

#include "base/bytes.h"
#include "base/mapped_file.h"
#include "lines.h"
#include "store/index.h"
#include "store/line.h"
#include "tensors/stream.h"

/* Bytes of a line: the longest vector at 24 bytes a number, and names. */
#define VECTORS_MAX_LINE ((size_t)32 << 20)

struct vector_reader_options {
	const char *ids;	/* a file with names for vectors of tensors;
				   NULL: named by number */
	const char *ids_option;	/* the option for ids in messages; NULL:
				   --ids */
	bool null;		/* names in it end with NUL instead of
				   newline */
	bool again;		/* vector_reader_rewind() may follow: reads
				   input that is not a file into memory */
	bool once;		/* again is set, but the file is most likely
				   read only once, and immediately: see
				   vector_reader.scanning */
};

/* Pointers are valid until the next call; NULL: unknown. */
struct vector {
	uint64_t number;	/* number in the input, from 1 */
	const char *id;		/* id_n bytes, of any value */
	size_t id_n;
	bool not_utf8;		/* the original name was not UTF-8 and could
				   not be written as JSON */
	const float *x;		/* dim numbers, which may be NaN or infinite;
				   NULL: the input failed, see error */
	uint32_t dim;
	const char *error;
	enum index_kind kind;	/* INDEX_ANY: unknown */
	const uint8_t *model_sha256;	/* INDEX_SHA256 bytes */
	const char *model, *preprocessing;
	bool has_norm;
	enum index_norm norm;
	const uint8_t *content;	/* SHA-256 of the input (stored in an index) */
};

enum vector_form {
	VECTORS_NONE,		/* empty input */
	VECTORS_LABELLED,
	VECTORS_NPY,
	VECTORS_ARCHIVE,	/* .npz or .safetensors */
	VECTORS_LINES,
	VECTORS_INDEX,
};

struct vector_reader {
	const char *name;	/* for messages */
	enum vector_form form;
	uint64_t number;	/* number of the last vector */
	uint32_t dim;		/* numbers in each vector; 0: no vector was
				   read yet */

	struct stream s;	/* its descriptor; if streaming, the tensor */
	struct lines lines;	/* if streaming lines */
	bool in_memory;		/* file contains the whole input */
	bool mapped;		/* file is from mmap(); else from loaded */
	struct bytes file;
	struct buf loaded;
	size_t at;		/* bytes of file used */
	uint64_t unit;		/* number of the frame or line, from 1 */
	const uint8_t *payload;	/* payload of the current tensor, if in
				   memory */
	uint8_t label[NPU_LABEL_SIZE];	/* label of the last tensor in memory */
	uint64_t each;		/* numbers of vectors in it; 0: no tensor yet */
	uint64_t rows;		/* vectors left in the current tensor */
	struct mapped_file window;	/* window on file, if it is read once */
	struct index_map *index;
	bool scanning;		/* vectors are read before it is known which
				   are current: vector_reader_is_current() */
	struct line line;
	float *row;		/* room for one vector, dim numbers; owned */
	struct vector like;	/* values that all vectors of an index share */
	char text[24];		/* a number as a name; digits are at its end */
	size_t digits;
	uint64_t counted;	/* that number; 0: not set yet */

	const char *ids_name;
	struct bytes ids;	/* owned; p NULL: not given */
	size_t ids_begin, ids_at;
	char ids_end;
};

/* Opens path as cmd_open_input() does and detects the form; dies. */
void vector_reader_open(struct vector_reader *v, const char *path,
    const struct vector_reader_options *o);
/* Reads the next vector.  Returns 1, or 0 at the end, or negative as in npu.h,
 * with the frame or line in *err. */
int vector_reader_next(struct vector_reader *v, struct vector *row,
    struct npu_err *err);
/* True if the next vector can be read without waiting for its writer. */
bool vector_reader_ready(struct vector_reader *v);
/* Returns to the first vector; needs vector_reader_options.again. */
void vector_reader_rewind(struct vector_reader *v);

/*
 * While v->scanning an index, whose later rows replace earlier rows of the same
 * name: returns whether vector number, which was read already, is still
 * current.  A vector that makes vector_reader_next() fail may also be replaced.
 * Numbers include replaced vectors.
 */
bool vector_reader_is_current(const struct vector_reader *v, uint64_t number);
/* Ends the scan: the current vectors follow, from the first.  Dies. */
void vector_reader_end_scan(struct vector_reader *v);
/* Prints with -v how much was read so far (cmd_detail()). */
void vector_reader_detail(const struct vector_reader *v);
void vector_reader_close(struct vector_reader *v);

/* Returns "3 (bus.jpg)", the name of a vector in messages. */
const char *vector_name(const struct vector *row);

#endif
