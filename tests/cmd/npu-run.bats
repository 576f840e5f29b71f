#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# npu-run on the emulator, with models that mkcix makes.  With --op=xor, such a
# model repeats the bytes of the input and XORs each with 0x55.  With --op=fill,
# each byte of an output is the byte's index plus the output's index.

load ../support/helper
load ../support/xormodel

@test "-r reads and writes raw frames, one after the other" {
	printf 'abcdABCD' >in
	npu-run -r m.cix <in >out
	# 'a' is 0x61, and 0x61 ^ 0x55 = 0x34 = '4'
	[ "$(cat out)" = "4761$(printf '\024\027\026\021')" ]
}

@test "the output has a label with the model's type, shape and scale" {
	printf 'abcd' | npu-run m.cix >out
	run -0 npu-tensor out
	[[ $output == *"s8 [1,4] scale=20 zero_point=60"* ]]
	[ "$(stat -c %s out)" -eq 68 ]
}

@test "labelled, .npy and raw input give the same output" {
	printf 'abcdefgh' >raw
	npu-run -r m.cix <raw >want
	for i in 1 5; do
		tail -c +"$i" raw | head -c 4 >one
		label one s8 1,4 20 60 >>labelled
		label one s8 4 20 60 | npu-tensor -F npy >>npy
	done
	npu-run -r m.cix labelled >got
	cmp want got
	npu-run -r m.cix <npy >got
	cmp want got
}

# npy TYPE SHAPE: prints the header of a .npy array, padded to 128 bytes as
# numpy does.
npy() {
	printf '\223NUMPY\001\0\166\0%-117s\n' \
	    "{'descr': '$1', 'fortran_order': False, 'shape': $2, }"
}

# bats test_tags=slow
@test "an .npy array with a batch dimension of N gives N frames" {
	printf 'abcdefghijkl' >raw
	npu-run -r m.cix <raw >want
	for shape in '(3, 4)' '(3, 1, 4)'; do
		{ npy '|i1' "$shape"; cat raw; } >b.npy
		npu-run -r m.cix b.npy >got
		cmp want got
		npu-run -r -j 1 --input=b.npy m.cix >got
		cmp want got
		npu-run m.cix <b.npy >got
		run -0 npu-tensor got
		[ "${#lines[@]}" -eq 3 ]
		[[ ${lines[2]} == "3.0  s8 [1,4]"* ]]
	done
	# A second array, of one frame, may follow.
	{ npy '|i1' '(3, 4)'; cat raw; npy '|i1' '(4,)'; printf abcd; } >two
	cat raw <(printf abcd) | npu-run -r m.cix >want
	npu-run -r m.cix two >got
	cmp want got
	# The first dimension of the model's own input is not a batch.
	mkcix --in s8:2x2:20:60 --out s8:2x2:20:60 --op=xor >square.cix
	{ npy '|i1' '(3, 2, 2)'; cat raw; } >b.npy
	npu-run -r square.cix b.npy >got
	npu-run -r m.cix <raw | cmp - got
	for shape in '(6, 2)' '(3, 4)' '(3, 1, 2, 2)' '(12,)'; do
		{ npy '|i1' "$shape"; cat raw; } >b.npy
		run --separate-stderr -1 npu-run -r square.cix b.npy
		[ "$output" = "" ]
		[[ $stderr == *"b.npy: frame 1: wrong size of input 0"* ]]
	done
	{ npy '|i1' '(3, 4)'; printf 'abcdefghij'; } >cut.npy
	run --separate-stderr -1 npu-run -r m.cix cut.npy
	npu-run -r m.cix raw >want
	[ "$output" = "$(head -c 8 want)" ]
	[[ $stderr == *"cut.npy: frame 1, tensor 0: ends after 10 of 12 bytes" ]]
}

@test "--input takes an .npy array with a batch for each input" {
	mkcix --in s8:1x2 --in s8:2 --out s8:1x4 --op=xor >two.cix
	{ npy '|i1' '(2, 2)'; printf 'abef'; } >a.npy
	{ npy '|i1' '(2, 2)'; printf 'cdgh'; } >b.npy
	printf 'abcdefgh' | npu-run -r two.cix >want
	npu-run -r --input=a.npy --input=b.npy two.cix >got
	cmp want got
	{ npy '|i1' '(3, 2)'; printf 'cdghij'; } >b.npy
	run --separate-stderr -1 npu-run -r --input=a.npy --input=b.npy two.cix
	[[ $stderr == *"a.npy: ends after frame 2, but b.npy goes on" ]]
	# Without --input, the boundaries of the frames are ambiguous.
	run --separate-stderr -1 npu-run -r two.cix a.npy
	[[ $stderr == *"a.npy: frame 1: wrong size of input 0"* ]]
}

