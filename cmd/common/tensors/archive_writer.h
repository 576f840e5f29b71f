/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes tensors as one .npz or .safetensors.  The one has a checksum before
 * each tensor, the other the sizes of all in front, so that all are kept in
 * memory until the last; what fails before has written nothing.
 *
 *	struct archive_writer w = { .npz = true };
 *	archive_writer_add(&w, &stream, &label);	for each
 *	archive_writer_end(&w, &output);
 *
 * They die of what cannot be in such a file, and for want of memory.
 */
#ifndef CMD_TENSORS_ARCHIVE_WRITER_H
#define CMD_TENSORS_ARCHIVE_WRITER_H

#include "stream.h"

struct archive_writer {
	bool npz;		/* or .safetensors */
	char *names;		/* the rest of --tensor-names: cut as it is
				   used; NULL: none */
	size_t given;		/* names used so far */

	struct buf tensors;	/* struct npu_tensor */
	struct buf data;	/* their elements */
};

/* Takes all of the tensor at hand, which l describes: its elements from s, or,
 * if these were read already, from elements. */
void archive_writer_add(struct archive_writer *w, struct stream *s,
    const struct npu_label *l, const void *elements);
/* Writes the file, and frees what was taken. */
void archive_writer_end(struct archive_writer *w, struct output *o);

#endif
