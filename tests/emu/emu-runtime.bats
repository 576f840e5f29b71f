# SPDX-License-Identifier: Apache-2.0
# libnoe-emu.so and ONNX Runtime: where the emulator finds it, what happens if
# one of its functions fails, and answers that it never gives itself, but
# tests/tools/oddort.c does.

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

# noe ARGUMENT...: runs a program of the vendor's API on the emulator.
noe() {
	LD_LIBRARY_PATH=$EMU/noe${ALSO:+:$ALSO} "$B/tests/tools/noerun" "$@"
}

# odd NAME=VALUE: runs the program on the odd runtime, with this setting.
odd() {
	env "$1" NPU_ORT="$B/tests/tools/oddort.so" \
	    LD_LIBRARY_PATH="$EMU/noe" "$B/tests/tools/noerun" m.cix
}

# first: prints the first line from the emulator; the runtime prints others.
first() {
	grep '^libnoe-emu: ' <<<"$stderr" | head -n 1
}

@test "without settings, the odd runtime behaves like the real one" {
	odd A=b <in >out
	[ "$(floats out)" = "-1 -2 -3 -4" ]
}

# bats test_tags=slow
@test "each runtime call that fails while a twin is loaded is reported" {
	for slot in 4 8 10 23 24 25 30 31 33 34 36 37 55 60 61 62 69 78 130; do
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
	# If only freeing fails, the job succeeds.
	odd ODDORT_FAIL=76 <in >out
	[ "$(floats out)" = "-1 -2 -3 -4" ]
}

# bats test_tags=slow
@test "a run that cannot be stopped continues to its end after a timeout" {
	cix-pack -I :f32:262144 -O :f32:262144 >m.cix
	mkonnx Loop:20 f32:512x512 : f32:512x512 >m.onnx
	head -c 1048576 /dev/zero >in
	ODDORT_BEGIN_MS=300 ODDORT_FAIL=46 NPU_ORT=$B/tests/tools/oddort.so \
	    run --separate-stderr -35 noe -t 100 m.cix <in
	# A run that was stopped before it began does not begin.
	mkonnx Loop:2000 f32:512x512 : f32:512x512 >m.onnx
	ODDORT_BEGIN_MS=300 NPU_ORT=$B/tests/tools/oddort.so \
	    run --separate-stderr -35 noe -t 100 m.cix <in
}

# bats test_tags=slow
@test "types, dimensions and port counts that no twin has are refused" {
	run --separate-stderr -19 odd ODDORT_NO=tensor <in
	[[ $(first) == *"the twin's 'in0' is not a tensor of numbers (ONNX type 0)" ]]
	# ONNX type 8 is strings; 99 does not exist.
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
@test "a twin with a huge tensor or with other outputs is refused" {
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
@test "a runtime without a base or an API table is reported as unusable" {
	run --separate-stderr -3 odd ODDORT_NO=base <in
	[[ $(first) == *"ONNX Runtime  has no API version 11; use 1.17 to 1.30" ]]
	run --separate-stderr -3 odd ODDORT_NO=api <in
	[[ $(first) == *"ONNX Runtime 0.0-odd has no API version 11; use 1.17 to 1.30" ]]
}

# bats test_tags=slow
@test "the runtime is searched beside the emulator, then by its names" {
	mkdir alone sys
	cp "$EMU/noe/libnoe.so" alone
	EMU_ALONE=$PWD/alone
	seek() {
		ODDORT_NO=$1 LD_LIBRARY_PATH=$EMU_ALONE:$PWD/sys \
		    "$B/tests/tools/noerun" m.cix <in
	}
	# By each name for which the loader is asked, the last name first.
	for name in so.1.17 so.1.30 so so.1; do
		cp "$B/tests/tools/oddort.so" sys/libonnxruntime.$name
		run --separate-stderr -3 seek base
		[[ $(first) == *"ONNX Runtime  has no API"* ]]
		run --separate-stderr -3 seek api
		[[ $(first) == *"ONNX Runtime 0.0-odd has no API"* ]]
		[ "$name" = so.1 ] || rm sys/*
	done
	# Beside the emulator and one folder up; a file that is not a runtime is
	# skipped.
	cp /bin/true libonnxruntime.so.1
	run --separate-stderr -3 seek base
	[[ $(first) == *"ONNX Runtime  has no API"* ]]
	rm sys/*
	run --separate-stderr -3 seek base
	[[ $(first) == *"ONNX Runtime was not found ("*"/alone/../libonnxruntime.so.1"* ]]
	cp "$B/tests/tools/oddort.so" alone/libonnxruntime.so.1
	run --separate-stderr -3 seek base
	[[ $(first) == *"ONNX Runtime  has no API"* ]]
	# An empty name is treated as not set.
	NPU_ORT='' run --separate-stderr -3 seek base
	[[ $(first) == *"ONNX Runtime  has no API"* ]]
}
