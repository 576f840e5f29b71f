# SPDX-License-Identifier: Apache-2.0
# Fuzzing is complete: each parser has a target, and each target has seeds, a
# dictionary and a row in the table.
# bats file_tags=native

load ../support/helper

setup() {
	cd "$TOP/tests/fuzz" || return
}

# rows FIELD: prints this field of each row of the table, sorted, without
# duplicates.
rows() {
	awk -F '\t' -v f="$1" '/^[^#]/ { print $f }' table | LC_ALL=C sort -u
}

@test "each target has seeds and a dictionary, and is in the table" {
	rows 1 >"$BATS_TEST_TMPDIR/targets"
	for f in *.c; do
		f=${f%.c}
		[ -x "$f.seeds" ] || echo "$f: no seeds"
		grep -q '^"' "$f.dict" || echo "$f: no dictionary"
		grep -qxF "$f" "$BATS_TEST_TMPDIR/targets" ||
			echo "$f: no row in the table"
	done >"$BATS_TEST_TMPDIR/bad"
	cat "$BATS_TEST_TMPDIR/bad"
	[ ! -s "$BATS_TEST_TMPDIR/bad" ]
	# Rows, options, dictionaries and seeds name only existing targets.
	{
		rows 1 | grep -vx -e -
		awk '/^[^#]/ { print $1 }' options
		ls ./*.dict ./*.seeds | sed 's,^\./,,; s/\.[a-z]*$//'
	} | LC_ALL=C sort -u >"$BATS_TEST_TMPDIR/named"
	ls ./*.c | sed 's,^\./,,; s/\.c$//' | LC_ALL=C sort |
	    diff "$BATS_TEST_TMPDIR/named" -
}

@test "each line of a dictionary is a comment or a word in libFuzzer's form" {
	run -1 grep -nvE '^#|^"([^"\\]|\\["\\]|\\x[0-9a-fA-F]{2})+"$' ./*.dict
}

@test "the table names existing files, each with a target or a reason" {
	rows 2 | while read -r f; do
		[ -f "../../$f" ] || echo "$f: is not there"
	done >"$BATS_TEST_TMPDIR/bad"
	awk -F '\t' '/^[^#]/ && ($1 == "-") != (NF == 3) {
		print $2 ": needs a target or a reason" }
	    /^[^#]/ && $1 == "-" { none[$2] = 1 }
	    /^[^#]/ && $1 != "-" { fed[$2] = 1 }
	    END { for (f in none) if (f in fed) print f ": is fed" }' \
	    table >>"$BATS_TEST_TMPDIR/bad"
	cat "$BATS_TEST_TMPDIR/bad"
	[ ! -s "$BATS_TEST_TMPDIR/bad" ]
}

@test "files that parse bytes are in the table" {
	# Calls that parse words, numbers, JSON and fields of bytes.
	rows 2 >"$BATS_TEST_TMPDIR/rows"
	cd "$TOP"
	grep -rlE --include='*.c' \
	    '\<(json_loadb|json_loadf|json_object_get|getenv|'`
	    `'strto(l|ul|ll|ull|d|f)|sscanf|strsep|strtok_r|scan_uint|'`
	    `'bytes_(u16|u32|get)|num_(int|double|duration_[mn]s))\(' \
	    lib cmd | LC_ALL=C sort >"$BATS_TEST_TMPDIR/parsers"
	[ "$(wc -l <"$BATS_TEST_TMPDIR/parsers")" -gt 50 ]
	LC_ALL=C comm -23 "$BATS_TEST_TMPDIR/parsers" \
	    "$BATS_TEST_TMPDIR/rows" >"$BATS_TEST_TMPDIR/bad"
	cat "$BATS_TEST_TMPDIR/bad"
	[ ! -s "$BATS_TEST_TMPDIR/bad" ]
}
