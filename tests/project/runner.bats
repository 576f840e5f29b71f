# SPDX-License-Identifier: Apache-2.0
# tests/run on a project of a few lines: does it count tests, and does it
# fail when it should?
# bats file_tags=native,slow
# shellcheck disable=SC2016 # make and the inner bats expand

load ../support/helper

setup() {
	mkdir -p repo/tests/unit repo/tests/support repo/build/tests/unit
	cp "$TOP"/tests/run "$TOP"/tests/changed "$TOP"/tests/*.awk repo/tests/
	cp "$TOP/tests/support/leak_scan.c" repo/tests/support/
	# The asan build here builds nothing.
	printf 'setup build build-tests:\n\t@mkdir -p $B\n' >repo/Makefile
	export NPU_TEST_DATA=$PWD/no-data
	unset T
}

# bats_file NAME [TAGS]: the body of a test, from stdin.
bats_file() {
	{
		[ -z "${2-}" ] || echo "# bats test_tags=$2"
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
	    JOBS="${JOBS:-2}" WAITING="${WAITING:-6}" ALONE="${ALONE:-1}" \
	    LEVEL="${LEVEL:-full}" CHANGED="${CHANGED:-}" \
	    NPU_TEST_DATA="$NPU_TEST_DATA" repo/tests/run "$@" 3>&-
}

@test "bats files and unit tests are added up" {
	bats_file good <<<true
	printf '#!/bin/sh\necho ok 1 - a; echo ok 2 - b; echo 1..2\n' | unit u
	run -0 inner native
	[ "${lines[-1]}" = "3 passed, 0 failed, 0 skipped" ]
}

@test "a failure is shown and counted, and sets the status" {
	bats_file good <<<true
	bats_file bad <<<'[ 1 = 2 ]'
	run -1 inner native
	[ "${lines[-1]}" = "1 passed, 1 failed, 0 skipped" ]
	[[ $output == *"native tests/bad.bats: not ok 1 bad"* ]]
	[[ $output == *"[ 1 = 2 ]"* ]]
}

@test "a test that fails in any way counts as failed" {
	cp "$TOP/tests/support/tracing.bash" repo/tests/support/
	# Each shows the place where it failed, if that is known.
	while IFS=@ read -r text shown; do
		rm -f repo/tests/bad.bats
		echo 'load support/tracing' >repo/tests/bad.bats
		printf 'true\n%b\n' "$text" | bats_file bad
		run inner native
		[[ $status = 1 && $output == *"not ok 1 bad"*"$shown"* ]] || {
			echo "$text: $output"
			return 1
		}
	done <<-'END'
	false; true@bad.bats, line 4)
	[[ 1 = 2 ]]\ntrue@bad.bats, line 4)
	(( 1 == 2 ))\ntrue@bad.bats, line 4)
	true |\nfalse\ntrue@bad.bats, line 5)
	f() {\nfalse\n}\nf\ntrue@`f' in file
	run -0 false\ntrue@expected exit code 0, got 1
	run ! true\ntrue@expected nonzero exit code!
	x=$(true; false)\ntrue@bad.bats, line 4)
	(true\nfalse)\ntrue@bad.bats, line
	for i in 1 2; do\n[ $i = 1 ]\ndone@bad.bats, line 5)
	[ 1 = 2 ] || {\necho why\nreturn 1\n}@why
	! true@
	exit 3@
	set -u\necho $none\ntrue@unbound variable
	END
}

@test "failures are shown once more before the sum" {
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

@test "a skip is counted, and is a failure if there is test data" {
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

@test "a cross build sets up what it links with, where it is not there" {
	[ "$(uname -m)" != aarch64 ] || skip 'the native leg is this one'
	printf 'setup setup-check build-makers build-tests:\n\t@echo $@ >>goals\n' \
	    >repo/Makefile
	run inner --build arm64
	[ "$(tr '\n' ' ' <repo/goals)" = "setup build-makers setup-check setup build-tests " ]
	# Nothing is asked again where it is.
	mkdir -p repo/build/setup/arm64/root
	: >repo/goals
	run inner --build arm64
	[ "$(tr '\n' ' ' <repo/goals)" = "setup build-makers setup build-tests " ]
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
	printf '# bats test_tags=no-native\n@test "s" {\nfalse\n}\n' \
	    >>repo/tests/tags.bats
	printf '@test "all" {\ntrue\n}\n' >>repo/tests/tags.bats
	run -0 inner native
	[ "${lines[-1]}" = "3 passed, 0 failed, 0 skipped" ]
	run -1 inner asan
	[ "${lines[-1]}" = "1 passed, 1 failed, 0 skipped" ]
}

@test "T names the files to run" {
	bats_file good <<<true
	bats_file bad <<<false
	T=good run -0 inner native
	[ "${lines[-1]}" = "1 passed, 0 failed, 0 skipped" ]
}

# order: the letters that the tests wrote to log, "a b c ".
order() {
	tr '\n' ' ' <repo/log
}

@test "slow tests run with LEVEL=full, and when their file is named" {
	bats_file good <<<true
	bats_file long slow <<<true
	bats_file all waits,slow <<<true
	LEVEL=quick run -0 inner native
	[ "${lines[-1]}" = "1 passed, 0 failed, 0 skipped" ]
	run -0 inner native
	[ "${lines[-1]}" = "3 passed, 0 failed, 0 skipped" ]
	LEVEL=quick T=all run -0 inner native
	[ "${lines[-1]}" = "1 passed, 0 failed, 0 skipped" ]
}

@test "a C file's tags are in its first comment" {
	printf '#!/bin/sh\necho ok 1 - a; echo 1..1\n' | unit u
	printf '#!/bin/sh\necho ok 1 - a; echo 1..1\n' | unit v
	printf '/*\n * What it is.\n * Tags: slow\n */\n' >repo/tests/unit/u.c
	LEVEL=quick run -0 inner native
	[ "${lines[-1]}" = "1 passed, 0 failed, 0 skipped" ]
	run -0 inner native
	[ "${lines[-1]}" = "2 passed, 0 failed, 0 skipped" ]
}

