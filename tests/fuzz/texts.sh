# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# tests/fuzz/texts.sh - seeds.sh, and a function for texts.
. tests/fuzz/seeds.sh

# texts FILTER [EVERY]: if there is test data, makes a seed from every EVERYth
# (100th) line that jq's FILTER prints for its texts.
texts() {
	local i=0 text
	[ -d "$DATA" ] || return 0
	jq -r "$1" "$DATA/clip-tokens-dev.jsonl" |
	    awk -v n="${2:-100}" 'NR % n == 0' >"$tmp/texts"
	while IFS= read -r text; do
		i=$((i + 1))
		printf %s "$text" >"text$i"
	done <"$tmp/texts"
	[ "$i" -gt 0 ]
	# A line within a text may be empty.
	empty='text*'
}