# bats test_tags=slow
@test "-F npy writes each output as an .npy array, one after the other" {
	printf 'abcdefgh' >in
	for i in 4761 "$(printf '\060\063\062\075')"; do
		npy '|i1' '(1, 4)'
		printf '%s' "$i"
	done >want
	run --separate-stderr -0 bash -c 'npu-run -F npy m.cix in >got'
	cmp <(tr -s ' ' <want) <(tr -s ' ' <got)
	[[ $stderr == *"scale 20 and zero point 60 are not kept in .npy" ]]
	npu-run -q -r m.cix in >want
	npu-run -q -F raw m.cix in | cmp - want
	npu-run -q m.cix in >want
	npu-run -q -F label m.cix in | cmp - want
	mkcix --in s8:4 --out bf16:2 --op=xor >b.cix
	run --separate-stderr -1 npu-run -q -F npy b.cix in
	[ "$output" = "" ]
	[[ $stderr == "npu-run: output 0: bf16 cannot be .npy; "* ]]
}

@test "several files are read as one stream; empty input gives no output" {
	printf 'abcd' >a
	printf 'efgh' >b
	npu-run -r m.cix a b >got
	cat a b | npu-run -r m.cix >want
	cmp want got
	run --separate-stderr -0 npu-run m.cix </dev/null
	[ "$output" = "" ]
}

@test "a wrong type is refused; the message has both types and a remedy" {
	f32 1 2 3 4 >f
	npu-tensor --add -t f32 --shape=1,4 f >in
	run --separate-stderr -1 npu-run m.cix in
	[ "$output" = "" ]
	[[ $stderr == "npu-run: in: frame 1: wrong type of input 0: it is f32 [1,4], 16 bytes, and the model wants s8 [1,4] scale=20 zero_point=60, 4 bytes; npu-quant -m MODEL makes it so" ]]
}

@test "--float: npu-dequant, which the message suggests, fixes the input" {
	printf abcd | npu-tensor -q -a -t s8 -s 20 -z 60 --shape=1,4 >in
	run --separate-stderr -1 npu-run --float m.cix in
	[[ $stderr == *"; npu-dequant converts it" ]]
	npu-dequant in | npu-run -q --float m.cix >got
	npu-run -q m.cix in | npu-dequant | cmp - got
}

@test "--library and --node refuse an empty name" {
	for o in --library= --node=; do
		run --separate-stderr -2 npu-run $o m.cix in
		[ "${stderr_lines[0]}" = "npu-run: ${o%=}: an empty name; \
a file has a name" ]
	done
}

# bats test_tags=slow
@test "for a picture in HWC order, the message suggests --layout=chw" {
	mkcix --in u8:1x3x2x4:255:0 --out u8:1 --op=xor >chw.cix
	for type in u8 f32; do
		head -c 96 /dev/zero | npu-tensor -a -t $type \
		    --shape=1,2,4,3 >in
		run --separate-stderr -1 npu-run chw.cix in
		[[ $stderr == *"; npu-tensor --layout=chw rearranges it" ]]
	done
}

# bats test_tags=slow
@test "an input with a wrong size, shape, scale or zero point is refused" {
	printf abcde >five
	label five s8 5 20 60 >in
	run --separate-stderr -1 npu-run m.cix in
	[[ $stderr == *"wrong size of input 0"*" 5 bytes"*" 4 bytes"* ]]
	printf abcd >four
	label four s8 2,2 20 60 >in
	run --separate-stderr -1 npu-run m.cix in
	[[ $stderr == *"wrong shape of input 0"*"[2,2]"*"[1,4]"* ]]
	label four s8 1,4 10 60 >in
	run --separate-stderr -1 npu-run m.cix in
	[[ $stderr == *"wrong scale of input 0"*"scale=10"*"scale=20"* ]]
	label four s8 1,4 20 0 >in
	run --separate-stderr -1 npu-run m.cix in
	[[ $stderr == *"wrong zero point of input 0"* ]]
	label four s8 1,1,4,1 20 60 >in
	npu-run m.cix in >out
}

