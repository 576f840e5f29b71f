/* SPDX-License-Identifier: Apache-2.0 */
/* Where CLIP's vocabulary is: --vocab, CLIP_VOCAB, the installed one. */
#ifndef VOCABULARY_H
#define VOCABULARY_H

#include "npu.h"

/* option is that of --vocab or NULL.  Owned by the caller; NULL: nowhere. */
char *vocabulary_path(const char *option);
/* Dies.  npu_bpe_close() it. */
struct npu_bpe *vocabulary_open(const char *option);

#endif
