/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads a stream of tensors from a descriptor: labelled (npu-tensor(5)), .npy
 * files one after the other, the arrays of a .npz or .safetensors, or raw bytes
 * that the caller describes.  The first 8 bytes show the kind, which does not
 * change; .safetensors is detected in a regular file only.  No memory is
 * allocated for bytes that have not arrived.
 *
 *	stream_open(&s, path);
 *	while ((rc = stream_next(&s, &err)) > 0)	s.label describes it
 *		while ((n = stream_read(&s, p, size, &err)) > 0)
 *			...
 *
 * Functions that can fail do so as in npu.h: negative, with a line in *err that
 * names the frame (from 1) and the tensor (from 0).  The caller adds the name:
 * cmd_die_err(s.name, &err).
 */
#ifndef CMD_TENSORS_STREAM_H
#define CMD_TENSORS_STREAM_H

#include "base/buf.h"
#include "cmd.h"

struct archive;

enum stream_kind {
	STREAM_EMPTY,		/* no bytes: not a frame and not an error */
	STREAM_LABELLED,
	STREAM_NPY,		/* or the arrays of an archive */
	STREAM_RAW,
};

struct stream {
	const char *name;	/* for messages */
	enum stream_kind kind;
	uint64_t frame;		/* frame of the current tensor, from 1 */
	struct npu_label label;	/* of the current tensor; its size is 0 while
				   open_end */
	bool open_end;		/* a raw tensor that ends with the input */

	/* Raw: the tensors of a frame.  Labelled: unused. */
	const struct npu_tensor *raw;
	uint16_t per_frame;	/* raw and npy: number of tensors in a frame */
	const char *advice;	/* advice if the input ends within frame 1;
				   NULL: no advice */

	int fd;
	uint64_t left;		/* payload bytes not read yet */
	uint64_t total;		/* bytes read so far */
	uint64_t tensors;	/* tensors so far, with the current one */
	struct npu_tensor first;	/* the first tensor */
	uint8_t ahead[8];	/* bytes read to detect the kind */
	size_t n_ahead;
	uint8_t head[8];	/* the first bytes, up to total */
	struct archive *archive;	/* NULL: not an archive */
};

/* Opens path as cmd_open_input() does and detects its kind; dies. */
void stream_open(struct stream *s, const char *path);
/* Does the same for a thread, which must not die: returns negative.  Reads only
 * as many bytes as the kind needs, because a raw frame may be shorter than 8
 * bytes and no more may come for now. */
int stream_try_open(struct stream *s, const char *path, struct npu_err *err);

/* Dies if the raw bytes are an index (vec-index(5)). */
void stream_refuse_index(const struct stream *s);

/*
 * Sets the n tensors of a frame: t describes raw input, but .npy describes
 * itself.  t[0].size 0 (n 1) is a flat vector as long as the input.  Does
 * nothing for a labelled stream.  t is not copied.
 */
void stream_frames(struct stream *s, const struct npu_tensor *t, uint16_t n);

/*
 * Moves to the next tensor, and skips the rest of the current one.  Returns 1,
 * or 0 at the end of the last whole frame, or negative.
 */
int stream_next(struct stream *s, struct npu_err *err);

/*
 * Reads up to n bytes of payload, fewer only at its end.  Returns their number,
 * 0 at the end of the payload, or negative.
 */
int64_t stream_read(struct stream *s, void *p, size_t n,
    struct npu_err *err);

/* Most bytes of a flat vector as long as the input, where it is kept in memory
 * because its size is known only at the end: many times the size of any model's
 * vector. */
#define STREAM_FLAT_MOST ((uint64_t)1 << 28)

/* Fails if the current tensor is such a vector and already longer. */
int stream_check_flat(const struct stream *s, struct npu_err *err);

/* Adds the rest of the payload to *b as it arrives, at most STREAM_FLAT_MOST
 * bytes of a flat vector. */
int stream_read_all(struct stream *s, struct buf *b, struct npu_err *err);

/* Prints with -v how much was read so far (cmd_detail()). */
void stream_detail(const struct stream *s);
void stream_close(struct stream *s);

/* Writes a label; dies if npu-tensor(5) does not allow it. */
void stream_put_label(struct output *o, const struct npu_label *l);
/* Adds the header of a .npy file, which comes before the elements.  Dies with a
 * message for a type that .npy lacks.  Notes, the first time, that a scale is
 * not stored. */
void stream_add_npy(struct buf *head, const struct npu_tensor *t,
    const char *what);

#endif