# bats test_tags=slow
@test "for a picture, a gzip file or text, the message suggests a remedy" {
	local magic want

	while IFS=: read -r magic want; do
		printf "$magic" >in
		run --separate-stderr -1 npu-run m.cix in
		[ "$stderr" = "npu-run: in: $(stat -c %s in) bytes, not \
a whole number of frames of 4 bytes; frame 2 has $want" ]
	done <<-'end'
	\xff\xd8\xff\xe0\0\x10:2; a JPEG picture? see img-tensor(1)
	\x89PNG\r\n\x1a:3; a PNG picture? see img-tensor(1)
	P6\n4 4\n:3; a PPM picture? see img-tensor(1)
	\x1f\x8b\x08\0\0:1; a gzip file? unpack it
	\x1f\x8c\x08\0\0:1
	abcdefg:3
	end
	for text in bus 'b\t\r' 'b\n'; do
		printf "$text" >in
		run --separate-stderr -1 npu-run m.cix in
		[[ $stderr == *"frame 1 has "?"; text? see clip-tokenize(1)" ]]
	done
	for bytes in 'bu\0' 'bu\x80'; do
		printf "$bytes" >in
		run --separate-stderr -1 npu-run m.cix in
		[[ $stderr == *"frame 1 has 3" ]]
	done
}

@test "a cut last frame is an error after the whole frames were written" {
	printf 'abcdefghij' >in
	run -1 bash -c 'npu-run -r m.cix <in >out'
	[ "$output" = "npu-run: stdin: 10 bytes, not a whole number of frames of 4 bytes; frame 3 has 2" ]
	[ "$(stat -c %s out)" -eq 8 ]
	printf abcd >four
	label four s8 1,4 20 60 >one
	cat one one | head -c 100 >in
	run -1 bash -c 'npu-run -r m.cix <in >out'
	[[ $output == "npu-run: stdin: frame 2: "* ]]
	[ "$(stat -c %s out)" -eq 4 ]
}

@test "in a labelled stream, a frame without a label is refused" {
	printf abcd >four
	label four s8 1,4 20 60 >in
	head -c 64 /dev/zero >>in
	run --separate-stderr -1 npu-run m.cix in
	[[ $stderr == *"frame 2: no label where one must be"* ]]
}

# bats test_tags=slow
@test "several inputs and outputs are read and written in order" {
	mkcix --in s8:2 --in u8:3 --out s8:2 --out u8:1 --op=fill >two.cix
	printf 'abcde' | npu-run -r two.cix >out
	# fill: byte i of output o is i + o
	[ "$(bytes out)" = "0 1 1" ]
	printf 'abcde' | npu-run two.cix >out
	run -0 npu-tensor out
	[ "${#lines[@]}" -eq 2 ]
	printf 'abcdefgh' >in
	run -1 bash -c 'npu-run two.cix <in >out'
	[[ $output == *"8 bytes, not a whole number of frames of 5 bytes; frame 2 has 3" ]]
	printf 'abcdefg' >in
	run -1 bash -c 'npu-run two.cix <in >out'
	[ "$output" = "npu-run: stdin: frame 2 ends after 1 of 2 tensors" ]
	# A named file may have exactly the size of the first tensor because
	# each tensor has its own file.  Only then the message names --input.
	run -1 --separate-stderr npu-run -r two.cix in
	[ "$stderr" = "npu-run: in: frame 2 ends after 1 of 2 tensors" ]
	run -1 bash -c 'head -c 2 in | npu-run two.cix'
	[ "$output" = "npu-run: stdin: frame 1 ends after 1 of 2 tensors" ]
	printf 'ab' >in
	run -1 npu-run two.cix in
	[ "$output" = "npu-run: in: frame 1 ends after 1 of 2 tensors; --input \
gives each input a file" ]
}

