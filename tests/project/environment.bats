#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# A random part of `make environment` and `make kills`: each program runs in bad
# environments, and is killed at random times.  Other tests show that the
# runners of both find faults.  All tests need memory limits and programs of
# this machine, and kill these programs.
# bats file_tags=native,slow

load ../support/helper

setup() {
	cd "$TOP" || return
}

# torn HOW COMMAND...: runs COMMAND, a runner, with tests/tools/torn.c as the
# only case.
torn() {
	local at=$BATS_TEST_TMPDIR
	echo "torn/$1 out=to -- $1 \$F/from to" >"$at/cases"
	printf '#!/bin/sh\nprintf 1234567 >from\n' >"$at/fixtures"
	chmod +x "$at/fixtures"
	FIXTURES=$at/fixtures CASES=$at/cases "${@:2}"
}

# finds HOW TEXT: when no file can be written, TEXT must be the only finding.
finds() {
	run -1 torn "$1" tests/faults/environment "$B" '*' file-size-ignored
	echo "$output"
	grep -q "^torn/$1 file-size-ignored: " <<<"$output"
	grep "^torn/$1 file" <<<"$output" >"$BATS_TEST_TMPDIR/these"
	run -1 grep -v "ignored: $2" "$BATS_TEST_TMPDIR/these"
}

@test "environment finds half a file and a leftover temporary file" {
	run -0 torn sound tests/faults/environment "$B" '*' file-size-ignored
	finds half 'to is incomplete'
	finds left 'left behind: to.new'
}

@test "environment finds an error that is not reported, or a wrong status" {
	finds silent 'status 0, but to differs'
	finds mute 'status 1, no message'
	finds verdict 'reported as a verdict'
	finds usage 'reported as wrong usage'
	finds odd 'status 77: '
}

@test "kills finds a file that a killed program wrote in place" {
	run -1 torn half tests/faults/kills -n 8 "$B"
	echo "$output"
	[[ $output == *"torn/half "[0-9]*": to is incomplete"* ]]
}

@test "each program survives a random bad environment; SEED=N for others" {
	tests/faults/environment -1 -n 1 -s "${SEED:-1}" "$B"
}

@test "a program killed while it writes leaves no half file; SEED=N varies" {
	tests/faults/kills -1 -n 2 -s "${SEED:-1}" "$B"
}

@test "a program ended by SIGTERM while it writes leaves no half file" {
	tests/faults/kills -t -1 -n 4 -s "${SEED:-1}" "$B"
}

@test "the number of a closed descriptor is not used for another file" {
	tests/faults/environment "$B" 'npu-quant/npy' 'closed-*'
}
