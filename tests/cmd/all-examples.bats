#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# The examples in the documents run, and print the output that is shown.

load ../support/helper

# npu-kmd is not built, but run from the source tree.
setup() {
	PATH=$PATH:$TOP/driver
}

# run_example SCRIPT: runs SCRIPT in an empty directory, as a user would.
run_example() {
	dir=$BATS_TEST_TMPDIR/${1##*/}.dir
	mkdir "$dir"
	(cd "$dir" && sh -e "$1" </dev/null)
}

# split DOCUMENT: writes the examples of DOCUMENT to scripts (examples.awk).
split() {
	awk -v dir="$BATS_TEST_TMPDIR" -v name="$(basename "$1")" \
	    -f "$TOP/tests/support/examples.awk" "$1"
}

# bats test_tags=slow
@test "every example of the manual pages runs" {
	for page in "$TOP"/man/*.[1-8]; do
		split "$page"
	done
	failed=0 n=0
	for script in "$BATS_TEST_TMPDIR"/*.sh; do
		n=$((n + 1))
		run_example "$script" >"$script.log" 2>&1 || {
			echo "${script##*/} failed:"
			cat "$script" "$script.log"
			failed=$((failed + 1))
		}
	done
	[ "$n" -ge 10 ]
	[ "$failed" -eq 0 ]
}

# README runs in one directory and one shell, as a reader would go through it:
# exports of earlier sessions are still in force.  README also shows commands
# that fail on purpose; the file want has their statuses.
@test "README's commands print the output that README shows" {
	split "$TOP/README.md"
	# shellcheck disable=SC2016 # for the session
	echo 'trap '\''echo "$? $BASH_COMMAND" >>../failed'\'' ERR' >session
	sed -n 's/^\$ \(export .*\)/\1/p' "$TOP/README.md" >>session
	n=1
	while [ -e "README.md.$n.sh" ]; do
		echo "exec >../$n.log 2>&1"
		echo ". ../README.md.$n.sh"
		n=$((n + 1))
	done >>session
	echo 'exit 0' >>session
	[ "$n" -gt 5 ]
	mkdir reader
	(cd reader && bash -E -o pipefail ../session </dev/null)
	cat >want <<-'END'
	3 jq -c '[.schema, .devices, .error.status]'
	1 npu-run -q clip_txt.cix
	1 npu-run -q clip_txt.cix embedding
	1 npu-run -q clip_tex.cix tokens
	END
	sed '/ \. \.\./d' failed | diff want -
	failed=0
	while [ "$n" -gt 1 ]; do
		n=$((n - 1))
		diff -u "README.md.$n.out" "$n.log" || {
			cat "README.md.$n.sh"
			failed=1
		}
	done
	[ "$failed" -eq 0 ]
}

@test "the files to which README and other top documents link exist" {
	for page in README CONTRIBUTING SECURITY CHANGELOG; do
		sed 's/](/\n&/g' "$TOP/$page.md" |
		    sed -nE 's/^\]\(([^)#]+).*/\1/p' | sed '/^https:/d' |
		    sort -u | while read -r f; do
			[ -e "$TOP/$f" ] || echo "$page.md: $f does not exist"
		done
	done >bad
	cat bad
	[ ! -s bad ]
	[ "$(grep -oE '\]\(man/[^)]+' "$TOP/README.md" | sort -u | wc -l)" -gt 20 ]
}