# bats test_tags=slow
@test "a labelled frame needs one tensor for each input of the model" {
	mkcix --in s8:2 --in s8:2 --out s8:1 --op=fill >two.cix
	printf ab >ab
	label ab s8 1,2 1 0 >one
	run --separate-stderr -1 npu-run two.cix one
	[ "$stderr" = "npu-run: one: frame 1: tensor 0 of 1 where input 0 of 2 \
belongs; --input gives each input a file" ]
	npu-run -q --input=one --input=one two.cix >got
	npu-tensor -q --zip one one >both
	npu-run -q two.cix both >want
	cmp want got
	# --input helps neither with a cut frame nor with too many tensors.
	head -c 66 both >cut
	run --separate-stderr -1 npu-run two.cix cut
	[ "$stderr" = "npu-run: cut: frame 1 ends after 1 of 2 tensors" ]
	mkcix --in s8:2 --out s8:1 --op=fill >one.cix
	run --separate-stderr -1 npu-run one.cix both
	[ "$stderr" = \
	    "npu-run: both: frame 1: tensor 0 of 2 where input 0 of 1 belongs" ]
}

@test "--input takes an .npy file for each input" {
	mkcix --in s8:2 --in s8:2 --out s8:1 --op=fill >two.cix
	printf ab | npu-tensor -a -t s8 --shape=1,2 -F npy >a.npy
	run --separate-stderr -1 npu-run two.cix a.npy a.npy
	[ "$stderr" = "npu-run: a.npy: frame 1 ends after 1 of 2 tensors; --input \
gives each input a file" ]
	npu-run -q -r --input=a.npy --input=a.npy two.cix >got
	[ "$(stat -c %s got)" -eq 1 ]
}

@test "a model without inputs is refused" {
	# The input of 5 bytes becomes an intermediate result (kind 3).
	mkcix --in=s8:5 --out=s8:4 sound | perl -0777 -pe '
	    s/\Q${\pack "V4", 5, 0, 0, 3}\E/pack "V4", 5, 3, 0, 3/e' >none.cix
	printf abcde | npu-tensor --add -t s8 -F npy >in.npy
	run --separate-stderr -1 npu-run none.cix in.npy
	[[ $stderr == "npu-run: none.cix: has no input, so "* ]]
}

# bats test_tags=slow
@test "--input=FILE and --input=NUMBER=FILE give each input its own file" {
	mkcix --in s8:2 --in s8:3 --out s8:5 --op=fill >two.cix
	printf abcd >a
	printf 123456 >b
	npu-run -r --input=0=a --input=1=b two.cix >out
	[ "$(stat -c %s out)" -eq 10 ]
	run --separate-stderr -2 npu-run -r --input=b --input=0=a two.cix
	[[ $stderr == *"--input=0=a: input 0 has a file already"* ]]
	run --separate-stderr -1 npu-run -r --input=b --input=a two.cix
	[[ $stderr == *"a: 4 bytes, not a whole number of frames of 3"* ]]
	npu-run -r --input=1=b --input=a two.cix >out
	run --separate-stderr -2 npu-run --input=0=a two.cix
	[[ $stderr == *"input 1 "*"has no file"* ]]
	run --separate-stderr -2 npu-run --input=2=a two.cix
	[[ $stderr == *"no input is named '2'; the model's inputs are "* ]]
	run --separate-stderr -2 npu-run --input=0=a two.cix b
	[[ $stderr == *"an input comes from one place only"* ]]
	run --separate-stderr -2 npu-run --input=- --input=1=- two.cix
	[[ $stderr == *"--input=1=-: stdin is another input's already"* ]]
	printf 123 >b
	run --separate-stderr -1 npu-run -r --input=0=a --input=1=b two.cix
	[[ $stderr == *"b: ends after frame 1, but a goes on"* ]]
	printf 12 >a
	printf 123456 >b
	run --separate-stderr -1 npu-run -r --input=0=a --input=1=b two.cix
	[[ $stderr == *"a: ends after frame 1, but b goes on"* ]]
	run --separate-stderr -1 npu-run --input=none --input=1=b two.cix
	[ "$stderr" = "npu-run: none: No such file or directory" ]
	run --separate-stderr -2 npu-run --input=a --input=b --input=a two.cix
	[[ $stderr == *"--input=a: the model has 2 inputs"* ]]
	run --separate-stderr -2 npu-run --input==a --input=b two.cix
	[[ $stderr == *"--input==a: no input is named ''; the model's inputs are "* ]]
	# Text before '=' that is longer than any name belongs to the file name.
	printf -v long '%070d' 7
	cp a "$long=x"
	printf 123 >b
	npu-run -r --input="$long=x" --input=b two.cix >out
	[ "$(stat -c %s out)" -eq 5 ]
}

