# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# texts FILTER [EVERY] - a file for every (100th) text of the test data, where
# that is: the output of jq's FILTER.
texts() {
	[ -r "${NPU_TEST_DATA:-}/clip-tokens-dev.jsonl" ] || return 0
	i=0
	jq -r "$1" "$NPU_TEST_DATA/clip-tokens-dev.jsonl" |
	    awk -v n="${2:-100}" 'NR % n == 0' | while IFS= read -r text; do
		i=$((i + 1))
		printf %s "$text" >"text$i"
	done
}
