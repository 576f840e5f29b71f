#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# npu-run on the emulator: numbers in its inputs and its outputs.  The models
# that mkcix makes XOR each byte of the first input with 0x55.
# bats file_tags=slow

load ../support/helper
load ../support/xormodel

@test "--fill generates the inputs that have no file" {
	npu-run -r --fill=zero m.cix >out
	[ "$(cat out)" = UUUU ]
	[ "$(stat -c %s out)" -eq 4 ]
	npu-run -r --fill=ramp m.cix >out
	[ "$(bytes out)" = "85 84 87 86" ]	# 0 1 2 3, each ^ 0x55
	# If another input has a file, --fill generates as many frames as that
	# file has.  The output depends only on the first input.
	mkcix --in s8:4 --in s8:2 --out s8:4 --op=xor >two.cix
	printf 'abcd' >in
	npu-run -r --fill=zero --input=1=in two.cix >out
	[ "$(cat out)" = UUUUUUUU ]
	npu-run -r --fill=zero --input=0=in two.cix >out
	printf '4761' | cmp - out
	# Two seeds give different bytes; the same seed gives the same bytes.
	for with in random random random:1 random:2; do
		npu-run -r --fill=$with two.cix | od -An -tx1
	done >drawn
	[ "$(sort drawn | uniq -c | awk '{ print $1 }' | sort)" = "$(
	    printf '1\n3')" ]
}

@test "--fill=ramp keeps s32 below 256 and floats between -1 and 1" {
	for t in s32 f32 s8; do
		mkcix --in $t:300 --out $t:300 --op=xor >k.cix
		npu-run -r --fill=ramp k.cix >$t
	done
	/usr/bin/python3 -c "
import struct
def elements(t, form):
    b = bytes(c ^ 0x55 for c in open(t, 'rb').read())
    return list(struct.unpack('<300' + form, b))
assert elements('s32', 'i') == [i % 256 for i in range(300)]
assert elements('f32', 'f') == [i % 256 / 128 - 1 for i in range(300)]
assert elements('s8', 'b') == [(i + 128) % 256 - 128 for i in range(300)]"
}

@test "--fill without an effect or with a bad value is refused" {
	run --separate-stderr -2 npu-run --fill=zero m.cix in
	[[ $stderr == *"--fill and 'in': a file without --input has all inputs"* ]]
	run --separate-stderr -2 npu-run --fill=zero --input=in m.cix
	[[ $stderr == *"--fill: each input of the model has a file"* ]]
	run --separate-stderr -2 npu-run --fill=random:x m.cix
	[[ $stderr == *"--fill"* ]]
	run --separate-stderr -2 npu-run --fill=noise m.cix
	[[ $stderr == *"zero"* ]]
}

# f32 NUMBER...: prints the numbers as little-endian floats.
f32() {
	/usr/bin/python3 -c 'import struct, sys
sys.stdout.buffer.write(b"".join(struct.pack("<f", float(a))
    for a in sys.argv[1:]))' "$@"
}

@test "--float quantises float inputs and dequantises the results" {
	# q = rint(20 x - 60): -60, -40, -51, 127 (clipped from 140);
	# ^ 0x55 as signed bytes: 0xc4 -> 0x91 -111, 0xd8 -> 0x8d -115,
	# 0xcd -> 0x98 -104, 0x7f -> 0x2a 42; result: (q + 60) / 20.
	f32 0 1 0.45 10 >in
	run --separate-stderr -0 bash -c 'npu-run --float m.cix in >out'
	[[ $stderr == *"npu-run: 1 of 4 values clipped (25.00%)" ]]
	run -0 npu-tensor out
	[[ $output == *"f32 [1,4]"* ]]
	tail -c 16 out >x
	[ "$(floats x)" = "-2.55 -2.75 -2.2 5.1" ]
	npu-run -q --float --raw m.cix in | cmp - x
	npu-tensor --add -t f32 --shape=1,4 in >labelled
	npu-tensor --add -t f32 --shape=1,4 in | npu-tensor -F npy >npy
	npu-run -q --float --raw m.cix labelled npy labelled | cmp - <(
	    cat x x x)
	npu-run -q --float --format=npy m.cix in | tail -c 16 | cmp - x
	# npu-quant and npu-dequant give the same.
	npu-quant -q -m m.cix in | npu-run m.cix | npu-dequant | cmp - out
	npu-run -q --float --raw --fill=zero m.cix | od -An -v -tf4 -w4 | sort -u >z
	[ "$(tr -d ' ' <z)" = 7.25 ]		# (0x55 + 60) / 20
}

