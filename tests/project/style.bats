# SPDX-License-Identifier: Apache-2.0
# Rules that hold in every file.
# bats file_tags=native

load ../support/helper

setup() {
	cd "$TOP" || return
	# A checkout without git (from a tarball) contains the same files.
	if git rev-parse --is-inside-work-tree >/dev/null 2>&1; then
		git ls-files -co --exclude-standard
	else
		find . -type f -not -path './build/*' | sed 's,^\./,,'
	fi | perl -nle 'print if -f' >"$BATS_TEST_TMPDIR/files"
}

# files PATTERN: prints the files whose path matches.
files() {
	grep -E "$1" "$BATS_TEST_TMPDIR/files"
}

# each AWK: runs one awk program on the files whose names are on stdin.
each() {
	tr '\n' '\0' | xargs -0 awk "$1"
}

@test "every file names its licence" {
	# NOTICE covers data and texts that cannot contain a comment.
	files . | grep -vE '^LICENSES/|\.(cix|onnx|npy|sum|json|jsonl|bin|png)$' |
	    grep -vxE 'debian/(changelog|source/format)|models/attention/insts.txt' |
	    sort >"$BATS_TEST_TMPDIR/list"
	each 'FNR <= 5 && /SPDX-License-Identifier: / { print FILENAME }
	    FNR > 5 { nextfile }' <"$BATS_TEST_TMPDIR/list" |
	    sort -u | comm -13 - "$BATS_TEST_TMPDIR/list" \
		>"$BATS_TEST_TMPDIR/bad"
	cat "$BATS_TEST_TMPDIR/bad"
	[ ! -s "$BATS_TEST_TMPDIR/bad" ]
}

# A file is about one noun: at 500 lines, a reviewer asks why; at 700, this test
# fails.
@test "C files have fewer than 700 lines and at most 80 columns" {
	files '^(bench|lib|cmd|models|tests)/.*\.[ch]$|^driver/' | each '
	    FILENAME ~ /_tables\.c$|\.bats$|\.bash$/ { nextfile }
	    # columns(LINE): a tab goes on to the next eighth.
	    function columns(s,    n, at) {
		while ((at = index(s, "\t")) > 0) {
			n += at - 1
			n += 8 - n % 8
			s = substr(s, at + 1)
		}
		return n + length(s)
	    }
	    columns($0) > 80 {
		print FILENAME ":" FNR ": " columns($0) " columns"
	    }
	    FNR == 700 { print FILENAME ": 700 lines" }' \
		>"$BATS_TEST_TMPDIR/bad"
	cat "$BATS_TEST_TMPDIR/bad"
	[ ! -s "$BATS_TEST_TMPDIR/bad" ]
}

@test "lines have no white space at their end" {
	files '\.([ch]|mk|bats|bash|[1-9]|md|sh|py|awk|asl)$|Makefile|^driver/|^scripts/|^\.ci/' |
	    tr '\n' '\0' >"$BATS_TEST_TMPDIR/list"
	run -123 xargs -0 grep -nE '[[:blank:]]+$' <"$BATS_TEST_TMPDIR/list"
	[ "$output" = "" ]
}

# bats test_tags=slow
@test "shellcheck finds nothing in our scripts" {
	files . | each 'FNR == 1 && (/^#!.*\/(ba)?sh/ ||
	    FILENAME ~ /\.(sh|bash|bats)$/) { print FILENAME }
	    { nextfile }' >"$BATS_TEST_TMPDIR/list"
	[ -s "$BATS_TEST_TMPDIR/list" ]
	# SC2154: bats sets output and stderr.  SC1091: load is not followed.
	# SC2030, SC2031: every bats test is a subshell.  SC2238: a file may be
	# called cut.  -x: follow files that a script reads, in any order.
	tr '\n' '\0' <"$BATS_TEST_TMPDIR/list" |
	    xargs -0 -n 8 shellcheck -x -S warning \
		-e SC1091,SC2154,SC2030,SC2031,SC2238
}

# bash templates are already among the scripts of the previous test.
@test "zsh and fish can parse their completion templates" {
	for shell in zsh fish; do
		command -v $shell >/dev/null || skip "no $shell"
		files "\\.$shell\$" >"$BATS_TEST_TMPDIR/list"
		grep -q "/program\.$shell\$" "$BATS_TEST_TMPDIR/list"
		while read -r f; do
			$shell -n "$f"
		done <"$BATS_TEST_TMPDIR/list"
	done
}

@test "no file contains a path of the workplace" {
	files . | grep -vx 'tests/project/style.bats' | tr '\n' '\0' \
	    >"$BATS_TEST_TMPDIR/list"
	run -123 xargs -0 grep -nE '(^|[^a-z])/work/(shared|wt|scratch|main)' \
	    <"$BATS_TEST_TMPDIR/list"
	[ "$output" = "" ]
}

# Instead of "told" and "tells": reported, shows, decides.  Instead of "is of":
# belongs to, covers, needs.  "1 frames": the message must choose singular or
# plural.
@test "messages, pages and comments use plain words" {
	files '^(cmd|lib|models|driver|man|docs)/.*\.([ch]|[1-9]|md|sh|awk)$|^(README|CHANGELOG)' |
	    tr '\n' '\0' >"$BATS_TEST_TMPDIR/list"
	run -123 xargs -0 grep -nE '\b(told|tells)\b|anew\b' \
	    <"$BATS_TEST_TMPDIR/list"
	[ "$output" = "" ]
	files '^man/|^(README|CHANGELOG)' | tr '\n' '\0' >"$BATS_TEST_TMPDIR/list"
	run -123 xargs -0 grep -nE '\b(is|are) of( |$)|no verdict\.?$|\b1 (byte|file|frame|input|model|picture|row|run|tensor|text|vector)s\b' \
	    <"$BATS_TEST_TMPDIR/list"
	[ "$output" = "" ]
	files '^(cmd|lib|models)/.*\.[ch]$' | tr '\n' '\0' >"$BATS_TEST_TMPDIR/list"
	run -123 xargs -0 grep -nE '"[^"]*(\bis (of|about) -|\bis no [a-z]+"|\bhead says|hangs on)' \
	    <"$BATS_TEST_TMPDIR/list"
	[ "$output" = "" ]
}

@test "an exception of make coverage names existing code, with a reason" {
	grep -v '^#' tests/coverage/exceptions | grep . >"$BATS_TEST_TMPDIR/all"
	[ "$(wc -l <"$BATS_TEST_TMPDIR/all")" -le 100 ]
	while IFS=$'\t' read -r file function text reason more; do
		[ -n "$reason" ]
		[ -z "$more" ]
		# shellcheck disable=SC2086 # may be a pattern
		grep -rqF -e "${text//\*/}" $file
		function=${function%\*}
		# shellcheck disable=SC2086
		grep -rqE "^(${function}[a-z0-9_]*)?\(|^${function}" $file ||
			[ -z "$function" ]
	done <"$BATS_TEST_TMPDIR/all"
}
