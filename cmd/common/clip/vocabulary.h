/* SPDX-License-Identifier: Apache-2.0 */
/* Selects the vocabulary: --vocab, CLIP_VOCAB, or CLIP's own, built in. */
#ifndef CMD_CLIP_VOCABULARY_H
#define CMD_CLIP_VOCABULARY_H

#include "npu.h"

/* Returns the file named by --vocab (option, or NULL) or by CLIP_VOCAB; NULL
 * for the built-in vocabulary. */
const char *vocabulary_path(const char *option);
/* Reads the file, or for NULL the built-in vocabulary.  The caller calls
 * vocabulary_close(). */
int vocabulary_read(const char *path, const struct npu_bpe **bpe,
    struct npu_err *err);
/* Opens the vocabulary that an option names; dies if it cannot. */
const struct npu_bpe *vocabulary_open(const char *option);
void vocabulary_close(const struct npu_bpe *bpe);

#endif
