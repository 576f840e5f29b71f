# SPDX-License-Identifier: Apache-2.0
# Runs tests/run in a project of a few lines: it must count the tests that ran,
# and fail if anything went wrong.
# bats file_tags=native,slow
# shellcheck disable=SC2016 # the inner bats expands

load ../support/helper

setup() {
	mkdir -p repo/tests/{cmd,unit/a,abi,fuzz,arm64}
	cp "$TOP"/tests/run "$TOP"/tests/tap.awk repo/tests/
	cp -r "$TOP/tests/support" repo/tests/
	printf 'tree-%s:\n\t@mkdir -p $B/tests/unit\n' native asan arm64 \
	    >repo/Makefile
	export NPU_TEST_DATA=$PWD/no-data
}

# bats_file NAME [TAGS]: writes a file with one test, whose body comes from
# stdin.
bats_file() {
	{
		[ -z "${2-}" ] || echo "# bats file_tags=$2"
		echo "load ../support/helper"
		echo "@test \"$1\" {"
		cat
		echo '}'
	} >"repo/tests/cmd/$1.bats"
}

# program FILE: writes a script from stdin, which prints TAP.
program() {
	mkdir -p "repo/$(dirname "$1")"
	{ echo '#!/bin/sh'; cat; } >"repo/$1"
	chmod +x "repo/$1"
}

# inner: runs tests/run, without the variables, folders and descriptors of the
# outer bats.
inner() {
	env -i PATH="$(tr : '\n' <<<"$PATH" | grep -v bats | paste -sd :)" \
	    HOME="$PWD" NPU_TEST_DATA="$NPU_TEST_DATA" "$@" repo/tests/run 3>&-
}

# fails SUM TEXT: fails unless tests/run fails, with SUM as its last line and
# with TEXT.
fails() {
	run -1 inner LEVEL=full
	echo "$output"
	[ "${lines[-1]}" = "$1" ]
	[[ $output == *"$2"* ]]
}

@test "results of bats files, unit tests and ABI rows are added up" {
	bats_file good <<<true
	touch repo/tests/unit/a/u.c
	program build/tests/unit/a/u <<<'echo ok 1 - a; echo ok 2 - b; echo 1..2'
	program tests/abi/rows <<<'echo ok 1 - r; echo 1..1'
	run -0 inner
	[ "${lines[-1]}" = "4 passed, 0 failed, 0 skipped" ]
	sort repo/build/check/names | diff - <(printf 'native tests/%s\n' \
	    'abi/rows r' 'cmd/good.bats good' 'unit/a/u.c a' 'unit/a/u.c b')
}

@test "a bats test that fails in any way is counted as failed" {
	while IFS= read -r text; do
		printf 'true\n%b\n' "$text" | bats_file bad native
		fails "0 passed, 1 failed, 0 skipped" "not ok 1 bad"
	done <<-'END'
	false; true
	[[ 1 = 2 ]]\ntrue
	run -0 false\ntrue
	run ! true\ntrue
	x=$(true; false)\ntrue
	! true
	exit 3
	set -u\necho $none\ntrue
	END
	echo '@test "x" {' >repo/tests/cmd/bad.bats
	run -1 inner
}

@test "a unit test, row or seed that fails or ends early is a failure" {
	touch repo/tests/unit/a/u.c
	for text in 'echo not ok 1 - a; echo 1..1' 'echo ok 1 - a; kill -SEGV $$' \
	    'echo 1..2; echo ok 1 - a' 'echo ok 1 - a; echo 1..1; exit 3'; do
		program build/tests/unit/a/u <<<"$text"
		run -1 inner
	done
	rm repo/tests/unit/a/u.c
	program tests/abi/rows <<<'echo not ok 1 - r; echo 1..1; exit 1'
	fails "0 passed, 3 failed, 0 skipped" "asan tests/abi/rows: not ok 1 - r"
	rm repo/tests/abi/rows
	touch repo/tests/fuzz/f.c
	program tests/fuzz/seeds <<<'echo not ok 1 - f; echo 1..1; exit 1'
	fails "0 passed, 2 failed, 0 skipped" "arm64 tests/fuzz/f.c: not ok 1 - f"
}

@test "a test fails after TEST_LIMIT, a file after FILE_LIMIT" {
	bats_file hang native <<<'while :; do sleep 1; done'
	run -1 inner TEST_LIMIT=2
	[[ $output == *"not ok 1 hang"*"no end within 2 s"* ]]
	touch repo/tests/unit/a/u.c
	program build/tests/unit/a/u <<<'echo ok 1 - a; echo 1..1; sleep 1000'
	run -1 inner FILE_LIMIT=2 T=u
	[[ $output == *"exit status 124"* ]]
}

@test "a tree that does not build is a failure; other trees are tested" {
	bats_file good <<<true
	sed -i 's/^tree-asan:/&\n\tfalse/' repo/Makefile
	fails "1 passed, 1 failed, 0 skipped" "not ok - asan does not build"
}

@test "a sanitizer's report is a failure, even if the test expects one" {
	bats_file good <<<'[ "$LEG" != asan ] ||
		echo "x.c:1:2: runtime error: y" >"${UBSAN_OPTIONS##*log_path=}.1"'
	fails "2 passed, 1 failed, 0 skipped" "    x.c:1:2: runtime error: y"
}

@test "a skipped test is counted, but fails if the test data is there" {
	bats_file data <<<'skip "no test data"'
	bats_file good <<<true
	run -0 inner
	[ "${lines[-1]}" = "1 passed, 0 failed, 1 skipped" ]
	mkdir no-data
	run -1 inner
	[ "${lines[-1]}" = "1 passed, 1 failed, 0 skipped" ]
}

@test "a run without any test is a failure" {
	run -1 inner
	[ "${lines[-1]}" = "0 passed, 0 failed, 0 skipped" ]
}

# ran WORD...: fails unless these are the trees and files of the last run.
ran() {
	cut -d ' ' -f 1,2 repo/build/check/names | sed 's,tests/,,' |
	    diff - <(printf '%s\n' "$@")
}

@test "LEVEL, tags and T choose which tests run in which tree" {
	bats_file prog <<<true
	bats_file prog-topic arm64 <<<true
	bats_file slow slow <<<true
	bats_file nat native <<<true
	printf '@test "p" {\ntrue\n}\n' >repo/tests/arm64/p.bats
	run -0 inner
	ran 'native cmd/nat.bats' 'native cmd/prog-topic.bats' \
	    'native cmd/prog.bats'
	run -0 inner LEVEL=ci
	ran 'arm64 arm64/p.bats' 'native cmd/nat.bats' \
	    'native cmd/prog-topic.bats' 'native cmd/prog.bats'
	run -0 inner LEVEL=full
	ran 'arm64 arm64/p.bats' 'arm64 cmd/prog-topic.bats' \
	    'asan cmd/prog-topic.bats' 'asan cmd/prog.bats' \
	    'asan cmd/slow.bats' 'native cmd/nat.bats' \
	    'native cmd/prog-topic.bats' 'native cmd/prog.bats' \
	    'native cmd/slow.bats'
	run -0 inner T='slo*'
	ran 'native cmd/slow.bats'
	run -2 inner LEVEL=odd
}