@test "the line before the sum reports what LEVEL=full adds" {
	bats_file good <<<true
	bats_file long slow <<<true
	LEVEL=quick run -0 inner native asan
	[ "${lines[-2]}" = "LEVEL=full make check adds: 2 slow tests; the legs\
 arm64 clang fuzz" ]
	[ "${lines[-1]}" = "2 passed, 0 failed, 0 skipped" ]
	run -0 inner native
	[[ $output != *LEVEL=* ]]
}

@test "waiting tests run beside the others, those tagged alone last" {
	# first and second wait for each other, on one slot.
	bats_file first <<<'for _ in $(seq 300); do
		[ ! -e "$BATS_TEST_DIRNAME/../second" ] || return 0
		sleep 0.1
	    done
	    false'
	bats_file second waits <<<': >"$BATS_TEST_DIRNAME/../second"'
	for n in 1 2 3; do
		bats_file "one$n" alone <<<'
			cd "$BATS_TEST_DIRNAME"
			[ "$(ls ../log.d)" = "" ]
			[ -e ../second ]
			: >"../log.d/$BATS_TEST_NAME"
			sleep 0.2
			rm "../log.d/$BATS_TEST_NAME"'
	done
	mkdir repo/log.d
	JOBS=1 WAITING=1 ALONE=1 run -0 inner native
	[ "${lines[-1]}" = "5 passed, 0 failed, 0 skipped" ]
}

@test "of a file that waits, the tests that failed are repeated" {
	sed 's/^TEST/@test/' >repo/tests/some.bats <<-E
		# bats file_tags=waits
		TEST "right" {
			echo >>$PWD/right
		}
		TEST "-a (b|c) [d]: once" {
			echo >>$PWD/once
			[ "\$(wc -l <$PWD/once)" -ge 2 ]
		}
	E
	run -0 inner native
	[ "${lines[-1]}" = "2 passed, 0 failed, 0 skipped" ]
	[ "$(wc -l <right) $(wc -l <once)" = "1 2" ]
	[[ $output == *"== measured again: native tests/some.bats"* ]]
}

