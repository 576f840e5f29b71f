/* SPDX-License-Identifier: Apache-2.0 */
/* Selects the vocabulary: --vocab, CLIP_VOCAB, or CLIP's own, built in. */
#ifndef CMD_CLIP_VOCABULARY_H
#define CMD_CLIP_VOCABULARY_H

#include "npu.h"

/* The file named by --vocab (option, or NULL) or CLIP_VOCAB; NULL: built in. */
const char *vocabulary_path(const char *option);
/* Reads the file, or for NULL the built-in one; vocabulary_close() it. */
int vocabulary_read(const char *path, const struct npu_bpe **bpe,
    struct npu_err *err);
/* The same for an option; dies. */
const struct npu_bpe *vocabulary_open(const char *option);
void vocabulary_close(const struct npu_bpe *bpe);

#endif
