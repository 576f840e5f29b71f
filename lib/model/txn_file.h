/* SPDX-License-Identifier: Apache-2.0 */
/* The two forms of an instruction stream in a file. */
#ifndef MODEL_TXN_FILE_H
#define MODEL_TXN_FILE_H

#include "base/bytes.h"
#include "npu.h"

/*
 * Sets *words to the stream in binary form: the file itself, or the words of
 * its text in *copy, which the caller frees.  Fails with NPU_EFORMAT for a file
 * of another kind, which the message names if it is known, and for a line of
 * text that is not a word.
 */
int txn_file_words(struct bytes file, struct bytes *words, void **copy,
    struct npu_err *err);

#endif