@test "--float reads ids, which are not quantised, in their own type" {
	mkcix --in s32:4:1:0 --out s32:4:2:0 --op=copy >ids.cix
	/usr/bin/python3 -c 'import struct, sys
sys.stdout.buffer.write(struct.pack("<4i", 5, 70000001, 2, 3))' >in
	label in s32 1,4 1 0 >labelled
	for file in in labelled; do
		run --separate-stderr -0 npu-run --float --raw -o out ids.cix \
		    "$file"
		[ "$stderr" = "" ]
		[ "$(floats out)" = "2.5 3.5e+07 1 1.5" ]
	done
	# A float has 24 bits, so it could not have been the second id.
	f32 5 70000001 2 3 | npu-tensor -a -t f32 --shape=1,4 >floats
	run --separate-stderr -1 npu-run --float --raw ids.cix floats
	[[ $stderr == *": wrong type of input 0: it is f32 "* ]]
	# An integer with a scale is a quantised real number.
	mkcix --in s32:4:2:0 --out s32:4:2:0 --op=copy >scaled.cix
	npu-run -q --float --raw -o out scaled.cix floats
	[ "$(floats out)" = "5 7e+07 2 3" ]
}

@test "--float rounds halves to the even integer" {
	mkcix --in s8:4:2:0 --out s8:4:2:0 --op=copy >h.cix
	f32 0.25 0.75 -0.25 -0.75 >in		# rint(2 x): 0 2 -0 -2
	npu-run --float --raw h.cix in >out
	[ "$(floats out)" = "0 1 0 -1" ]
}

@test "--float refuses NaN, other types and a partial frame" {
	f32 0 0 0 0 0 nan 0 0 >in
	run --separate-stderr -1 bash -c 'npu-run --float --raw m.cix in >out'
	[ "$(stat -c %s out)" -eq 16 ]
	[[ $stderr == "npu-run: in: frame 2, input 0: "*"element 1"*NaN* ]]
	f32 0 0 0 | head -c 10 >in
	run --separate-stderr -1 npu-run --float --raw m.cix in
	[[ $stderr == *"10 bytes, not a whole number of frames of 16 bytes"* ]]
	printf abcd | label /dev/stdin s8 1,4 20 60 >own
	run --separate-stderr -1 npu-run --float --raw m.cix own
	[[ $stderr == *"own: frame 1: wrong type of input 0"* ]]
}