# bats test_tags=slow
@test "--input=NAME=FILE uses the names of the model's inputs" {
	mkonnx Sub f32:1x4 f32:1x4 : f32:1x4 >sub.onnx
	cix-pack -o sub.cix -I all:f32:1x4 -I some:f32:1x4 -O rest:f32:1x4 \
	    sub.onnx
	f32 5 6 7 8 >a
	f32 1 2 3 4 >b
	npu-run -r --input=some=b --input=all=a sub.cix >out
	[ "$(floats out)" = "4 4 4 4" ]
	run --separate-stderr -2 npu-run --input=none=b --input=all=a sub.cix
	[[ $stderr == *"--input=none=b: no input is named 'none'; the model's inputs are 'all', 'some'"* ]]
}

# bats test_tags=slow
@test "--dry-run shows inputs and outputs and runs nothing" {
	NPU_EMU_FAULT=infer:1:exception run --separate-stderr -0 \
	    npu-run --dry-run m.cix
	[[ ${lines[0]} == "input 0"*"s8 [1,4] scale=20 zero_point=60, 4 bytes" ]]
	[[ ${lines[1]} == "output 0"* ]]
	[[ ${lines[2]} == "runs on the emulator, "* ]]
	run -0 npu-run -q --dry-run -F json m.cix
	want='["npu-run-plan/1","m.cix",["input0","s8",[1,4],4,20,60],true]'
	[ "$(jq -c '[.schema, .model, (.inputs[0] | [.name, .type, .shape,
	    .bytes, .scale, .zero_point]), .emulator]' <<<"$output")" = \
	    "$want" ]
	[ "$(jq -r '.outputs[] | .index, .type' <<<"$output")" = $'0\ns8' ]
	# cix-pack -J reads this JSON.
	cix-pack -J <(echo "$output") -o again.cix
	npu-run -q --dry-run m.cix >want
	NPU_EMU_COMPUTE=none npu-run -q --dry-run again.cix | cmp - want
	run --separate-stderr -2 npu-run -F json m.cix
	[ "${stderr_lines[0]}" = "npu-run: --format=json is for --dry-run; label,\
 npy or raw" ]
	run --separate-stderr -2 npu-run --dry-run -F npy m.cix
	[ "${stderr_lines[0]}" = "npu-run: --format=npy is for results, and\
 --dry-run has none; text or json" ]
	run --separate-stderr -1 npu-run -q --dry-run -F json none.cix
	[ "$(jq -c '[.schema, .error.status]' <<<"$output")" = \
	    '["npu-run-plan/1",1]' ]
	NPU_EMU_FAULT=create:1:nomem run --separate-stderr -1 \
	    npu-run -q --dry-run -F json -o plan m.cix
	jq -e '.error.message | contains("ERROR_BUF_ALLOC_FAIL")' plan
	[ "$output" = "" ]
	NPU_EMU_FAULT=create:1:nomem run --separate-stderr -1 \
	    npu-run --dry-run m.cix
	[[ $stderr == *"create_job: ERROR_BUF_ALLOC_FAIL (0x16): the device is out of memory"* ]]
}

@test "a model without names and shapes accepts any shape of the right size" {
	mkcix --in s8:1x4:20:60 --out s8:1x4:20:60 --op=xor \
	    sound-table-empty >bare.cix
	run -0 npu-run --dry-run bare.cix
	[ "${lines[0]}" = \
	    "input 0 input0: s8 [4] scale=20 zero_point=60, 4 bytes" ]
	printf abcd >four
	label four s8 2,2 20 60 >in
	npu-run -r bare.cix in >out
	[ "$(cat out)" = 4761 ]
	run --separate-stderr -2 npu-run --input=x=in bare.cix
	[[ $stderr == *"--input=x=in: no input is named 'x'; the model's input is 'input0'"* ]]
	run --separate-stderr -1 npu-run bare.cix ''
	[ "$stderr" = "npu-run: '': No such file or directory" ]
}

@test "a device that is full between two tensors of a frame is an error" {
	# A label and 65472 bytes fill the buffer; the next label does not fit.
	mkcix --in s8:4 --out s8:65472 --out s8:4 --op=fill >m.cix
	printf abcd >in
	# shellcheck disable=SC2016
	run -1 bash -c 'npu-run m.cix in 2>&1 >/dev/full'
	[ "$output" = "npu-run: write error: No space left on device" ]
}

