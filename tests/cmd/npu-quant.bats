#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# bats file_tags=arm64

load ../support/helper

# models: makes one.cix, a model with one input, and two.cix, with two inputs.
models() {
	cix-pack -I image:s8:1x4:64.75:12 -O emb:s8:1x4:27.5:60 -o one.cix
	cix-pack -I a:u8:2:255 -I b:s16:3:10:-5 -O y:f16:1 -o two.cix
}

@test "npu-quant scales, subtracts the zero point and rounds half to even" {
	# q = 20 x - 60
	f32 3 9.35 -3.4 >f
	npu-quant -r -t s8 -s 20 -z 60 f >q
	[ "$(bytes q)" = "0 127 128" ]
	# q = 2 x - 1: 0.5, 1.5, 2.5, -0.5, -1.5
	f32 0.75 1.25 1.75 0.25 -0.25 >f
	npu-quant -r -t s8 -s 2 -z 1 f >q
	[ "$(bytes q)" = "0 2 2 0 254" ]
}

@test "scale 64.75 and zero point 12 of CLIP's image input are applied" {
	# 64.75 - 12 = 52.75, which becomes 53.
	f32 1 -1 0 >f
	npu-quant -r -t s8 -s 64.75 -z 12 f >q
	[ "$(bytes q)" = "53 179 244" ]		# 53, -77, -12
}

@test "the output has a label with the shape of the input" {
	f32 1 2 3 4 | npu-tensor -a -t f32 --shape=2,2 >f.t
	npu-quant -t s16 -s 10 -z -1 f.t >q.t
	run -0 npu-tensor q.t
	[ "$output" = "1.0  s16 [2,2] scale=10 zero_point=-1" ]
	run -0 npu-dequant -F text q.t
	[ "$output" = "1 2 3 4" ]
	npu-tensor -F npy f.t >f.npy
	npu-quant -t s16 -s 10 -z -1 f.npy | cmp - q.t
	run --separate-stderr -1 npu-quant -t bf16 -F npy -o q.npy f.t
	[[ $stderr == "npu-quant: bf16 cannot be .npy"* ]]
	[ ! -e q.npy ]
}

