# SPDX-License-Identifier: Apache-2.0
# libnoe-emu.so and ONNX Runtime: where it is found, each of its functions
# that may fail, and answers that it never gives: oddort.c.

load ../support/helper

EMU=$B/lib/npu-utils

setup() {
	RUNTIME=${NPU_ORT:-$EMU/libonnxruntime.so.1}
	[ -e "$RUNTIME" ] || RUNTIME=libonnxruntime.so.1
	export ODDORT_REAL=$RUNTIME
	cix-pack -I :f32:4 -O :f32:4 >m.cix
	mkonnx Neg f32:1x4 : f32:1x4 >m.onnx
	f32 1 2 3 4 >in
}

# noe ARGUMENT...: a program of the vendor's API on the emulator.
noe() {
	LD_LIBRARY_PATH=$EMU/noe${ALSO:+:$ALSO} "$B/tests/tools/noerun" "$@"
}

# odd NAME=VALUE: on the odd runtime, with this knob.
odd() {
	env "$1" NPU_ORT="$B/tests/tools/oddort.so" \
	    LD_LIBRARY_PATH="$EMU/noe" "$B/tests/tools/noerun" m.cix
}

# The first line from the emulator: the runtime prints lines of its own.
first() {
	grep '^libnoe-emu: ' <<<"$stderr" | head -n 1
}

@test "without settings the odd runtime behaves as the real one" {
	odd A=b <in >out
	[ "$(floats out)" = "-1 -2 -3 -4" ]
}

# bats test_tags=slow
@test "each runtime call that fails while a twin is loaded is reported" {
	for slot in 3 8 10 23 24 25 30 31 33 34 36 37 55 60 61 62 69 78 130; do
		echo "slot $slot"
		run --separate-stderr -9 odd ODDORT_FAIL=$slot <in
		[[ $(first) == *"ONNX Runtime: odd: one line  and another" ]]
		[ "$output" = "" ]
	done
	mkonnx Add f32:1x4 f32:1x4@in : f32:1x4 >m.onnx
	odd A=b <in >out
	[ "$(floats out)" = "2 4 6 8" ]
	run --separate-stderr -9 odd ODDORT_FAIL=7 <in
	[[ $(first) == *"ONNX Runtime: odd: one line  and another" ]]
}

# bats test_tags=slow
@test "each runtime call that fails while a twin runs ends the job" {
	for slot in 9 39 49 51 64 65; do
		echo "slot $slot"
		run --separate-stderr -17 odd ODDORT_FAIL=$slot <in
		[[ $(first) == *"ONNX Runtime: odd: one line  and another; the job ends in an exception" ]]
	done
	# A failure to free something is no reason to fail.
	odd ODDORT_FAIL=76 <in >out
	[ "$(floats out)" = "-1 -2 -3 -4" ]
}

# bats test_tags=slow
@test "a run that cannot be stopped goes on to its end" {
	cix-pack -I :f32:262144 -O :f32:262144 >m.cix
	mkonnx Loop:20 f32:512x512 : f32:512x512 >m.onnx
	head -c 1048576 /dev/zero >in
	ODDORT_BEGIN_MS=300 ODDORT_FAIL=46 NPU_ORT=$B/tests/tools/oddort.so \
	    run --separate-stderr -35 noe -t 100 m.cix <in
	# One that was stopped before it began does not begin.
	mkonnx Loop:2000 f32:512x512 : f32:512x512 >m.onnx
	ODDORT_BEGIN_MS=300 NPU_ORT=$B/tests/tools/oddort.so \
	    run --separate-stderr -35 noe -t 100 m.cix <in
}