@test "--ref ends with status 4 if results differ from expected results" {
	printf 'abcdefgh' >in
	npu-run m.cix in >same
	npu-run -r m.cix in >same.raw
	for ref in same same.raw; do
		run --separate-stderr -0 bash -c \
		    "npu-run --ref=$ref m.cix in >got"
		cmp got same
		[ "$stderr" = "" ]
	done
	# A pipe is read once, from its first byte.
	run -0 bash -c 'npu-run --ref=<(cat same) m.cix in | cmp - same'
	mkfifo pipe
	timeout 20 cat same >pipe &
	timeout 20 npu-run --ref=pipe m.cix in | cmp - same
	wait $!
	# npu-run compares real numbers, so the reference may contain floats.
	npu-dequant same >reals
	npu-run --ref=reals m.cix in | cmp - same
	# Element 1 of frame 2 is 0x33 = 51; 53 differs by 2 steps of 1/16.
	mkcix --in s8:1x4:16:60 --out s8:1x4:16:60 --op=xor >m.cix
	{ head -c 5 same.raw; printf '\065'; tail -c +7 same.raw; } >other
	run --separate-stderr -4 bash -c 'npu-run -r --ref=other m.cix in >out'
	cmp out same.raw
	[[ ${stderr_lines[0]} == \
	    "npu-run: m.cix: frame 2, output 0: max 0.125 at 1, rms 0.0625, "* ]]
	# In frame 2, the values 48 51 50 61 and 48 53 50 61 have the
	# correlation 98 / sqrt(101 * 98) and the mean absolute error 0.125 / 4.
	[[ ${stderr_lines[0]} == *" dB, corr 0.985036563, mae 0.03125, \
beyond tolerance" ]]
	[ "${stderr_lines[1]}" = "npu-run: 1 of 2 frames differs from other" ]
	npu-run --ref=other --tol=max:0.125 m.cix in >out
	run -4 bash -c 'npu-run --ref=other --tol=max:0.12 m.cix in >out'
	npu-run --ref=other --tol=cos:0.9 m.cix in >out
	npu-run --ref=other --tol=corr:0.985,mae:0.0313 m.cix in >out
	run -4 bash -c 'npu-run --ref=other --tol=corr:0.986 m.cix in >out'
	run -4 bash -c 'npu-run --ref=other --tol=mae:0.0312 m.cix in >out'
}

@test "--ref compares each output separately, and skips failed frames" {
	mkcix --in s8:2 --out s8:2 --out s8:1 --op=fill >two.cix
	printf 'abcd' >in
	printf '\000\001\001\000\001\002' >ref	# 0 1 and 1; then 2, not 1
	run --separate-stderr -4 bash -c 'npu-run -r --ref=ref two.cix in >out'
	[[ ${stderr_lines[0]} == \
	    "npu-run: two.cix: frame 2, output 1: max 1 at 0, rms 1, "* ]]
	[ "${#stderr_lines[@]}" -eq 2 ]
	printf 'abcdefghijkl' >in
	npu-run m.cix in >ref
	NPU_EMU_FAULT=infer:2:exception run --separate-stderr -1 bash -c \
	    'npu-run -k --jobs=1 --ref=ref m.cix in >out'
	[[ $stderr != *differ* ]]
	[[ $stderr == *"frame 2: "* ]]
}

@test "--ref refuses files that do not fit, and options without effect" {
	printf 'abcdefgh' >in
	npu-run -r m.cix in >all
	head -c 4 all >short
	run --separate-stderr -1 bash -c 'npu-run -r --ref=short m.cix in >out'
	cmp out all
	[ "$stderr" = "npu-run: short: frame 2: ends after 0 of 1 outputs" ]
	cat all short >long
	run --separate-stderr -1 bash -c 'npu-run -r --ref=long m.cix in >out'
	[ "$stderr" = "npu-run: long: has more frames than ran, which are 2" ]
	printf abc | label /dev/stdin s8 3 1 0 >bad
	run --separate-stderr -1 npu-run --ref=bad m.cix in
	[[ $stderr == "npu-run: bad: frame 1: tensor 0: it is s8 [3]"* ]]
	run --separate-stderr -1 npu-run --ref=gone m.cix in
	[[ $stderr == "npu-run: gone: "* ]]
	run --separate-stderr -2 npu-run --tol=1 m.cix in
	run --separate-stderr -2 npu-run --ref=- m.cix in
	run --separate-stderr -2 npu-run --ref=in --tol=cos:2 m.cix in
	run --separate-stderr -2 npu-run --ref=all --dry-run m.cix in
	run --separate-stderr -2 npu-run --float --dry-run m.cix
	[ "${stderr_lines[0]}" = \
	    "npu-run: --float is for tensors, and --dry-run has none" ]
}