# bats test_tags=slow
@test "a model's inputs give the parameters" {
	models
	f32 0 0.5 1 1.5 0 0 0 0 >f
	npu-quant -m one.cix f >q.t
	run -0 npu-tensor q.t
	[ "$output" = "1.0  s8 [1,4] scale=64.75 zero_point=12
2.0  s8 [1,4] scale=64.75 zero_point=12" ]
	f32 1 0.2 1 2 3 | npu-quant -m two.cix >q.t
	run -0 npu-tensor q.t
	[ "$output" = "1.0  u8 [2] scale=255 zero_point=0
1.1  s16 [3] scale=10 zero_point=-5" ]
	npu-tensor -r q.t >q
	[ "$(bytes q)" = "255 51 15 0 25 0 35 0" ]
	for which in in1 b; do
		f32 1 2 3 | npu-quant -r -m two.cix:$which >q
		[ "$(bytes q)" = "15 0 25 0 35 0" ]
	done
}

@test "a wrong number of elements is refused with both numbers" {
	models
	f32 1 2 3 >f
	npu-tensor -a -t f32 --shape=3 f >f.t
	run --separate-stderr -1 npu-quant -r -m one.cix f.t
	[ "$stderr" = "npu-quant: f.t: frame 1, tensor 0: 3 elements, but 4 \
are wanted" ]
	run --separate-stderr -1 npu-quant -r -m one.cix f
	[[ $stderr == *"12 bytes, not a whole number of frames of 16 bytes; \
frame 1 has 12" ]]
	run --separate-stderr -1 npu-quant -r -m two.cix f.t
	[[ $stderr == *"frame 1 has 1 tensors, but two.cix has 2" ]]
}

# bats test_tags=slow
@test "a shape that differs from the model's by more than ones is refused" {
	cix-pack -I image:u8:1x3x2x4:255 -O y:f16:1 -o chw.cix
	cix-pack -I image:u8:1x2x4x3:255 -O y:f16:1 -o hwc.cix
	head -c 96 /dev/zero >zeros
	npu-tensor -a -t f32 --shape=1,2,4,3 zeros >hwc
	npu-tensor -a -t f32 --shape=3,2,4 zeros >chw
	run --separate-stderr -1 npu-quant -m chw.cix hwc
	[ "$output" = "" ]
	[ "$stderr" = "npu-quant: hwc: frame 1, tensor 0: the tensor is \
f32 [1,2,4,3], but chw.cix says u8 [1,3,2,4] scale=255 zero_point=0; \
npu-tensor --layout=chw rearranges it" ]
	npu-tensor -F npy chw >chw.npy
	run --separate-stderr -1 npu-quant -m hwc.cix chw.npy
	[[ $stderr == *"; npu-tensor --layout=hwc rearranges it" ]]
	npu-tensor -a -t f32 --shape=4,6 zeros >other
	run --separate-stderr -1 npu-quant -m chw.cix other
	[[ $stderr == *"; is it meant for another model?" ]]
	for good in chw chw.npy zeros; do
		npu-quant -m chw.cix $good >q
		run -0 npu-tensor q
		[ "$output" = "1.0  u8 [1,3,2,4] scale=255 zero_point=0" ]
	done
}

@test "clipped values are counted and reported, unless -q is given" {
	f32 100 -100 1 inf >f
	run --separate-stderr -0 npu-quant -r -t s8 -s 2 -o q f
	[ "$stderr" = "npu-quant: 3 of 4 values clipped (75.00%)" ]
	[ "$(bytes q)" = "127 128 2 127" ]
	run --separate-stderr -0 npu-quant -q -r -t s8 -s 2 -o q f
	[ "$stderr" = "" ]
	f32 1 2 >g
	run --separate-stderr -0 npu-quant -r -t s8 -s 2 -o q g
	[ "$stderr" = "" ]
}

@test "--clip=error makes clipping an error, and nothing is written" {
	f32 1 100 >f
	run --separate-stderr -1 npu-quant --clip=error -r -t s8 -s 2 f
	[ "$output" = "" ]
	[ "$stderr" = "npu-quant: f: frame 1, tensor 0: 1 of elements 0 to 1 \
are outside the range of s8 (--clip=error)" ]
	f32 1 60 | npu-quant --clip=error -r -t s8 -s 2 >q
	[ "$(bytes q)" = "2 120" ]
}

@test "NaN is an error with its index, or becomes 0 with --nan=zero" {
	{
		head -c 80000 /dev/zero
		f32 1 nan
	} >f
	run --separate-stderr -1 npu-quant -t s8 -s 2 -z -3 -o q f
	[ "$stderr" = "npu-quant: f: frame 1, tensor 0: element 20001 is not a \
number (NaN); --nan=zero takes it as 0" ]
	[ ! -e q ]
	run --separate-stderr -0 npu-quant -r --nan=zero -t s8 -s 2 -z -3 -o q f
	[ "$stderr" = "npu-quant: 1 of 20002 values was NaN and became 0" ]
	tail -c 2 q >end
	[ "$(bytes end)" = "5 3" ]
}

# bats test_tags=slow
@test "each type of whole bytes is written as worked out by hand" {
	while read -r type x want; do
		# shellcheck disable=SC2086
		f32 ${x//,/ } | npu-quant -q -r -t "$type" >q
		[ "$(bytes q)" = "$want" ] ||
			{ echo "$type: $(bytes q)"; false; }
	done <<-'EOF'
	bool 0,1,2 0 1 1
	u8 -1,255,256 0 255 255
	s8 -129,-1,128 128 255 127
	u16 4660,70000 52 18 255 255
	s16 -32769,-2 0 128 254 255
	u32 2147483648,-1 0 0 0 128 0 0 0 0
	s32 -1 255 255 255 255
	u64 18446744073709551616 255 255 255 255 255 255 255 255
	s64 -2 254 255 255 255 255 255 255 255
	f16 1,100000 0 60 255 123
	f32 1.5 0 0 192 63
	f64 -2.5 0 0 0 0 0 0 4 192
	bf16 1.5 192 63
	u4 16,7 15 7
	s4 -9,7 248 7
	u12 5000 255 15
	s12 -3000 0 248
	EOF
}

@test "input of any type is first converted to the numbers it represents" {
	printf '\000\177\200' | npu-tensor -a -t s8 --shape=3 -s 20 -z 60 >t
	# q = 10 x + 50 for 3 9.35 -3.4: 80 143.5 16
	npu-quant -r -t u8 -s 10 -z -50 t >q
	[ "$(bytes q)" = "80 144 16" ]
}

@test "raw floats from a pipe without a shape are one flat tensor" {
	f32 1 2 3 | npu-quant -t s8 | npu-tensor >text
	[ "$(cat text)" = "1.0  s8 [3] scale=1 zero_point=0" ]
	run --separate-stderr -1 bash -c 'printf abcde | npu-quant -r -t s8'
	[ "$output" = "" ]
	[ "$stderr" = "npu-quant: stdin: 5 bytes, not a whole number of f32" ]
}

# bats test_tags=slow
@test "--stats prints statistics; --explain prints formulas, reads no data" {
	f32 1 2 -3 >f
	run --separate-stderr -0 npu-quant --stats -r -t s8 -s 2 -o q f
	[ "$stderr" = "npu-quant: stats: 3 elements in 1 tensor: min -3, \
max 2, mean 0, rms 2.160247, 3 levels, 0 at the ends of the range" ]
	run --separate-stderr -0 npu-quant --explain -t s8 -s 64.75 -z 12
	[ "${lines[2]}" = "  q = clip(rint(x * 64.75 - 12)), halves to even, \
from -128 to 127" ]
	run --separate-stderr -2 npu-quant --explain -t s8 f
	[ "${stderr_lines[0]}" = \
	    "npu-quant: --explain reads no values; leave 'f' out" ]
	for o in --stats --clip=error --nan=zero --format=npy --raw; do
		run --separate-stderr -2 npu-quant --explain -t s8 "$o"
		[ "${stderr_lines[0]}" = "npu-quant: --explain reads no \
values; leave '${o%=*}' out" ]
	done
}

# bats test_tags=native,slow
@test "npu-quant's memory does not grow with the input" {
	(
		ulimit -v 60000
		head -c 400000000 /dev/zero | npu-quant -r -t s8 -z -9 |
		    tail -c 1 >last
		[ "${PIPESTATUS[1]}" -eq 0 ]
	)
	[ "$(bytes last)" = 9 ]
}

# bats test_tags=slow
@test "a usage error prints one line and a hint, with status 2" {
	models
	for bad in "" "-s 2" "-t s9" "-t s8 --clip=no" "-t s8 --nan=1" \
	    "-t s8 -F text" "-t f16 -s 2" "-m one.cix -s 2" "-m one.cix:out0" \
	    "-t s8 --shape=2,x"; do
		# shellcheck disable=SC2086
		run --separate-stderr -2 npu-quant $bad </dev/null
		[ "$output" = "" ]
		[ "${#stderr_lines[@]}" -eq 2 ]
	done
}

# bats test_tags=slow
@test "a cut stream and a failed write are errors; SIGPIPE ends npu-quant" {
	f32 1 2 3 4 | npu-tensor -a -t f32 --shape=2 >t
	head -c 140 t >short
	run --separate-stderr -1 npu-quant -r -t s8 short
	[ "$output" = $'\001\002' ]
	[[ $stderr == *"short: frame 2, tensor 0: ends after 4 of 8 bytes" ]]
	# A frame of several tensors is never written in part.
	npu-tensor -f 1 t >one
	npu-tensor --zip one one >two
	{ cat two; head -c 80 two; } >short
	npu-quant -t s8 two >want
	run -1 bash -c 'npu-quant -t s8 short >got'
	cmp got want
	[[ $output == *'short: frame 2'* ]]
	run -1 bash -c 'npu-quant -t s8 t 2>&1 >/dev/full'
	[ "$output" = "npu-quant: write error: No space left on device" ]
	run -1 bash -c 'npu-quant -t s8 t 2>&1 >&-'
	[ "$output" = "npu-quant: write error: Bad file descriptor" ]
	head -c 20000000 /dev/zero >z
	# shellcheck disable=SC2016
	run --separate-stderr -0 bash -c 'npu-quant -r -t s8 z | head -c 1 >/dev/null
	    echo "${PIPESTATUS[0]}"'
	[ "$output$stderr" = 141 ]
}

@test "the output so far is written if the next file cannot be opened" {
	f32 1 2 >one
	npu-quant -q -t s8 -r one >want
	run -1 --separate-stderr bash -c 'npu-quant -q -t s8 -r one none >o'
	[ "$stderr" = "npu-quant: none: No such file or directory" ]
	cmp o want
	run -1 npu-quant -q -t s8 -r -o new one none
	[ ! -e new ]
}

@test "empty input gives no tensors and no error" {
	run --separate-stderr -0 npu-quant -t s8 </dev/null
	[ "$output$stderr" = "" ]
}

@test "for an unknown format, the message lists npu-quant's formats" {
	for format in f32 text jsonl; do
		run --separate-stderr -2 npu-quant -t s8 -F $format </dev/null
		[ "${stderr_lines[0]}" = "npu-quant: --format: '$format' is \
not label, raw or npy" ]
	done
}

@test "-v reports what was read, unless -q is given" {
	f32 1 2 >f
	run --separate-stderr -0 npu-quant -v -t s8 -o q f
	[ "$stderr" = "npu-quant: f: raw bytes, 1 tensor: f32 [2]" ]
	run --separate-stderr -0 npu-quant -qv -t s8 -o q f
	[ "$stderr" = "" ]
}
