#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# A few drawn failures of each case of `make torture`, and that its runner finds
# what is wrong: tests/tools/torn.c is wrong in every way that it knows.
# Under qemu nothing can be loaded before the programs.
# bats file_tags=no-arm64,slow

load ../support/helper

setup() {
	export FIXTURES=$PWD/fixtures
	printf '#!/bin/sh\nprintf 1234567 >from\n' >fixtures
	chmod +x fixtures
	cd "$TOP" || return
}

# torn HOW: what the runner says of it, all calls failed in turn.  Only what
# hangs is not given the time that a sanitizer's report may take.
torn() {
	time=60
	[ "$1" != hang ] || time=5
	echo "torn/$1 out=to -- $1 \$F/from to" >"$BATS_TEST_TMPDIR/cases"
	tests/torture/run -c "$BATS_TEST_TMPDIR/cases" -t $time "$B"
}

# finds HOW TEXT: that there is just this, status 1.
finds() {
	run -1 torn "$1"
	echo "$output"
	grep -q "^torn/$1 [0-9]*: " <<<"$output"
	! grep "^torn/$1 [0-9]*: " <<<"$output" | grep -v ": $2"
}

# A counted program makes calls of its own.
# bats test_tags=no-coverage
@test "every call of ours is counted, and no other" {
	# torn.c, by hand: two of memory; from and to are opened, 7 bytes and
	# the end are read, ...
	run -0 torn sound
	[ "$output" = "torn/sound                    10 calls    0 faults\
    10 runs   0 findings  read:2 open:2 malloc:2 close:2 write:1 rename:1
1 cases, 10 calls, 0 faults of the emulator, 10 runs
nothing found" ]
}

@test "what is wrong is found: a crash, a hang" {
	if [ "${LEG-native}" = asan ]; then
		finds crash 'runtime error: null pointer .*; malloc at .* torn.c:'
	else
		finds crash 'status 139; malloc at .* torn.c:'
	fi
	finds hang 'no end within 5 s; malloc at .* torn.c:'
}

@test "what is wrong is found: a leak, which only a sanitizer sees" {
	if [ "${LEG-native}" = asan ]; then
		finds leak 'ERROR: LeakSanitizer: .*; malloc at .* torn.c:'
	else
		run -0 torn leak
	fi
}

@test "what is wrong is found: half a file, a part that is left" {
	finds half 'half of to; '
	finds left 'left behind: to.new; '
}

@test "what is wrong is found: what is not told, or told as something else" {
	finds silent 'status 0 and another file; write at .* torn.c:'
	finds thread 'status 0 and another file; pthread_create at '
	finds mute 'status 1, no message; '
	finds verdict 'taken for a verdict; '
	finds usage 'taken for wrong usage; '
	finds odd 'status 77; '
}

@test "what is not the same in two runs, or does not succeed, is no case" {
	echo 'torn/none -- sound $F/nothing to' >"$BATS_TEST_TMPDIR/cases"
	run -1 tests/torture/run -c "$BATS_TEST_TMPDIR/cases" "$B"
	[[ $output == *"torn/none: status 1 without any failure"* ]]
}

# failing CALL N COMMAND...: with its Nth call of that name failed, or with N+
# all from there on.
failing() {
	printf '\0\0\0\0\0\0\0\0' >"$BATS_TEST_TMPDIR/count"
	LD_PRELOAD=$B/tests/torture/inject.so TORTURE_TREE=$B \
	    TORTURE_COUNT=$BATS_TEST_TMPDIR/count \
	    TORTURE_LOG=$BATS_TEST_TMPDIR/log TORTURE_ONLY=$1 TORTURE_FAIL=$2 \
	    ASAN_OPTIONS=${ASAN_OPTIONS:-}:verify_asan_link_order=0 "${@:3}"
}

@test "a closed descriptor that cannot be filled ends a program" {
	cd "$BATS_TEST_TMPDIR"
	# By which name it is called is the C library's choice.
	call=open
	! nm -D "$B/bin/npu-info" | grep -q ' __open_2@' || call=__open_2
	for fd in 0 1 2; do
		st=0
		(
			eval "exec $fd>&-"
			failing $call 1 npu-info --help
		) >out 2>err || st=$?
		[ $st -eq 1 ] && [ ! -s out ] && [ ! -s err ]
	done
	[ "$(cut -d ' ' -f 2 log | uniq -c | xargs)" = "3 $call" ]
	(exec <&-; failing $call 9 npu-info --help) >out
	[ -s out ]
}

@test "a state that never is the file that was locked is another's" {
	cd "$BATS_TEST_TMPDIR"
	run -1 failing stat 1+ vec-drift --state=s </dev/null
	[ "$output" = "vec-drift: s: another process uses it" ]
	run -0 failing stat 1 vec-drift --state=s </dev/null
}

# all CASE [OPTION...]: each failure of it, with the programs.
all() {
	unset FIXTURES
	tests/torture/run "${@:2}" "$B" "$1"
}

@test "a message where there is no memory for it" {
	all npu-dequant/refuses
}

@test "a temporary file is removed whatever fails after it was made" {
	all npu-dequant/label
}

@test "a folder that cannot be read to its end is told" {
	all img-tensor/folder
}

@test "a picture of a stream that there is no memory for is told" {
	all yolo-detect/newest -k realloc
}

@test "npu-bench ends when it can no longer hear a process" {
	all npu-bench/measures -k read
}

@test "a report that there was no memory for is told" {
	all npu-bench/measures -k realloc
}

@test "a model that cannot be opened for want of a descriptor is told" {
	# The emulator's, too, which aborted.
	all npu-run/frames -k open
}

@test "a twin that there is no memory for is told" {
	all npu-run/real -k calloc
}

@test "npu-bench does not report a library or model that it could not ask" {
	all npu-bench/saves -k strdup
	all npu-bench/saves -k open
	all npu-bench/saves -k dlopen
}

@test "a call of the device that has no fault of the emulator" {
	all npu-run/in-flight -k noe_get_tensor_count
	all npu-run/in-flight -k noe_get_tensor_descriptor
}

# --help prints its options in a loop, and then ends as all do.
@test "each place once: printf() once, fclose() once" {
	run -0 tests/torture/run -u "$B" host-status/help
	[[ $output =~ \ ([0-9]+)\ calls\ .*\ ([0-9]+)\ runs ]]
	[ "${BASH_REMATCH[1]}" -gt 100 ]
	[ "${BASH_REMATCH[2]}" -gt 5 ]
	[ "${BASH_REMATCH[2]}" -lt 100 ]
}

@test "a drawn failure of each kind in each case: SEED=N for others" {
	unset FIXTURES
	tests/torture/run -n 1 -s "${SEED:-1}" "$B"
}

@test "every program has a case: what it does, what it refuses, --help" {
	for p in "$B"/bin/*; do
		# A script is the shell's business.
		[ "$(head -c 2 "$p")" != '#!' ] || continue
		p=${p##*/}
		grep -q "^$p/refuses	" tests/torture/cases
		grep -q "^$p/help	" tests/torture/cases
		[ "$(grep -c "^$p/" tests/torture/cases)" -ge 3 ]
	done
}

# known LIST FILE...: that a list has each name that the files import.
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

# bats test_tags=native,no-coverage
@test "each function that a program imports is failed, or known not to fail" {
	cd "$BATS_TEST_TMPDIR"
	{
		nm -D --defined-only "$B/tests/torture/inject.so" |
		    awk '{ print $3 }'
		grep -v '^#' "$TOP/tests/torture/infallible" | tr ' ' '\n'
	} | sort -u >names
	known names "$B"/bin/* "$B"/lib/npu-utils/libnoe-emu.so \
	    "$B"/lib/npu-utils/noe3/*
	# One that is not there is missed: torn opens, which inject.c fails.
	grep -v '^open$' names >fewer
	run -1 known fewer "$B/tests/tools/torn"
	[ "$output" = open ]
}
