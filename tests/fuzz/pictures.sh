# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# tests/fuzz/pictures.sh - seeds.sh, and functions for pictures.
. tests/fuzz/seeds.sh

# drawn EXTENSIONS: makes a seed of each picture of mkpic whose name ends in one
# of them (an extended regular expression), except the large ones.
drawn() {
	local names
	mkdir "$tmp/drawn"
	"$B/tests/tools/mkpic" "$tmp/drawn"
	names=$(find "$tmp/drawn" -type f | grep -E "\.($1)$" |
	    grep -v '/unknown')
	# shellcheck disable=SC2086 # words
	mv -t . $names
	rm -r "$tmp/drawn"
	# mkpic's empty.jpg has no byte.
	empty='empty.*'
}

# small EXTENSION: if there is test data, copies its pictures of at most 19 KiB
# whose names end so.
small() {
	local files
	[ -d "$DATA" ] || return 0
	find "$DATA/images" -type f -size -20k -name "*.$1" -print0 >"$tmp/small"
	mapfile -d '' -t files <"$tmp/small"
	# It refuses an empty list, and two files of one name.
	install -m 644 -t . "${files[@]}"
}
