# SPDX-License-Identifier: Apache-2.0
# Texts and rows of ids for the tests of clip-tokenize.
# shellcheck shell=bash

# shellcheck disable=SC2034 # used by files that load this
CAT="49406 320 1125 539 320 2368 49407"

# shellcheck disable=SC2034
VOCAB=$B/share/npu-utils/bpe_simple_vocab_16e6.txt

# rows FILE: prints the ids of raw rows of 77 ids, one row in each line.
rows() {
	od -An -v -t d4 -w308 "$1" | tr -s ' ' | sed 's/^ //'
}

# words N: prints a text of N words, each of one token.
words() {
	seq "$1" | sed 's/.*/cat/' | tr '\n' ' '
}
