/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads a stream of tensors from a descriptor: labelled (npu-tensor(5)), .npy
 * files one after the other, the arrays of a .npz or .safetensors, or raw bytes
 * that the caller describes.  The first 8 bytes show the kind, which holds to
 * the end; .safetensors is known in a regular file only.  No memory is
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
	STREAM_EMPTY,		/* no bytes: no frame and no error */
	STREAM_LABELLED,
	STREAM_NPY,		/* or the arrays of an archive */
	STREAM_RAW,
};

struct stream {
	const char *name;	/* in messages */
	enum stream_kind kind;
	uint64_t frame;		/* of the tensor at hand, from 1 */
	struct npu_label label;	/* of the tensor at hand; its size is 0 while
				   open_end */
	bool open_end;		/* a raw tensor that ends with the input */

	/* Raw: the tensors of a frame.  Labelled: unused. */
	const struct npu_tensor *raw;
	uint16_t per_frame;	/* raw and npy: tensors of a frame */
	const char *advice;	/* for an end within frame 1; NULL: none */

	int fd;
	uint64_t left;		/* payload bytes not read yet */
	uint64_t total;		/* bytes read so far */
	uint64_t tensors;	/* so far, with the one at hand */
	struct npu_tensor first;	/* of them */
	uint8_t ahead[8];	/* read to know the kind */
	size_t n_ahead;
	uint8_t head[8];	/* the first bytes, up to total */
	struct archive *archive;	/* NULL: none */
};

/* Opens path as cmd_open_input() does and detects its kind; dies. */
void stream_open(struct stream *s, const char *path);
/* The same for a thread, which may not die: negative.  Reads ahead no more than
 * needed to know the kind, as a raw frame may be shorter than 8 bytes and the
 * last for now. */
int stream_try_open(struct stream *s, const char *path, struct npu_err *err);

/* Dies of raw bytes that are an index (vec-index(5)). */
void stream_refuse_index(const struct stream *s);

/*
 * Sets the n tensors of a frame: t describes those of raw input, .npy describes
 * itself.  t[0].size 0 (n 1) is a flat vector as long as the input.  No effect
 * on a labelled stream.  t is not copied.
 */
void stream_frames(struct stream *s, const struct npu_tensor *t, uint16_t n);

/*
 * Moves on to the next tensor; skips what is left of the one at hand.  1, or 0
 * at the end of the last whole frame, or negative.
 */
int stream_next(struct stream *s, struct npu_err *err);

/*
 * Reads up to n bytes of payload, fewer only at its end: their number, 0 when
 * none are left, or negative.
 */
int64_t stream_read(struct stream *s, void *p, size_t n,
    struct npu_err *err);

/* The most bytes of a flat vector as long as the input, where it is kept in
 * memory because its size is known only at the end: many times any model's. */
#define STREAM_FLAT_MOST ((uint64_t)1 << 28)

/* Fails if the tensor at hand is such a vector and already longer. */
int stream_check_flat(const struct stream *s, struct npu_err *err);

/* Adds all that is left of the payload to *b as it arrives, at most
 * STREAM_FLAT_MOST bytes of a flat vector. */
int stream_read_all(struct stream *s, struct buf *b, struct npu_err *err);

/* Says with -v what was read so far (cmd_detail()). */
void stream_detail(const struct stream *s);
void stream_close(struct stream *s);

/* Writes a label; dies if npu-tensor(5) does not allow it. */
void stream_put_label(struct output *o, const struct npu_label *l);
/* Adds what comes before the elements of a .npy file; dies, naming what, of a
 * type that it has not.  Notes, the first time, that a scale is not kept. */
void stream_add_npy(struct buf *head, const struct npu_tensor *t,
    const char *what);

#endif
