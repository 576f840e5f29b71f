# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# tests/fuzz/pictures.sh - seeds.sh, and functions for pictures.
. tests/fuzz/seeds.sh

# drawn EXTENSIONS: makes a seed from each picture of mkpic, except the large
# ones, whose extension matches EXTENSIONS (an extended regular expression).
drawn() {
	local names
	mkdir "$tmp/drawn"
	"$B/tests/tools/mkpic" "$tmp/drawn"
	names=$(find "$tmp/drawn" -type f | grep -E "\.($1)$" |
	    grep -v '/unknown')
	# shellcheck disable=SC2086 # words
	mv -t . $names
	rm -r "$tmp/drawn"
	# mkpic's empty.jpg is an empty file.
	empty='empty.*'
}

# small EXTENSION: if there is test data, copies its pictures of at most 19 KiB
# whose names end with EXTENSION.
small() {
	local files
	[ -d "$DATA" ] || return 0
	find "$DATA/images" -type f -size -20k -name "*.$1" -print0 >"$tmp/small"
	mapfile -d '' -t files <"$tmp/small"
	# install refuses an empty list, and two files of the same name.
	install -m 644 -t . "${files[@]}"
}