# bats test_tags=slow
@test "types, dimensions and numbers of ports that no twin has" {
	run --separate-stderr -19 odd ODDORT_NO=tensor <in
	[[ $(first) == *"the twin's 'in0' is not a tensor of numbers (ONNX type 0)" ]]
	# 8: strings; 99 is none.
	for type in 8 99; do
		run --separate-stderr -19 odd ODDORT_TYPE=$type <in
		[[ $(first) == *"is not a tensor of numbers (ONNX type $type)" ]]
	done
	run --separate-stderr -9 odd ODDORT_PORTS=257 <in
	[[ $(first) == *"257 inputs, and 256 is the most" ]]
	run --separate-stderr -9 odd ODDORT_OUTPUTS=257 <in
	[[ $(first) == *"257 outputs, and 256 is the most" ]]
	mkonnx Neg f32:1x1x1x1x1x1x1x1x4 : f32:1x1x1x1x1x1x1x1x4 >m.onnx
	run --separate-stderr -19 noe m.cix <in
	[[ $(first) == *"is not a tensor of numbers (ONNX type 1)" ]]
}

# bats test_tags=slow
@test "a twin larger than any tensor, or of other outputs" {
	mkonnx Neg f32:5000000000x1 : f32:5000000000x1 >m.onnx
	run --separate-stderr -21 noe m.cix <in
	[[ $(first) == *"the twin's 'in0' is larger than any tensor" ]]
	mkonnx Neg f32:65536x65536 : f32:65536x65536 >m.onnx
	run --separate-stderr -21 noe m.cix <in
	[[ $(first) == *"the twin's 'in0' is larger than any tensor" ]]
	mkonnx Neg f32:1x4 : f32:1x4 f32:1x4 >m.onnx
	run --separate-stderr -34 noe m.cix <in
	[[ $(first) == *"has 1 inputs and 2 outputs, but the model 1 and 1"* ]]
	cix-pack -I :f32:4 -O :f32:5 >m.cix
	mkonnx Neg f32:1x4 : f32:1x4 >m.onnx
	run --separate-stderr -21 noe m.cix <in
	[[ $(first) == *"output 0 does not fit its twin"*"5 elements, but 4 in the twin's 'out0'" ]]
}

# bats test_tags=slow
@test "a runtime without a base or a table is called too old or too new" {
	run --separate-stderr -3 odd ODDORT_NO=base <in
	[[ $(first) == *"ONNX Runtime  has no API version 11; use 1.17 to 1.30" ]]
	run --separate-stderr -3 odd ODDORT_NO=api <in
	[[ $(first) == *"ONNX Runtime 0.0-odd has no API version 11; use 1.17 to 1.30" ]]
}

# bats test_tags=slow
@test "the runtime is looked for beside the emulator, then by its names" {
	mkdir alone sys
	cp "$EMU/noe/libnoe.so" alone
	EMU_ALONE=$PWD/alone
	seek() {
		ODDORT_NO=$1 LD_LIBRARY_PATH=$EMU_ALONE:$PWD/sys \
		    "$B/tests/tools/noerun" m.cix <in
	}
	# By each name that the loader is asked for, the last first.
	for name in so.1.17 so.1.30 so so.1; do
		cp "$B/tests/tools/oddort.so" sys/libonnxruntime.$name
		run --separate-stderr -3 seek base
		[[ $(first) == *"ONNX Runtime  has no API"* ]]
		run --separate-stderr -3 seek api
		[[ $(first) == *"ONNX Runtime 0.0-odd has no API"* ]]
		[ "$name" = so.1 ] || rm sys/*
	done
	# Beside it, and one folder up; a file that is no runtime is skipped.
	cp /bin/true libonnxruntime.so.1
	run --separate-stderr -3 seek base
	[[ $(first) == *"ONNX Runtime  has no API"* ]]
	rm sys/*
	run --separate-stderr -3 seek base
	[[ $(first) == *"ONNX Runtime was not found ("*"/alone/../libonnxruntime.so.1"* ]]
	cp "$B/tests/tools/oddort.so" alone/libonnxruntime.so.1
	run --separate-stderr -3 seek base
	[[ $(first) == *"ONNX Runtime  has no API"* ]]
	# An empty name counts as none.
	NPU_ORT='' run --separate-stderr -3 seek base
	[[ $(first) == *"ONNX Runtime  has no API"* ]]
}
