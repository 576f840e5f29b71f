#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# A drawn part of `make environment` and `make kills`: bad environments of each
# program, and its death at any point; and that their runners find faults.
# They need limits of memory and the programs of this machine, and kill them.
# bats file_tags=native,slow

load ../support/helper

setup() {
	cd "$TOP" || return
}

# torn HOW COMMAND...: by the runner, with tests/tools/torn.c alone.
torn() {
	local at=$BATS_TEST_TMPDIR
	echo "torn/$1 out=to -- $1 \$F/from to" >"$at/cases"
	printf '#!/bin/sh\nprintf 1234567 >from\n' >"$at/fixtures"
	chmod +x "$at/fixtures"
	FIXTURES=$at/fixtures CASES=$at/cases "${@:2}"
}

# finds HOW TEXT: with no file writable, there must be just this finding.
finds() {
	run -1 torn "$1" tests/faults/environment "$B" '*' file-size-ignored
	echo "$output"
	grep -q "^torn/$1 file-size-ignored: " <<<"$output"
	grep "^torn/$1 file" <<<"$output" >"$BATS_TEST_TMPDIR/these"
	run -1 grep -v "ignored: $2" "$BATS_TEST_TMPDIR/these"
}

@test "faults are found: half a file, a leftover part" {
	run -0 torn sound tests/faults/environment "$B" '*' file-size-ignored
	finds half 'half of to'
	finds left 'left behind: to.new'
}

@test "faults are found: an error not reported, or reported as another" {
	finds silent 'status 0 and another to'
	finds mute 'status 1, no message'
	finds verdict 'taken for a verdict'
	finds usage 'taken for wrong usage'
	finds odd 'status 77: '
}

@test "faults are found: a file written in place by a program that is killed" {
	run -1 torn half tests/faults/kills -n 8 "$B"
	echo "$output"
	[[ $output == *"torn/half "[0-9]*": half of to"* ]]
}

@test "a drawn environment of each program: SEED=N for others" {
	tests/faults/environment -1 -n 1 -s "${SEED:-1}" "$B"
}

@test "a few kills of each program that writes a file: SEED=N for others" {
	tests/faults/kills -1 -n 2 -s "${SEED:-1}" "$B"
}

@test "and the same by SIGTERM, which programs can handle" {
	tests/faults/kills -t -1 -n 4 -s "${SEED:-1}" "$B"
}

@test "no descriptor that was closed becomes another file" {
	tests/faults/environment "$B" 'npu-quant/npy' 'closed-*'
}