@test "a failed measurement is repeated, up to twice, and nothing else is" {
	# Each counts in a file of its own how often it ran.
	for n in 1 2 3 4; do
		bats_file "once$n" alone <<<"
			echo >>$PWD/ran.$n
			[ \$(wc -l <$PWD/ran.$n) -ge $n ]"
	done
	bats_file working <<<"
		echo >>$PWD/ran.working
		[ \$(wc -l <$PWD/ran.working) -ge 2 ]"
	run -1 inner native
	[ "$(wc -l <ran.working)" -eq 1 ]
	[ "$(wc -l <ran.1) $(wc -l <ran.2)" = '1 2' ]
	[ "$(wc -l <ran.3) $(wc -l <ran.4)" = '3 3' ]
	[ "$(grep -c '^== measured again: native tests/once' <<<"$output")" -eq 5 ]
	[ "${lines[-1]}" = '3 passed, 2 failed, 0 skipped' ]
	# The real failures come at the end.
	sed -n '/^== failed/,$p' <<<"$output" >end
	grep -q 'once4' end
	run ! grep -q 'once[123]' end
	rm repo/tests/working.bats repo/tests/once4.bats ran.*
	run -0 inner native
	[ "${lines[-1]}" = '3 passed, 0 failed, 0 skipped' ]
}

@test "a file's tests of several pools run once each" {
	for tags in '' alone waits native,alone waits,alone ''; do
		bats_file "t" "$tags" <<<'echo x >>"$BATS_TEST_DIRNAME/../log"'
	done
	awk '/^@test/ { sub(/"t.*"/, "\"" ++n "\"") } { print }' \
	    repo/tests/t.bats >t
	mv t repo/tests/t.bats
	run -0 inner native
	[ "${lines[-1]}" = "6 passed, 0 failed, 0 skipped" ]
	[ "$(wc -l <repo/log)" -eq 6 ]
	run -0 inner asan
	[ "${lines[-1]}" = "5 passed, 0 failed, 0 skipped" ]
}

@test "the longest file starts first, by the last run or by tests/times" {
	for n in a b c d; do
		bats_file $n <<<'echo $BATS_TEST_DESCRIPTION >>\
		    "$BATS_TEST_DIRNAME/../log"'
	done
	printf '# leg file pool seconds\n%s\n' 'native tests/d.bats work 9' \
	    'native tests/b.bats work 20' 'asan tests/a.bats work 99' \
	    >repo/tests/times
	JOBS=1 run -0 inner native
	[ "$(order)" = "b d a c " ]
	grep -qxE 'native tests/d.bats work [0-9]' repo/build/check.times
	# Times measured here take precedence over those from elsewhere.
	rm repo/log
	sed -i 's/\(a.bats work\) .*/\1 30/' repo/build/check.times
	JOBS=1 T='' run -0 inner native
	[ "$(order | cut -c 1)" = a ]
}

@test "the names of all tests are in build/check/names" {
	bats_file good <<<true
	bats_file good slow <<<true
	sed -i '0,/"good"/s//"a # b"/' repo/tests/good.bats
	bats_file bad <<<false
	bats_file data <<<'skip "no test data"'
	printf '#!/bin/sh\necho ok 1 - a; echo 1..1\n' | unit u
	run -1 inner native
	diff repo/build/check/names - <<-END
	native tests/bad.bats bad
	native tests/data.bats data
	native tests/good.bats a # b
	native tests/good.bats good
	native tests/unit/u.c a
	END
}

# in_git COMMAND...
in_git() {
	git -C repo -c user.name=x -c user.email=x@example.org "$@"
}

