/* SPDX-License-Identifier: Apache-2.0 */
/* Which vocabulary: --vocab, CLIP_VOCAB, CLIP's own that is built in. */
#ifndef VOCABULARY_H
#define VOCABULARY_H

#include "npu.h"

/* The file named by --vocab (option, or NULL) or CLIP_VOCAB; NULL: built in. */
const char *vocabulary_path(const char *option);
/* Dies.  vocabulary_close() it. */
const struct npu_bpe *vocabulary_open(const char *option);
void vocabulary_close(const struct npu_bpe *bpe);

#endif
