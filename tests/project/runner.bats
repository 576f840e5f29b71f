# SPDX-License-Identifier: Apache-2.0
# tests/run on a project of a few lines: does it count what ran, and does it
# fail when it should?
# bats file_tags=native
# shellcheck disable=SC2016 # make and the inner bats expand

load ../support/helper

setup() {
	mkdir -p repo/tests/unit repo/build/tests/unit
	cp "$TOP/tests/run" "$TOP/tests/tap.awk" repo/tests/
	# What is called asan here is a build of nothing.
	printf 'setup build build-tests:\n\t@mkdir -p $B\n' >repo/Makefile
	export NPU_TEST_DATA=$PWD/no-data
	unset T
}

# bats_file NAME: the body of a test, from stdin.
bats_file() {
	{
		echo "@test \"$1\" {"
		cat
		echo '}'
	} >>"repo/tests/$1.bats"
}

# unit NAME: a unit test, a script on stdin that prints TAP.
unit() {
	: >"repo/tests/unit/$1.c"
	cat - >"repo/build/tests/unit/$1"
	chmod +x "repo/build/tests/unit/$1"
}

# A run inside a run: none of bats' variables, folders or descriptors.
inner() {
	env -i PATH="$(tr : '\n' <<<"$PATH" | grep -v bats | paste -sd :)" HOME="$PWD" T="${T:-}" \
	    NPU_TEST_DATA="$NPU_TEST_DATA" repo/tests/run "$@" 3>&-
}

@test "bats files and unit tests are added up" {
	bats_file good <<<true
	printf '#!/bin/sh\necho ok 1 - a; echo ok 2 - b; echo 1..2\n' | unit u
	run -0 inner native
	[ "${lines[-1]}" = "3 passed, 0 failed, 0 skipped" ]
}

@test "a failure is shown, counted, and the status" {
	bats_file good <<<true
	bats_file bad <<<'[ 1 = 2 ]'
	run -1 inner native
	[ "${lines[-1]}" = "1 passed, 1 failed, 0 skipped" ]
	[[ $output == *"native tests/bad.bats: not ok 1 bad"* ]]
	[[ $output == *"[ 1 = 2 ]"* ]]
}

@test "what failed is told once more before the sum" {
	bats_file good <<<true
	bats_file bad <<<'[ 1 = 2 ]'
	for i in $(seq 20); do bats_file "well$i" <<<true; done
	run -1 inner native
	[ "${lines[-5]}" = "== failed" ]
	[ "${lines[-4]}" = "native tests/bad.bats: not ok 1 bad" ]
	[[ ${lines[-2]} == *"[ 1 = 2 ]"* ]]
	[ "${lines[-1]}" = "21 passed, 1 failed, 0 skipped" ]
	rm repo/tests/bad.bats
	run -0 inner native
	[[ $output != *"== failed"* ]]
}

@test "nothing ran: a failure" {
	run -1 inner native
	[ "${lines[-1]}" = "0 passed, 0 failed, 0 skipped" ]
}

@test "a skip is counted, and a failure where test data is" {
	bats_file good <<<true
	bats_file data <<<'skip "no test data"'
	run -0 inner native
	[ "${lines[-1]}" = "1 passed, 0 failed, 1 skipped" ]
	mkdir no-data
	run -1 inner native
	[ "${lines[-1]}" = "1 passed, 1 failed, 0 skipped" ]
}

@test "a unit test that ends before its plan has failed" {
	printf '#!/bin/sh\necho ok 1 - a\nkill -SEGV $$\n' | unit u
	run -1 inner native
	[ "${lines[-1]}" = "1 passed, 1 failed, 0 skipped" ]
}

@test "a unit test that ran fewer than it planned has failed" {
	printf '#!/bin/sh\necho 1..2\necho ok 1 - a\n' | unit u
	run -1 inner native
	[ "${lines[-1]}" = "1 passed, 1 failed, 0 skipped" ]
}

@test "a bats file that cannot be read has failed" {
	bats_file good <<<true
	echo '@test "x" {' >repo/tests/broken.bats
	run -1 inner native
	[[ ${lines[-1]} == "1 passed, "[1-9]*" failed, 0 skipped" ]]
}

@test "a leg that does not build has failed, and the others still run" {
	bats_file good <<<true
	printf 'setup build-tests:\n\t@[ $B = build ]\n' >repo/Makefile
	run -1 inner native clang
	[ "${lines[-1]}" = "1 passed, 1 failed, 0 skipped" ]
	[[ $output == *"clang does not build"* ]]
}

@test "a sanitizer's report is a failure, whatever the test thought" {
	bats_file good <<<'[ "$LEG" != asan ] ||
		echo "x.c:1:2: runtime error: y" >"${UBSAN_OPTIONS##*log_path=}.1"'
	run -1 inner native asan
	[ "${lines[-2]}" = "    x.c:1:2: runtime error: y" ]
	[ "${lines[-1]}" = "2 passed, 1 failed, 0 skipped" ]
}

@test "tags keep a test out of a leg" {
	printf '# bats test_tags=native\n@test "n" {\ntrue\n}\n' \
	    >repo/tests/tags.bats
	printf '# bats test_tags=no-asan\n@test "a" {\ntrue\n}\n' \
	    >>repo/tests/tags.bats
	printf '@test "all" {\ntrue\n}\n' >>repo/tests/tags.bats
	run -0 inner native
	[ "${lines[-1]}" = "3 passed, 0 failed, 0 skipped" ]
	run -0 inner asan
	[ "${lines[-1]}" = "1 passed, 0 failed, 0 skipped" ]
}

@test "T names the files to run" {
	bats_file good <<<true
	bats_file bad <<<false
	T=good run -0 inner native
	[ "${lines[-1]}" = "1 passed, 0 failed, 0 skipped" ]
}