# programs: p of lib/a.c, q of lib/b.c, a unit test of a, a test of each, and
# one that calls the tool t; all of it committed.
programs() {
	cat >repo/Makefile <<-'END'
	.RECIPEPREFIX = >
	setup:
	build-tests: build/bin/p build/bin/q build/tests/unit/u \
	    build/tests/tools/t
	build/%.o: %.c
	>@mkdir -p $(@D)
	>cc -g -MMD -c -o $@ $<
	build/bin/p build/tests/unit/u: build/lib/a.o
	build/bin/q: build/lib/b.o
	build/bin/%: build/cmd/%.o
	>@mkdir -p $(@D)
	>cc -g -o $@ $^
	build/tests/%: build/tests/%.o
	>cc -g -o $@ $^
	-include $(shell find build -name '*.d')
	END
	mkdir repo/lib repo/cmd repo/tests/cmd repo/tests/tools \
	    repo/tests/project
	echo '#define A 1' >repo/lib/a.h
	printf '#include "a.h"\nint a(void) { return A; }\n' >repo/lib/a.c
	echo 'int b(void) { return 1; }' >repo/lib/b.c
	echo 'int a(void); int main(void) { return !a(); }' >repo/cmd/p.c
	echo 'int b(void); int main(void) { return !b(); }' >repo/cmd/q.c
	cat >repo/tests/unit/u.c <<-'END'
	#include <stdio.h>
	int a(void);
	int main(void) { printf("ok 1 - u\n1..1\n"); return !a(); }
	END
	echo 'int main(void) { return 0; }' >repo/tests/tools/t.c
	for f in cmd/p cmd/p-more cmd/q cmd/pp cmd/all-t project/style; do
		bats_file $f <<<'t=1 u'
	done
	sed -i 's/t=1 u/true/' repo/tests/*/[!a]*.bats
	sed -i 's/t=1 u/t || true/' repo/tests/cmd/all-t.bats
	in_git init -q
	echo build >repo/.gitignore
	in_git add -A
	in_git commit -qm x
}

# touched [COMMIT]: the names of the tests that CHANGED runs.
touched() {
	CHANGED=${1:-1} LEVEL=quick run -0 inner native
	sed 's/^[^ ]* [^ ]* //' repo/build/check/names | sort | tr '\n' ' '
}

@test "CHANGED: programs linked from changed sources are tested" {
	programs
	[ "$(touched)" = "project/style " ]
	# p and the unit test include it, through a.c.
	echo '#define A 2' >repo/lib/a.h
	[ "$(touched)" = "cmd/p cmd/p-more project/style u " ]
	in_git commit -qam y
	[ "$(touched)" = "project/style " ]
	[ "$(touched HEAD~1)" = "cmd/p cmd/p-more project/style u " ]
	echo '/* */' >>repo/cmd/q.c
	[ "$(touched)" = "cmd/q project/style " ]
	in_git checkout -q .
	echo '/* */' >>repo/tests/tools/t.c
	[ "$(touched)" = "cmd/all-t project/style " ]
}

@test "CHANGED: a test file itself, a new one and its slow tests, too" {
	programs
	echo '# x' >>repo/tests/cmd/p-more.bats
	bats_file cmd/new slow <<<true
	rm repo/tests/cmd/q.bats
	[ "$(touched)" = "cmd/new cmd/p-more project/style " ]
	# A change that cannot be traced: all.
	in_git checkout -q .
	rm repo/tests/cmd/new.bats
	echo '# x' >>repo/Makefile
	[ "$(touched)" = \
	    "cmd/all-t cmd/p cmd/p-more cmd/pp cmd/q project/style u " ]
}

@test "CHANGED: no such commit, or no git: status 2, and nothing runs" {
	programs
	CHANGED=none run -2 inner native
	[ "${lines[-1]}" = "tests/changed: CHANGED=none: no such commit" ]
	rm -r repo/.git
	CHANGED=1 run -2 inner native
	[ "${lines[-1]}" = "tests/changed: this is no working tree of git" ]
}
