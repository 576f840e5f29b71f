/* SPDX-License-Identifier: Apache-2.0 */
/* Which vocabulary: --vocab, CLIP_VOCAB, CLIP's own that is built in. */
#ifndef CMD_CLIP_VOCABULARY_H
#define CMD_CLIP_VOCABULARY_H

#include "npu.h"

/* The file named by --vocab (option, or NULL) or CLIP_VOCAB; NULL: built in. */
const char *vocabulary_path(const char *option);
/* That of the file, or for NULL the one built in; vocabulary_close() it. */
int vocabulary_read(const char *path, const struct npu_bpe **bpe,
    struct npu_err *err);
/* The same for an option; dies. */
const struct npu_bpe *vocabulary_open(const char *option);
void vocabulary_close(const struct npu_bpe *bpe);

#endif