@test "each kind of failed job has its own message" {
	printf abcd >in
	NPU_EMU_FAULT=infer:1:exception run --separate-stderr -1 \
	    npu-run m.cix in
	[[ $stderr == *"frame 1: job: ERROR_JOB_EXCEPTION (0x11): "* ]]
	NPU_EMU_FAULT=infer:1:schedule run --separate-stderr -1 \
	    npu-run m.cix in
	[[ $stderr == *"frame 1: job_infer: ERROR_JOB_DISPATCH_FAIL (0x37): "* ]]
	NPU_EMU_FAULT=infer:1:coredump run --separate-stderr -1 \
	    npu-run m.cix in
	[[ $stderr == *"frame 1: job: it ended in a core dump"* ]]
}

@test "frames before a failure are written; -k continues after the failure" {
	printf 'abcdefghijkl' >in
	NPU_EMU_FAULT=infer:2:exception run -1 \
	    bash -c 'npu-run -r m.cix in >out'
	[ "$(stat -c %s out)" -eq 4 ]
	NPU_EMU_FAULT=infer:2:exception run -1 \
	    bash -c 'npu-run -k -r m.cix in >out'
	[[ $output == *"frame 2: "* ]]
	[ "$(stat -c %s out)" -eq 8 ]
}

# bats test_tags=slow
@test "a lost device ends npu-run, even with -k, whichever call fails" {
	printf abcd >in
	head -c 40 /dev/zero >ten
	for fault in create infer status; do
		run --separate-stderr -3 env NPU_EMU_FAULT=$fault:1:nodevice \
		    npu-run -r m.cix in
		[ "$output" = "" ]
		[[ ${stderr_lines[-1]} == \
		    "npu-run: "*": the device is gone, "* ]]
		# No later frame can succeed, so -k does not try the rest.
		run --separate-stderr -3 env NPU_EMU_FAULT=$fault:2:nodevice \
		    npu-run -rk -j 1 m.cix ten
		[ "${#output}" -le 4 ]
		[ "$(grep -c '^npu-run: .*: frame' <<<"$stderr")" -eq 1 ]
		[[ ${stderr_lines[-1]} == \
		    "npu-run: "*": frame 2: the device is gone, "* ]]
	done
}

# bats test_tags=slow
@test "-T ends a job that takes too long with ERROR_TIMEOUT (0x23)" {
	printf abcd >in
	NPU_EMU_INFER_MS=3600000 run --separate-stderr -1 \
	    timeout 120 npu-run -T 300ms m.cix in
	[[ $stderr == *"no result after 0.3 s: job: ERROR_TIMEOUT (0x23): "*"raise the timeout"* ]]
	[[ $stderr != *"0x12"* ]]
	for t in 0 0s -1 -5ms 10x ''; do
		run --separate-stderr -2 npu-run -T "$t" m.cix in
	done
	NPU_EMU_INFER_MS=150 npu-run -T none -r m.cix in >out
	[ "$(stat -c %s out)" -eq 4 ]
}

# bats test_tags=slow
@test "-k waits for a late job before it runs the next frames" {
	printf 'abcdefgh' >in
	# Each of the next frames waits one second until the late job ends.
	NPU_EMU_FAULT=infer:1:delay=5000 run -1 \
	    bash -c 'npu-run -j 1 -k -T 200ms -r m.cix in in in in in in >out'
	[[ $output == *"frame 1: no result"* ]]
	[ -s out ]
	NPU_EMU_INFER_MS=3600000 run -1 timeout 120 \
	    bash -c 'npu-run -j 1 -k -T 200ms -r m.cix in >out'
	[[ $output == *"frame 2: an earlier inference that timed out still occupies the NPU"* ]]
}

# asleep PID: waits until all threads of PID sleep in ten checks in a row.
asleep() {
	local n=0
	for _ in $(seq 1200); do
		n=$((n + 1))
		[ "$(cat "/proc/$1"/task/*/stat 2>/dev/null |
		    sed 's/.*) \(.\) .*/\1/' | sort -u)" = S ] || n=0
		[ $n -lt 10 ] || return 0
		sleep 0.05
	done
	return 1
}

