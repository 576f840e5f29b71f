#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# Random failures of `make torture` for each program, and tests that its runner
# finds faults: tests/tools/torn.c has every fault that the runner can detect.
# A sanitizer takes three times as long: it runs the random failures, but not
# the tests of a single message or file.
# bats file_tags=slow

load ../support/helper

setup() {
	export FIXTURES=$PWD/fixtures
	printf '#!/bin/sh\nprintf 1234567 >from\n' >fixtures
	chmod +x fixtures
	cd "$TOP" || return
}

# torn HOW: prints the runner's output for this fault; each call fails in turn.
torn() {
	echo "torn/$1 out=to -- $1 \$F/from to" >"$BATS_TEST_TMPDIR/cases"
	CASES=$BATS_TEST_TMPDIR/cases tests/faults/torture "$B"
}

# finds HOW TEXT: fails unless all findings are TEXT and the status is 1.
finds() {
	run -1 torn "$1"
	echo "$output"
	grep -q "^torn/$1 [0-9]*: " <<<"$output"
	grep "^torn/$1 [0-9]*: " <<<"$output" >"$BATS_TEST_TMPDIR/these"
	run -1 grep -v ": $2" "$BATS_TEST_TMPDIR/these"
}

# A program that counts coverage makes additional calls, so only native.
# bats test_tags=native
@test "the runner counts every call of our code, and no other call" {
	# The calls of torn.c, counted by hand: two allocate memory; "from" and
	# "to" are opened; one read() gets 7 bytes and one gets the end; ...
	run -0 torn sound
	[ "$output" = "torn/sound                    10 calls    0 faults\
    10 runs   0 findings  read:2 open:2 malloc:2 close:2 write:1 rename:1
1 cases, 10 calls, 0 faults of the emulator, 10 runs
nothing found" ]
}

@test "the runner finds a crash and a hang" {
	if [ "${LEG-native}" = asan ]; then
		finds crash 'runtime error: null pointer .*; malloc at .* torn.c:'
	else
		finds crash 'status 139; malloc at .* torn.c:'
	fi
	finds hang 'no end within 60 s; malloc at .* torn.c:'
}

@test "the runner finds a leak, but only with a sanitizer" {
	if [ "${LEG-native}" = asan ]; then
		finds leak 'ERROR: LeakSanitizer: .*; malloc at .* torn.c:'
	else
		run -0 torn leak
	fi
}

# bats test_tags=native
@test "the runner finds half a file and a leftover temporary file" {
	finds half 'to is incomplete; '
	finds left 'left behind: to.new; '
}

# bats test_tags=native
@test "the runner finds an error that is not reported, or a wrong status" {
	finds silent 'status 0, but a file differs; write at .* torn.c:'
	finds thread 'status 0, but a file differs; pthread_create at '
	finds mute 'status 1, no message; '
	finds verdict 'reported as a verdict; '
	finds usage 'reported as wrong usage; '
	finds odd 'status 77; '
}

# bats test_tags=native
@test "a case that fails without an injected failure is reported" {
	echo 'torn/none -- sound $F/nothing to' >"$BATS_TEST_TMPDIR/cases"
	run -1 env CASES=$BATS_TEST_TMPDIR/cases tests/faults/torture "$B"
	[[ $output == *"torn/none: status 1 without any failure"* ]]
}

# failing CALL N COMMAND...: runs the command and lets the Nth call of CALL
# fail; N+ lets all calls from the Nth on fail.
failing() {
	printf '\0\0\0\0\0\0\0\0' >"$BATS_TEST_TMPDIR/count"
	LD_PRELOAD=$B/tests/faults/inject.so TORTURE_TREE=$B \
	    TORTURE_COUNT=$BATS_TEST_TMPDIR/count \
	    TORTURE_LOG=$BATS_TEST_TMPDIR/log TORTURE_ONLY=$1 TORTURE_FAIL=$2 \
	    ASAN_OPTIONS=${ASAN_OPTIONS:-}:verify_asan_link_order=0 "${@:3}"
}

# bats test_tags=native
@test "a program ends if it cannot occupy a closed descriptor" {
	cd "$BATS_TEST_TMPDIR"
	# The C library decides under which name open() is called.
	call=open
	nm -D "$B/bin/npu-info" >names
	! grep -q ' __open_2@' names || call=__open_2
	for fd in 0 1 2; do
		st=0
		(
			eval "exec $fd>&-"
			failing $call 1 npu-info --help
		) >out 2>err || st=$?
		[ $st -eq 1 ]
		[ ! -s out ]
		[ ! -s err ]
	done
	[ "$(cut -d ' ' -f 2 log | uniq -c | xargs)" = "3 $call" ]
	(exec <&-; failing $call 9 npu-info --help) >out
	[ -s out ]
}

# bats test_tags=native
@test "a state file that is never the locked file is refused as in use" {
	cd "$BATS_TEST_TMPDIR"
	run -1 failing stat 1+ vec-drift --state=s </dev/null
	[ "$output" = "vec-drift: s: another process uses it" ]
	run -0 failing stat 1 vec-drift --state=s </dev/null
}

# all CASE [OPTION...]: lets each call of a case in tests/faults/cases fail in
# turn, with the fixtures of the tree.
all() {
	unset FIXTURES
	tests/faults/torture "${@:2}" "$B" "$1"
}

# bats test_tags=native
@test "npu-dequant prints its error message, whichever call fails" {
	all npu-dequant/refuses
}

# bats test_tags=native
@test "a temporary file is removed, whichever later call fails" {
	all npu-dequant/label
}

# bats test_tags=native
@test "a folder that cannot be read to its end is reported" {
	all img-tensor/folder
}

# bats test_tags=native
@test "lack of memory for a picture of a stream is reported" {
	all yolo-detect/newest -k realloc
}

# bats test_tags=native
@test "npu-bench ends when it can no longer read from a process" {
	all npu-bench/measures -k read
}

# bats test_tags=native
@test "lack of memory for a report is reported" {
	all npu-bench/measures -k realloc
}

# bats test_tags=native
@test "a model that cannot be opened for lack of a descriptor is reported" {
	# Also in the emulator, which called abort() in an earlier version.
	all npu-run/frames -k open
}

# bats test_tags=native
@test "lack of memory for a twin is reported" {
	all npu-run/real -k calloc
}

# bats test_tags=native
@test "npu-bench fails if it cannot examine the library or the model" {
	all npu-bench/saves -k strdup
	all npu-bench/saves -k open
	all npu-bench/saves -k dlopen
}

# bats test_tags=native
@test "failures of device calls that the emulator cannot fake are reported" {
	all npu-run/in-flight -k noe_get_tensor_count
	all npu-run/in-flight -k noe_get_tensor_descriptor
}

# --help prints its options in a loop, and then ends like all programs.
# bats test_tags=native
@test "torture -u lets each place in the code fail only once" {
	run -0 tests/faults/torture -u "$B" host-status/help
	[[ $output =~ \ ([0-9]+)\ calls\ .*\ ([0-9]+)\ runs ]]
	[ "${BASH_REMATCH[1]}" -gt 100 ]
	[ "${BASH_REMATCH[2]}" -gt 5 ]
	[ "${BASH_REMATCH[2]}" -lt 100 ]
}

# drawn SEED: prints a random case of each program.
drawn() {
	grep -E '^[a-z-]+/' tests/faults/cases | grep -vE "/help|not=calls" |
	    shuffled "$1" | awk -F/ '!seen[$1]++'
}

@test "each program survives a random failure of each kind; SEED=N varies" {
	unset FIXTURES
	drawn "${SEED:-1}" >"$BATS_TEST_TMPDIR/cases"
	[ "$(wc -l <"$BATS_TEST_TMPDIR/cases")" -ge 20 ]
	# Discard the numbers of each case: the findings are on stderr.
	CASES=$BATS_TEST_TMPDIR/cases tests/faults/torture -n 1 \
	    -s "${SEED:-1}" "$B" >/dev/null
}

# bats test_tags=native
@test "every program has three cases: normal work, a refusal, and --help" {
	for p in "$B"/bin/*; do
		# The calls of a script are made by the shell, not by our code.
		[ "$(head -c 2 "$p")" != '#!' ] || continue
		p=${p##*/}
		grep -q "^$p/refuses	" tests/faults/cases
		grep -q "^$p/help	" tests/faults/cases
		[ "$(grep -c "^$p/" tests/faults/cases)" -ge 3 ]
	done
}

# known LIST FILE...: fails unless the list has each name that the files import.
known() {
	for f in "${@:2}"; do
		[ "$(head -c 4 "$f")" = $'\x7fELF' ] || continue
		nm -D --undefined-only "$f"
	done | awk '{ sub(/@.*/, "", $NF); print $NF }' | sort -u >imported
	[ -s imported ]
	comm -23 imported "$1" >unknown
	cat unknown
	[ ! -s unknown ]
}

# bats test_tags=native
@test "each imported function is made to fail, or known not to fail" {
	cd "$BATS_TEST_TMPDIR"
	{
		nm -D --defined-only "$B/tests/faults/inject.so" |
		    awk '{ print $3 }'
		grep -v '^#' "$TOP/tests/faults/infallible" | tr ' ' '\n'
	} | sort -u >names
	known names "$B"/bin/* "$B"/lib/npu-utils/lib{noe,xdna}-emu.so \
	    "$B"/lib/npu-utils/noe3/*
	# Without a name, the test fails: torn calls open(), which inject.c can
	# let fail.
	grep -v '^open$' names >fewer
	run -1 known fewer "$B/tests/tools/torn"
	[ "$output" = open ]
}
