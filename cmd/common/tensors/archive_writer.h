/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes tensors as one .npz or .safetensors.  A .npz has a checksum before
 * each tensor, a .safetensors has the sizes of all tensors at its beginning.
 * All tensors are therefore kept in memory until the last has been added; a
 * failure before that has written nothing.
 *
 *	struct archive_writer w = { .npz = true };
 *	archive_writer_add(&w, &stream, &label);	for each
 *	archive_writer_end(&w, &output);
 *
 * The functions die of tensors that such a file cannot contain, and without
 * memory.
 */
#ifndef CMD_TENSORS_ARCHIVE_WRITER_H
#define CMD_TENSORS_ARCHIVE_WRITER_H

#include "stream.h"

struct archive_writer {
	bool npz;		/* true: .npz; false: .safetensors */
	char *names;		/* the unused rest of --tensor-names, which
				   is cut at each use; NULL: not given */
	size_t given;		/* names used so far */

	struct buf tensors;	/* struct npu_tensor */
	struct buf data;	/* the tensors' elements */
};

/* Copies the whole current tensor, which l describes.  Reads the elements from
 * s, or takes them from elements if they were read already. */
void archive_writer_add(struct archive_writer *w, struct stream *s,
    const struct npu_label *l, const void *elements);
/* Writes the file, and frees the copied tensors. */
void archive_writer_end(struct archive_writer *w, struct output *o);

#endif