# bats test_tags=slow
@test "npu-run sleeps while it waits for a result" {
	printf abcd >in
	NPU_EMU_LOG=log NPU_EMU_FAULT=infer:1:delay=3600000 \
	    npu-run -T none -r m.cix in >out 3>&- &
	pid=$!
	for _ in $(seq 1200); do
		! grep -qs '^fault infer' log || break
		sleep 0.05
	done
	grep '^fault infer' log
	asleep $pid
	kill $pid
	status=0
	wait $pid || status=$?
	[ $status -eq 143 ]
}

@test "--reuse-job gives the same output, and makes new jobs after 0x23" {
	printf 'abcdefghijkl' >in
	npu-run -r m.cix in >want
	npu-run --reuse-job -r m.cix in >got
	cmp want got
	NPU_EMU_FAULT=infer:2:timeout run --separate-stderr -0 bash -c \
	    'npu-run -j 1 -T 300ms --reuse-job -r m.cix in >got'
	[[ $stderr == *"does not run a job twice (0x23): making a new one"* ]]
	cmp want got
	# This message comes after the note that the emulator is used.
	NPU_DEVICE=auto NPU_EMU_FAULT=infer:2:timeout \
	    run --separate-stderr -0 npu-run --jobs=1 --timeout=300ms \
	    --reuse-job --node=./none --output=got m.cix in
	[[ ${stderr_lines[0]} == *"no NPU here: "* ]]
	[[ ${stderr_lines[1]} == *"does not run a job twice (0x23): "* ]]
}

# bats test_tags=slow
@test "--times prints times on stderr, as text or as JSON" {
	printf 'abcdefgh' >in
	run --separate-stderr -0 npu-run --times -o out m.cix in
	[[ $stderr == "npu-run: 2 frames in "*" ms, none failed; mean times (ms): create "* ]]
	printf 'abcd' | npu-run --times -o out m.cix 2>said
	[[ $(<said) == "npu-run: 1 frame in "* ]]
	NPU_EMU_FAULT=infer:1:exception run --separate-stderr -1 \
	    npu-run -k --times -o out m.cix in
	[[ ${stderr_lines[-1]} == "npu-run: 1 frame in "*" ms, 1 failed; mean "* ]]
	run --separate-stderr -0 npu-run --times=json -o out m.cix in
	echo "$stderr" | jq -e '.schema == "npu-run-stats/1" and
	    .frames == 2 and .failed == 0 and .infer_mean_ms >= 0'
	run --separate-stderr -0 npu-run -v --times=json m.cix </dev/null
	echo "$stderr" | tail -n 1 |
	    jq -e '.frames == 0 and .infer_mean_ms == 0'
}

@test "a model packed for the emulator is refused before a device runs" {
	cix-pack --help >/dev/null
	mkcix --isa=15 --in s8:4 --out s8:4 >demo.cix
	# This library is not the emulator.  It has the fewest functions that
	# lib/device accepts, and each function crashes.
	for f in init_context deinit_context load_graph unload_graph \
	    get_tensor_count get_tensor_descriptor create_job clean_job \
	    load_tensor get_tensor job_infer_async get_job_status; do
		echo "int noe_$f(void){__builtin_trap();}"
	done >lib.c
	"${CC:-cc}" -shared -fPIC -o lib.so lib.c || skip "no compiler"
	: >node
	printf abcd >in
	NPU_DEVICE=auto run --separate-stderr -1 npu-run -L ./lib.so \
	    --node=./node demo.cix in
	[[ $stderr == "npu-run: demo.cix: packed for the emulator (-d emu), which no NPU can run: "* ]]
}

@test "a model for another target is refused with the name of that target" {
	mkcix --isa=3 --in s8:4 --out s8:4 >z3.cix
	run --separate-stderr -1 npu-run z3.cix
	[[ $stderr == *"z3.cix: the model was compiled for Z3_1204, and this NPU is an X2: "* ]]
}

# bats test_tags=slow
@test "a file that is not a model is refused with its name and status 1" {
	printf abcd >in
	mkdir dir.cix
	run --separate-stderr -1 npu-run ./dir.cix in
	[[ $stderr == "npu-run: ./dir.cix: is a directory, not a model" ]]
	mkfifo p.cix
	run --separate-stderr -1 npu-run ./p.cix in
	[[ $stderr == "npu-run: ./p.cix: is not a regular file"* ]]
	run --separate-stderr -1 npu-run nothere.cix in
	[[ $stderr == "npu-run: nothere.cix: no such model in the working directory"* ]]
	run --separate-stderr -1 npu-run '' in
	[ "$stderr" = "npu-run: '': the name of a model is empty" ]
	truncate -s 5G large.cix
	run --separate-stderr -1 npu-run large.cix in
	[ "$stderr" = "npu-run: large.cix: 5368709120 bytes, more than 4294967296, \
which is the limit here" ]
	run --separate-stderr -1 npu-run ./nothere.cix in
	[[ $stderr == "npu-run: ./nothere.cix: No such file or directory" ]]
}

# in_init: starts npu-run in the background.  It waits in its initialisation
# until something reads its log, which is a named pipe.
in_init() {
	[ -p log ] || mkfifo log
	NPU_EMU_LOG=log npu-run -r m.cix in 3>&- &
	pid=$!
	loaded "$pid"
	asleep "$pid"
}

# bats test_tags=slow
@test "npu-run runs the file that it validated, even if it was replaced" {
	# Another file takes the model's name while npu-run waits in its
	# initialisation.
	printf abcd >in
	mkcix --in s8:4 --out s8:4 --op=fill >other.cix
	in_init >out
	mv other.cix m.cix
	cat log >logged
	wait "$pid"
	[ "$(cat out)" = 4761 ]
}

# bats test_tags=slow
@test "a model that is written to while npu-run opens it is refused" {
	# The library would read bytes that were not validated, and crash.
	printf abcd >in
	cp m.cix sound.cix
	for with in /dev/null in; do
		cp sound.cix m.cix
		in_init 2>err
		cat "$with" >m.cix
		cat log >logged
		rc=0
		wait "$pid" || rc=$?
		[ "$rc" -eq 1 ]
		[ "$(cat err)" = "npu-run: m.cix: was written to while it was \
opened: begin again when it is whole" ]
	done
	# The content may be the same, and the time differ by a second or by
	# less.
	for later in 1000000001.5 1000000000.75; do
		cp sound.cix m.cix
		touch -d @1000000000.5 m.cix
		in_init 2>err
		touch -d @$later m.cix
		cat log >logged
		rc=0
		wait "$pid" || rc=$?
		[ "$rc" -eq 1 ]
		grep -q "was written to" err
	done
}

@test "a usage error prints two lines and exits with status 2" {
	run --separate-stderr -2 npu-run
	[ "${stderr_lines[0]}" = "npu-run: no model given: npu-run MODEL [FILE...]" ]
	[ "${stderr_lines[1]}" = "Try 'npu-run --help' for more information." ]
	run --separate-stderr -2 npu-run --reuse m.cix
	[[ $stderr == *"did you mean '--reuse-job'?"* ]]
	run --separate-stderr -2 npu-run --times=xml m.cix
	run --separate-stderr -0 npu-run --help
	[[ $output == "Examples:"* ]]
}

@test "a missing ONNX twin is explained; a missing runtime is status 3" {
	printf abcd >in
	cix-pack -o bare.cix -I a:s8:4 -O b:s8:4
	run --separate-stderr -1 npu-run bare.cix in
	[[ ${stderr_lines[0]} == "libnoe-emu: $PWD/bare.cix: "*"NPU_TWIN"* ]]
	[[ ${stderr_lines[1]} == *"load_graph: "*": the emulator says why in the line above" ]]
	mkonnx Identity f32:4 : f32:4 >bare.onnx
	NPU_ORT=$PWD/gone.so run --separate-stderr -3 npu-run bare.cix in
	[[ ${stderr_lines[0]} == *"NPU_ORT (gone.so"* ||
	    ${stderr_lines[0]} == *"NPU_ORT ($PWD/gone.so"* ]]
}

@test "for a model name without .cix, the message asks for the whole name" {
	run --separate-stderr -1 npu-run clip_txt in
	[[ $stderr == *"; give its whole name, as in yolov8n.cix, or set NPU_MODEL_PATH" ]]
	run --separate-stderr -1 npu-run none.cix in
	[[ $stderr == *"; give its path or set NPU_MODEL_PATH" ]]
}

@test "an empty model name, and a link to itself, are reported" {
	run --separate-stderr -1 npu-run '' in
	[ "$stderr" = "npu-run: '': the name of a model is empty" ]
	ln -s loop loop
	run --separate-stderr -1 npu-run loop in
	[ "$stderr" = "npu-run: loop: Too many levels of symbolic links" ]
}
