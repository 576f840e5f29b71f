#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# bats file_tags=arm64

load ../support/helper

# models: makes one.cix with one output, s8 [1,4], scale 27.5, zero point 60,
# and two.cix with two outputs.
models() {
	cix-pack -I ids:s32:1x77 -O emb:s8:1x4:27.5:60 -o one.cix
	cix-pack -I a:u8:2:255 -I b:s16:3:10:-5 \
	    -O x:u8:2:255 -O y:f16:1 -o two.cix
}

# ---- The formula ----------------------------------------------------------

@test "npu-dequant adds the zero point, then divides by the scale" {
	printf '\000\177\200' >q			# 0 127 -128
	npu-dequant -r -t s8 -s 20 -z 60 <q >f
	[ "$(floats f)" = "3 9.35 -3.4" ]
}

# bats test_tags=slow
@test "each type of whole bytes is converted to the expected numbers" {
	while read -r type bytes want; do
		printf '%b' "$bytes" >q
		run -0 npu-dequant -F text -t "$type" q
		[ "$output" = "$want" ] || { echo "$type: $output"; false; }
	done <<-'EOF'
	bool \x00\x01 0 1
	u8 \x00\xff 0 255
	s8 \x80\x7f -128 127
	u16 \x34\x12\xff\xff 4660 65535
	s16 \x00\x80\xff\x7f -32768 32767
	u32 \x00\x00\x00\x80 2.1474836e+09
	s32 \xff\xff\xff\xff\x07\x00\x00\x00 -1 7
	u64 \x00\x00\x00\x00\x00\x00\x00\x80 9.223372e+18
	s64 \xfe\xff\xff\xff\xff\xff\xff\xff -2
	f16 \x00\x3c\x01\x00\x00\xfc 1 5.9604645e-08 -inf
	f32 \x00\x00\xc0\x3f 1.5
	f64 \x00\x00\x00\x00\x00\x00\x04\xc0 -2.5
	bf16 \xc0\x3f\x80\x7f 1.5 inf
	u4 \x00\x0f 0 15
	s4 \xf8\x07 -8 7
	u12 \xff\x0f 4095
	s12 \x00\xf8\xff\x07 -2048 2047
	EOF
}

# bats test_tags=slow
@test "npu-quant restores every integer that npu-dequant makes a float" {
	for t in bool u8 s8 u16 s16 u4 s4 u12 s12; do
		case $t in
		bool) list='\x00\x01' ;;
		u4) list='\x00\x01\x07\x0f' ;;
		s4) list='\xf8\xff\x00\x07' ;;
		u12) list='\x00\x00\xff\x0f\x55\x05' ;;
		s12) list='\x00\xf8\xff\x07\xff\xff' ;;
		*) list='\x00\x00\xff\xff\x80\x7f\x7f\x80\x34\x12' ;;
		esac
		printf '%b' "$list" >q
		npu-dequant -t $t -s 27.67 -z -3 q >f
		npu-quant -r -t $t -s 27.67 -z -3 f | cmp - q
	done
}

@test "an element outside the range of its type is refused" {
	printf '\007\020' >q
	run --separate-stderr -1 npu-dequant -r -t u4 q
	[ "$stderr" = "npu-dequant: q: frame 1, tensor 0: from element 0 on: \
element 1 is 16, but u4 goes from 0 to 15" ]
	[ "$output" = "" ]
}

# ---- Where parameters come from -------------------------------------------

@test "a label gives all parameters" {
	printf '\000\177\200\001' | npu-tensor -a -t s8 --shape=2,2 -s 20 -z 60 >t
	npu-dequant t >f.t
	run -0 npu-tensor f.t
	[ "$output" = "1.0  f32 [2,2]" ]
	npu-tensor -r f.t >f
	[ "$(floats f)" = "3 9.35 -3.4 3.05" ]
}

@test "a model's outputs give the parameters of raw bytes, frame by frame" {
	models
	printf 'abcdefgh' >q
	npu-dequant -m one.cix q >f.t
	run -0 npu-tensor f.t
	[ "$output" = "1.0  f32 [1,4]
2.0  f32 [1,4]" ]
	# (97 + 60) / 27.5, to the nearest 32-bit float
	run -0 npu-dequant -m one.cix -F text q
	[ "${output%% *}" = 5.7090907 ]
	printf '\377\000\000\074' | npu-dequant -m two.cix -F text >out
	[ "$(cat out)" = "1 0
1" ]
	for which in out0 x; do
		printf '\377\000' | npu-dequant -m two.cix:$which -F text >out
		[ "$(cat out)" = "1 0" ]
	done
}

# bats test_tags=slow
@test "a model's output that does not exist is a usage error" {
	models
	for which in out2 z in0 out out0x outx; do
		run --separate-stderr -2 npu-dequant -m two.cix:$which </dev/null
		[[ ${stderr_lines[0]} == *"'$which' is not an output of "*", which has 2; the first is out0" ]]
	done
	# A number alone may be a name; --help lists the valid forms.
	run --separate-stderr -2 npu-dequant -m two.cix:0 </dev/null
	[[ ${stderr_lines[0]} == *"'0' is not an output of "* ]]
	for word in npu-dequant:out0 npu-quant:in0; do
		"${word%:*}" --help | tr -s ' \n' ' ' >help
		grep -q "as ${word#*:} or by name" help
	done
	# A colon before a slash belongs to the name of a folder.
	run --separate-stderr -1 npu-dequant -m ./two.cix:out0/y </dev/null
	[ "$stderr" = "npu-dequant: ./two.cix:out0/y: No such file or directory" ]
}

@test "a model without outputs is refused; name and scale may be missing" {
	mkcix --out=none >none.cix
	run -1 npu-dequant -m none.cix </dev/null
	[ "$output" = "npu-dequant: none.cix: has no outputs" ]
	mkcix --in=none >none.cix
	run -1 npu-quant -m none.cix </dev/null
	[ "$output" = "npu-quant: none.cix: has no inputs" ]
	# The name becomes empty; the rest of the old name follows its end.
	mkcix --out s8:1x4:0:3 sound-table-empty | perl -0777 -pe '
	    s/\x07\0\0\0output0/\0\0\0\0\0utput0/g' >m.cix
	run -0 npu-info m.cix
	[[ $output == *"output 0: s8 [4] scale=0 zero_point=3, "* ]]
	# A scale of 0 means that the output has no scale.
	for which in '' :out0; do
		run -0 npu-dequant -F text -m m.cix$which <<<$'\1\2\375'
		[ "$output" = "4 5 0 13" ]
	done
}

@test "an incomplete frame is an error with both sizes" {
	models
	printf 'abcdef' >q
	run --separate-stderr -1 npu-dequant -F text -m one.cix q
	[ "${#lines[@]}" -eq 1 ]
	[ "$stderr" = "npu-dequant: q: 6 bytes, not a whole number of frames \
of 4 bytes; frame 2 has 2" ]
}

@test "an incomplete element is an error, and nothing is written" {
	printf 'abc' >q
	run --separate-stderr -1 npu-dequant -t s16 -s 1 <q
	[ "$output" = "" ]
	[ "$stderr" = "npu-dequant: stdin: 3 bytes, not a whole number of s16" ]
	# shellcheck disable=SC2002
	run --separate-stderr -1 bash -c 'cat q | npu-dequant -r -t s16'
	[ "$output" = "" ]
	[ "$stderr" = "npu-dequant: stdin: 3 bytes, not a whole number of s16" ]
}

# bats test_tags=slow
@test "contradictory parameters and types without whole bytes are refused" {
	mkcix --in s8:4:20:60 --out s8:4:20:60 >m.cix
	mkcix sound-type-compact >compact.cix
	mkcix sound-type-unknown >odd.cix
	printf 4761 | npu-tensor -q -a -t s8 -s 20 -z 60 --shape=1,4 >four
	printf 47614761 | npu-tensor -q -a -t s8 -s 20 -z 60 --shape=8 >eight
	f32 1 2 | npu-tensor -q -a -t f32 >reals
	while IFS=';' read -r words input reason; do
		# shellcheck disable=SC2086 # words
		run --separate-stderr -1 $words <$input
		[ "$output" = "" ]
		[[ $stderr == "npu-"*": "*"$reason" ]]
	done <<-'END'
	npu-dequant -m m.cix;eight;is s8 [8] scale=20 zero_point=60, but m.cix says s8 [4] scale=20 zero_point=60
	npu-dequant --shape=4;four;is s8 [1,4] scale=20 zero_point=60, but the command line says s8 [4] scale=20 zero_point=60
	npu-dequant --shape=4,1;four;but the command line says s8 [4,1] scale=20 zero_point=60
	npu-dequant -z 3;reals;f32 is never scaled; leave --scale and --zero out
	npu-quant -m compact.cix;reals;compact.cix: s12c has no whole number of bytes and cannot be converted
	npu-quant -m odd.cix;reals;odd.cix: its unknown type has no whole number of bytes and cannot be converted
	END
	for words in 'npu-dequant -t s12c' 'npu-quant -t u4c'; do
		# shellcheck disable=SC2086 # words
		run --separate-stderr -2 $words <four
		[ "${stderr_lines[0]}" = "${words% -t *}: --type: ${words##* } \
has no whole number of bytes and cannot be converted" ]
	done
}

# bats test_tags=slow
@test "a contradiction between a label and options is refused" {
	models
	printf 'abcd' | npu-tensor -a -t s8 --shape=1,4 -s 20 -z 60 >t
	run --separate-stderr -1 npu-dequant -r -s 21 t
	[ "$stderr" = "npu-dequant: t: frame 1, tensor 0: the tensor is s8 \
[1,4] scale=20 zero_point=60, but the command line says s8 [1,4] scale=21 zero_point=60" ]
	[ "$output" = "" ]
	run --separate-stderr -1 npu-dequant -r -t u8 t
	run --separate-stderr -1 npu-dequant -r -z 0 t
	run --separate-stderr -1 npu-dequant -r --shape=4 t
	run --separate-stderr -1 npu-dequant -r -m one.cix t
	[[ $stderr == *"but one.cix says s8 [1,4] scale=27.5 zero_point=60" ]]
	npu-dequant -r -s 20 -z 60 -t s8 --shape=1x4 t >f
	npu-dequant -r t | cmp - f
	run --separate-stderr -2 npu-dequant -m one.cix -t s8 t
	[[ ${stderr_lines[0]} == *"--model says type"* ]]
	run --separate-stderr -2 npu-dequant -t f16 -s 2 t
	npu-dequant -o f.t t
	run --separate-stderr -1 npu-dequant -r -s 2 f.t
	[[ $stderr == *"tensor 0: f32 is never scaled"* ]]
	# A tensor without a shape gets the shape of --shape, if it fits.
	printf 'abcd' | npu-tensor -a -t s8 >flat
	npu-dequant --shape=2,2 flat | npu-tensor >shape
	grep -q 'f32 \[2,2\]' shape
	run --separate-stderr -1 npu-dequant --shape=3 flat
	[[ $stderr == "npu-dequant: flat: frame 1, tensor 0: "* ]]
}

@test "frames with fewer tensors than the model's outputs are refused" {
	models
	printf 'ab' | npu-tensor -a -t u8 --shape=2 -s 255 >t
	run --separate-stderr -1 npu-dequant -r -m two.cix t
	[[ $stderr == *"frame 1 has 1 tensors, but two.cix has 2" ]]
}

@test "a .npy has its type; options or the model give its scale" {
	models
	printf 'aaaa' | npu-tensor -a -t s8 --shape=1,4 -F npy >t.npy
	run -0 npu-dequant -F text t.npy
	[ "$output" = "97 97 97 97" ]
	run -0 npu-dequant -F text -s 2 -z 3 t.npy
	[ "$output" = "50 50 50 50" ]
	run -0 npu-dequant -F text -m one.cix t.npy
	[ "${output%% *}" = 5.7090907 ]
	run --separate-stderr -1 npu-dequant -r -t u8 t.npy
}

# bats test_tags=slow
@test "input that cannot be converted is refused with advice" {
	printf 'abcd' >q
	run --separate-stderr -1 npu-dequant -r q
	[[ $stderr == "npu-dequant: q: neither a labelled stream nor .npy; "* ]]
	printf 'abc' | npu-tensor -a -t s12c --shape=2 >c
	run --separate-stderr -1 npu-dequant -r c
	[[ $stderr == *"frame 1, tensor 0: s12c has no whole number of bytes"* ]]
	# An unknown type has no shape; other programs may copy the tensor.
	printf 'abc' | npu-tensor -a -t u8 >u
	{ head -c 8 u; printf '\167\0\0\0\0\0\0\0\0\0\0\0'
	tail -c +21 u; } >unknown
	run --separate-stderr -1 npu-dequant -r unknown
	[[ $stderr == *": its unknown type has no whole number of bytes"* ]]
	npu-tensor -F jsonl unknown | jq -e '.type == null and .code == 119 and
	    .elements == null and .bytes == 3'
	run --separate-stderr -2 npu-dequant -r -t u4c q
}

# ---- Output ---------------------------------------------------------------

@test "-F jsonl prints an object for each tensor, with null for NaN" {
	printf '\000\074\000\176\000\374' | npu-dequant -t f16 --shape=3 \
	    -F jsonl >j
	[ "$(cat j)" = '{"schema":"npu-dequant/1","frame":1,"tensor":0,'\
'"shape":[3],"data":[1,null,null]}' ]
	printf 'abcd' | npu-tensor -a -t s8 --shape=1,2 >t
	run -0 npu-dequant -F jsonl t t
	[ "$(jq -c '[.frame, .tensor, .shape, .data]' <<<"${lines[3]}")" = \
	    '[4,0,[1,2],[99,100]]' ]
}

@test "-F npy keeps the shape" {
	printf 'abcdef' | npu-tensor -a -t s8 --shape=1,6 -s 2 >t
	npu-dequant -F npy t >f.npy
	run -0 npu-tensor f.npy
	[ "$output" = "1.0  f32 [1,6]" ]
	printf 'ab' | npu-dequant -t s8 -F npy | npu-tensor >text
	[ "$(cat text)" = "1.0  f32 [2]" ]
}

@test "a pipe, whose length is unknown, gives the same output as a file" {
	printf '\000\177\200' >q
	for f in label raw npy jsonl text; do
		npu-dequant -t s8 -s 20 -F $f q >want
		# shellcheck disable=SC2002 # a pipe
		cat q | npu-dequant -t s8 -s 20 -F $f | cmp - want
	done
	[ "$(cat want)" = "0 6.35 -6.4" ]
}

@test "the output has the same tensors in each frame as the input" {
	printf 'ab' | npu-tensor -a -t u8 --shape=1 >a
	npu-tensor --zip a a | npu-dequant | npu-tensor >text
	[ "$(tail -n 1 text)" = "2.1  f32 [1]" ]
}

# bats test_tags=slow
@test "--normalise divides by the Euclidean length" {
	printf '\003\000\374\014' | npu-tensor -a -t s8 --shape=4 -s 2 -z 0 >t
	# The vector 3, 0, -4, 12 has the length 13.
	npu-dequant --normalise -r t >f
	f32 "$(perl -e 'print 3/13')" 0 "$(perl -e 'print -4/13')" \
	    "$(perl -e 'print 12/13')" >want
	cmp f want
	run --separate-stderr -0 npu-dequant --normalise --stats -F raw -o out t
	[[ $stderr == "npu-dequant: stats: 4 elements in 1 tensor: min \
-0.3076923, max 0.9230769, "* ]]
	# Without --normalise, from a pipe, whose length is unknown.
	run -0 bash -c "printf '\003\004' | npu-dequant -r -t s8 >f"
	[ "$(floats f)" = "3 4" ]
}

# bats test_tags=slow
@test "--normalise divides each row by its length; --norm=all the tensor" {
	printf '\003\004\000\005\010\006' >q
	for shape in 3,2 1,3,2 3,1,2; do
		npu-tensor -a -t s8 --shape=$shape q >t
		run -0 npu-dequant --normalise -F text t
		[ "$output" = "0.6 0.8 0 1 0.8 0.6" ]
		npu-dequant --norm=l2 t >l2
		npu-dequant --normalise t | cmp - l2
	done
	# 9 + 16 + 25 + 64 + 36 = 150
	npu-dequant --norm=all -r t >f
	f32 "$(perl -e 'print 3 / sqrt 150')" "$(perl -e 'print 4 / sqrt 150')" \
	    0 "$(perl -e 'print 5 / sqrt 150')" \
	    "$(perl -e 'print 8 / sqrt 150')" "$(perl -e 'print 6 / sqrt 150')" \
	    >want
	cmp f want
	run -0 npu-dequant --normalise --norm=none -F text t
	[ "$output" = "3 4 0 5 8 6" ]
	# A flat tensor, or a tensor without a shape, is one row.
	npu-tensor -a -t s8 --shape=6 q | npu-dequant --normalise -r | cmp - want
	npu-dequant --normalise -r -t s8 <q | cmp - want
	run --separate-stderr -2 npu-dequant --norm=l1 t
	[[ ${stderr_lines[0]} == "npu-dequant: --norm: 'l1' is not none, l2 or \
all"* ]]
}

@test "--normalise names the frame and the row of a zero vector" {
	printf '\003\004\000\000' | npu-tensor -a -t s8 --shape=2,2 >t
	run --separate-stderr -1 npu-dequant --normalise -F text t
	[ "$output" = "" ]
	[ "$stderr" = "npu-dequant: t: frame 1, tensor 0: row 2 of 2: the \
vector is zero and has no direction" ]
	run -0 npu-dequant --norm=all -F text t
}

@test "--normalise writes the frames before a zero vector, then fails" {
	printf '\003\004\000\000' | npu-tensor -a -t s8 --shape=2 >t
	run --separate-stderr -1 npu-dequant --normalise -F text t
	[ "$output" = "0.6 0.8" ]
	[ "$stderr" = "npu-dequant: t: frame 2, tensor 0: the vector is zero \
and has no direction" ]
}

@test "a NaN is printed without a sign, as in numpy" {
	printf '\000\000\300\377\000\000\300\177\000\000\200\377' >f
	run -0 npu-dequant -t f32 -F text f
	[ "$output" = "nan nan -inf" ]
	run -0 npu-dequant -t f32 -F jsonl f
	[[ $output == *'"data":[null,null,null]}' ]]
	printf '\000\376' >f
	run -0 npu-dequant -t f16 -F text f
	[ "$output" = nan ]
}

@test "--stats prints statistics of the numbers on stderr" {
	printf '\003\000\374\014\200' | npu-tensor -a -t s8 --shape=5 >t
	run --separate-stderr -0 npu-dequant -q --stats -F text t
	[ "$output" = "3 0 -4 12 -128" ]
	# mean -117/5, rms sqrt(16553/5)
	[ "$stderr" = "npu-dequant: stats: 5 elements in 1 tensor: min -128, \
max 12, mean -23.4, rms 57.53781, 5 levels, 1 at the ends of the range" ]
	# NaN is counted, and otherwise ignored, at any position.
	f32 nan 5 7 nan 6 >f
	run --separate-stderr -0 npu-dequant --stats -r -o x -t f32 f
	[[ $stderr == *": 5 elements in 1 tensor: min 5, max 7, mean 6, "* ]]
	[[ $stderr == *", 2 NaN" ]]
	# The sum of two infinities has no sign, on every processor.
	f32 inf -inf >f
	run --separate-stderr -0 npu-dequant --stats -r -o x -t f32 f
	[[ $stderr == *": min -inf, max inf, mean nan, rms inf" ]]
	# Values at both ends of a 12-bit type: -2048 and 2047.
	printf '\000\370\377\007\000\000' >q
	run --separate-stderr -0 npu-dequant --stats -r -o x -t s12 q
	[[ $stderr == *", 3 levels, 2 at the ends of the range" ]]
	# Floats of any size have no ends of a range.
	printf '\000\074' >q
	run --separate-stderr -0 npu-dequant --stats -r -o x -t f16 q
	[[ $stderr == *": 1 element "*", rms 1" ]]
}

@test "--explain prints formulas with their numbers and reads no data" {
	models
	run --separate-stderr -0 npu-dequant --explain -t s8 -s 20 -z 60 </dev/null
	[ "$output" = "out0: s8, scale 20, zero point 60
  x = (q + 60) / 20
  q = clip(rint(x * 20 - 60)), halves to even, from -128 to 127
  x from -3.4 to 9.35, in steps of 0.05" ]
	run -0 npu-dequant --explain -t s32
	[ "${lines[1]}" = "  x = q" ]
	[[ ${lines[2]} == "  q = clip(rint(x)), halves to even, from -2147483648 \
to 2147483647" ]]
	run -0 npu-dequant --explain -m two.cix
	[[ ${lines[0]} == "out0 x: u8, scale 255, zero point 0" ]]
	[[ $output == *"out1 y: f16
  x = q, the number itself, never scaled" ]]
	printf 'abcdefgh' | npu-tensor -a -t u64 -z -7 --shape=1 >t
	run -0 npu-dequant --explain t
	[[ $output == *"from 0 to 18446744073709551615"* ]]
	# Only the first frame is explained, and no frame is converted.
	cat t t >tt
	run --separate-stderr -0 npu-dequant --explain tt
	[ "$(grep -c '^1\.0:' <<<"$output")" -eq 1 ]
	[[ $output != *2.0* ]]
	[ "$stderr" = "" ]
}

@test "--explain names the tensor that was chosen from the model" {
	models
	run -0 npu-dequant --explain -m two.cix:out1
	[ "${lines[0]}" = "out1 y: f16" ]
	run -0 npu-dequant --explain -m two.cix:x
	[[ ${lines[0]} == "out0 x: u8, "* ]]
}

# bats test_tags=slow
@test "stdin that is named twice is refused before anything is read" {
	printf 4761 | npu-tensor -q -a -t s8 --shape=4 >four
	mkcix --in s8:4 --out s8:4 >m.cix
	for words in 'npu-dequant - four -' 'npu-dequant --diff=-' \
	    'npu-quant -t s8 - four -' 'npu-tensor - four -' \
	    'npu-run m.cix - four -' 'vec-drift --ids=-' \
	    'clip-tokenize - four -' 'yolo-decode --names=- --image=x' \
	    'yolo-detect --names=- -'; do
		# shellcheck disable=SC2086 # words
		run --separate-stderr -2 $words <four
		[ "$output" = "" ]
		[ "${stderr_lines[0]}" = "${words%% *}: stdin can be read only \
once; name files for the rest" ]
	done
}

@test "--explain refuses options and files that it does not use" {
	while IFS=';' read -r words reason; do
		# shellcheck disable=SC2086 # words
		run --separate-stderr -2 npu-dequant --explain $words
		[ "${stderr_lines[0]}" = "npu-dequant: --explain $reason" ]
	done <<-'END'
	--stats t;converts nothing; leave --stats out
	-F npy t;converts nothing; leave --format out
	--norm=all t;converts nothing; leave --norm out
	t u;reads one file
	-t s8 t;reads no file when the type is given
	END
}

# bats test_tags=native,slow
@test "npu-dequant's memory does not grow with the input" {
	(
		ulimit -v 60000
		head -c 200000000 /dev/zero | npu-dequant -r -t s8 |
		    tail -c 4 >last
		[ "${PIPESTATUS[1]}" -eq 0 ]
		head -c 200000000 /dev/zero |
		    npu-tensor -a -t s8 --shape=200000000 |
		    npu-dequant | tail -c 4 >last2
		[ "${PIPESTATUS[*]}" = "0 0 0 0" ]
		head -c 200000000 /dev/zero |
		    npu-tensor -a -t s8 --shape=200000,1000 |
		    npu-dequant --norm=l2 --keep-zero | tail -c 4 >last3
		[ "${PIPESTATUS[*]}" = "0 0 0 0" ]
	)
	[ "$(bytes last)$(bytes last2)$(bytes last3)" = \
	    "0 0 0 00 0 0 00 0 0 0" ]
}

@test "--norm takes a vector of at most 2^30 numbers" {
	run --separate-stderr -1 npu-dequant --norm=all -t s8 \
	    --shape=2,536870913 <<<a
	[ "$output" = "" ]
	[ "$stderr" = "npu-dequant: stdin: frame 1, tensor 0: a vector of \
1073741826 numbers; --norm takes at most 1073741824" ]
	run --separate-stderr -1 npu-dequant --norm=l2 -t s8 \
	    --shape=2,1073741825 <<<a
	[ "$stderr" = "npu-dequant: stdin: frame 1, tensor 0: a row of \
1073741825 numbers; --norm takes at most 1073741824" ]
	run --separate-stderr -1 npu-dequant --norm=l2 -t s8 \
	    --shape=1073741825,2 <<<a
	[[ $stderr != *"at most"* ]]
}

# npu-dequant reads 16384 numbers at a time.
# bats test_tags=slow
@test "--norm=l2 works for rows shorter and longer than one read" {
	for n in 7 6000 16384 16385 40000; do
		perl -e "print map chr(\$_ * 31 % 251 + 1), 1 .. 3 * $n" >q
		npu-dequant --norm=l2 -r -t s8 --shape=3,$n q >rows
		split -b "$n" q row
		for row in rowaa rowab rowac; do
			npu-dequant --norm=all -r -t s8 $row
		done | cmp - rows
		npu-dequant --norm=l2 -t s8 --shape=3,$n <q | tail -c +65 |
		    cmp - rows
	done
}

# ---- --diff ---------------------------------------------------------------

# bats test_tags=slow
@test "--diff reports the differences that were worked out by hand" {
	# 3 0 4 and the reference 3 0 5: max 1 at 2, rms sqrt(1/3),
	# cos 29/5/sqrt(34), sqnr 10 log10(34).  The deviations from the means
	# are 2 -7 5 and 1 -8 7, all / 3, so corr is 93 / sqrt(78 * 114).
	# mae is 1/3.
	f32 3 0 5 >r
	printf '\003\000\004' | npu-tensor -a -t s8 --shape=3 >a
	run --separate-stderr -0 npu-dequant --diff=r a
	[ "$output" = \
	    "1.0  max 1 at 2, rms 0.5773503, cos 0.994691794, sqnr 15.31 dB, \
corr 0.986241383, mae 0.3333333" ]
	run -0 npu-dequant --diff=r -F jsonl a
	[ "$(jq -c '[.schema, .frame, .tensor, .elements, .max, .max_at,
	    .within]' <<<"$output")" = '["npu-diff/1",1,0,3,1,2,true]' ]
	jq -e '(.corr - 93 / (78 * 114 | sqrt) | fabs) < 1e-15 and
	    .mae == 1 / 3' <<<"$output"
	run -0 npu-dequant --diff=a a
	[ "$output" = "1.0  max 0 at 0, rms 0, cos 1, sqnr inf dB, corr 1, \
mae 0" ]
	# JSON has no infinity: "exact" is true for +inf, and false for -inf.
	f32 0 0 0 >zeros
	f32 1 0 0 >wrong
	run -0 npu-dequant --diff=zeros -t f32 wrong
	[ "$output" = "1.0  max 1 at 0, rms 0.5773503, cos 0, sqnr -inf dB, \
corr nan, mae 0.3333333" ]
	run -0 npu-dequant --diff=a -F jsonl a
	[ "$(jq -c '[.sqnr_db, .exact]' <<<"$output")" = '[null,true]' ]
	run -0 npu-dequant --diff=zeros -F jsonl -t f32 wrong
	[ "$(jq -c '[.sqnr_db, .exact]' <<<"$output")" = '[null,false]' ]
	run -0 npu-dequant --diff=a <a
	[ "$output" = "1.0  max 0 at 0, rms 0, cos 1, sqnr inf dB, corr 1, \
mae 0" ]
	# With infinities, both are NaN, printed without its meaningless sign.
	f32 inf 1 >inf
	run -0 npu-dequant --diff=inf -t f32 inf
	[[ $output == *", cos nan, "*", corr nan, mae 0" ]]
	# The cosine of two zero vectors is 1; if only one is zero, it is 0.
	f32 0 0 0 >z
	run -0 npu-dequant -t f32 --diff=z z
	[[ $output == "1.0  max 0 at 0, rms 0, cos 1, "* ]]
	run -0 npu-dequant --diff=z a
	[[ $output == "1.0  max 4 at 2, "*", cos 0, "* ]]
	run -0 npu-dequant -t f32 --diff=a z
	[[ $output == "1.0  max 4 at 2, "*", cos 0, "* ]]
	# Two NaN do not differ, and equal infinities do not.  A NaN or an
	# infinity on one side only differs.
	f32 nan inf 1 >n
	run -0 npu-dequant -t f32 --diff=n n
	[[ $output == "1.0  max 0 at 0, rms 0, "* ]]
	f32 1 inf 1 >o
	run -0 npu-dequant -t f32 --diff=n o
	[[ $output == "1.0  max inf at 0, "*", corr nan, mae inf" ]]
	run -0 npu-dequant -t f32 --diff=o n
	[[ $output == "1.0  max inf at 0, "* ]]
	f32 nan 2 1 >o
	run -0 npu-dequant -t f32 --diff=n o
	[[ $output == "1.0  max inf at 1, "* ]]
}

# bats test_tags=slow
@test "--tol: npu-dequant ends with status 4 if any limit is exceeded" {
	f32 3 0 5 >r
	printf '\003\000\004' | npu-tensor -a -t s8 --shape=3 >a
	for good in 1 max:1 rms:0.58 cos:0.99 sqnr:15 corr:0.986 mae:0.34 \
	    max:1,cos:0.99 corr:0.98,mae:0.5; do
		run -0 npu-dequant --diff=r --tol=$good a
	done
	for bad in 0.9 max:0.99 rms:0.57 cos:0.995 sqnr:16 corr:0.987 mae:0.33 \
	    max:1,cos:0.999 corr:0.99,mae:0.5 corr:0.98,mae:0.3; do
		run -4 npu-dequant --diff=r --tol=$bad a
		[[ $output == *", beyond tolerance" ]]
	done
	f32 3 nan 5 >r
	run -4 npu-dequant --diff=r --tol=1000 a
	for never in cos:-1 corr:-1 mae:1e300; do
		run -4 npu-dequant --diff=r --tol=$never a
	done
	for wrong in x cos: cos:1x max:-1 sum:1 corr:1.1 corr:-1.1 mae:-1; do
		run -2 npu-dequant --diff=r --tol=$wrong a
	done
	run --separate-stderr -2 npu-dequant --diff=r --tol=cor:1 a
	[ "${stderr_lines[0]}" = "npu-dequant: --tol: 'cor:1' is not max:, \
rms:, cos:, sqnr:, corr: or mae: and a number" ]
	run -2 npu-dequant --tol=1 a
	run -2 npu-dequant --normalise --diff=r a
	run -2 npu-dequant -r --diff=r a
	run -2 npu-dequant --stats --diff=r a
	run -2 npu-dequant --explain --diff=r a
	run --separate-stderr -2 npu-dequant --diff=r a a
	[[ $stderr == *"--diff compares one file, or standard input"* ]]
	# One tensor beyond the tolerance is enough, even if the next is equal.
	printf abab | npu-tensor -a -t u8 --shape=2 >q
	printf azab | npu-tensor -a -t u8 --shape=2 >s
	run -4 npu-dequant --diff=q --tol=1 s
	[[ ${lines[0]} == *", beyond tolerance" ]]
	[[ ${lines[1]} == "2.0  max 0 at 0, rms 0, cos 1, sqnr inf dB, "* ]]
	# x and x have the cosine and the correlation 1, despite rounding.
	for x in '1 1' '1 1 1' '.1 .2 .3 .7'; do
		# shellcheck disable=SC2086 # numbers
		f32 $x >x
		run -0 npu-dequant -t f32 --diff=x --tol=cos:1,corr:1 -F jsonl x
		[ "$(jq .cos <<<"$output")" = 1 ]
	done
	[ "$(jq .corr <<<"$output")" = 1 ]
}

# Pearson's correlation is the sum of the products of both sides' deviations
# from their means, divided by the root of the product of the sums of the
# squares of these deviations.
# bats test_tags=slow
@test "--diff: corr is precise for numbers far from 0 and for many numbers" {
	# 0 1 0 1 and 0 1 2 3, each plus 2 ** 23, where floats are 1 apart: the
	# mean product of the deviations is 1/4, the variances are 1/4 and 5/4.
	perl -e 'print pack("f<*", map { 2 ** 23 + $_ % 2 } 0 .. 39999)' >a
	perl -e 'print pack("f<*", map { 2 ** 23 + $_ % 4 } 0 .. 39999)' >r
	run -0 npu-dequant -t f32 --diff=r -F jsonl a
	jq -e '(.corr - 1 / (5 | sqrt) | fabs) < 1e-14 and .mae == 1' \
	    <<<"$output"
	# n / 2 zeros and n / 2 ones, with the reference 0 to n - 1: the mean
	# product is n / 8, the variances are 1/4 and (n * n - 1) / 12.
	perl -e 'print pack("f<*", (0) x 20000, (1) x 20000)' >a
	perl -e 'print pack("f<*", 0 .. 39999)' >r
	run -0 npu-dequant -t f32 --diff=r -F jsonl a
	jq -e '(.corr - 10000 * (12 / (40000 * 40000 - 1) | sqrt) | fabs) <
	    1e-14' <<<"$output"
	# Opposite numbers have the correlation -1, despite rounding.
	perl -e 'print pack("f<*", map { 7 - $_ / 3 } 0 .. 39999)' >a
	perl -e 'print pack("f<*", map { -$_ } unpack("f<*", `cat a`))' >r
	run -0 npu-dequant -t f32 --diff=r -F jsonl a
	jq -e '.corr == -1' <<<"$output"
}

@test "--diff: corr is null if a side is constant; only equal sides pass" {
	f32 .1 .1 .1 >same
	f32 .3 .3 .3 >other
	f32 .1 .1 .2 >varies
	for sides in 'varies same' 'same varies' 'other same'; do
		read -r a r <<<"$sides"
		run -4 npu-dequant -t f32 --diff="$r" --tol=corr:-1 -F jsonl "$a"
		[ "$(jq -c '[.corr, .within]' <<<"$output")" = '[null,false]' ]
	done
	run -0 npu-dequant -t f32 --diff=same --tol=corr:1,mae:0 -F jsonl same
	[ "$(jq -c '[.corr, .mae, .exact, .within]' <<<"$output")" = \
	    '[null,0,true,true]' ]
	# Constant numbers in many pieces, whose means are merged.
	perl -e 'print pack("f<*", (.1) x 40001)' >same
	run -0 npu-dequant -t f32 --diff=same --tol=corr:1 -F jsonl same
	[ "$(jq .corr <<<"$output")" = null ]
	# Equal infinities do not differ, but have neither cosine nor corr.
	f32 inf inf >same
	run -4 npu-dequant -t f32 --diff=same --tol=corr:-1 same
	run -0 npu-dequant -t f32 --diff=same --tol=mae:0 same
}

# Expected: Python's statistics.correlation() and the mean of abs(x - y), in
# float64, for each kernel's attention and the exact attention.
# bats test_tags=slow
@test "--diff: corr and mae of five int8 attention kernels equal Python's" {
	need_data xdna/numerics
	npu-tensor -a -t f64 "$DATA/at42_exact.f64" >exact
	while read -r kernel corr mae; do
		npu-dequant -t s8 --diff=exact -F jsonl \
		    "$DATA/at42_attention${kernel#.}.i8" >got
		jq -e --argjson corr "$corr" --argjson mae "$mae" \
		    '(.corr - $corr | fabs) < 1e-9 and
		    (.mae - $mae | fabs) < 1e-6 * $mae' got ||
			{ cat got; false; }
	done <<-END
	. 0.999999999733 0.0000873057539
	-lut8 0.965368344512 6.715008924
	-shift4 0.915998899575 14.434251644
	-int8 0.187389053078 31.702082786
	-guide 0.999974905622 0.49885683224
	END
}

# bats test_tags=slow
@test "--diff of streams that do not match is an error" {
	printf 'abcd' | npu-tensor -a -t s8 --shape=2 >two
	printf 'ab' | npu-tensor -a -t s8 --shape=2 >one
	printf 'abc' | npu-tensor -a -t s8 --shape=3 >three
	run --separate-stderr -1 npu-dequant --diff=one two
	[ "$stderr" = "npu-dequant: two: frame 2, tensor 0: one has fewer \
tensors" ]
	run --separate-stderr -1 npu-dequant --diff=two one
	[ "$stderr" = "npu-dequant: two: frame 2, tensor 0: one has fewer \
tensors" ]
	run --separate-stderr -1 npu-dequant --diff=three one
	[ "$stderr" = "npu-dequant: one: frame 1, tensor 0: fewer elements \
than in three" ]
	run --separate-stderr -1 npu-dequant --diff=/dev/null one
	run --separate-stderr -1 npu-dequant --diff=one three
	[ "$stderr" = "npu-dequant: three: frame 1, tensor 0: more elements \
than in one" ]
	: >empty
	run --separate-stderr -1 bash -c 'f32() { printf "\\0\\0\\0\\0"; }
	    npu-dequant -t s8 --diff=<(f32) empty'
	[[ $stderr == *": frame 1, tensor 0: empty has fewer tensors" ]]
	models
	f32 1 2 3 >raw
	run --separate-stderr -1 npu-dequant -m two.cix --diff=raw raw
	[ "$stderr" = "npu-dequant: raw: raw bytes cannot be a reference for \
several tensors a frame; label them" ]
}

# ---- Rules for all programs -----------------------------------------------

# bats test_tags=slow
@test "a cut stream: whole frames are written, then an error" {
	printf 'abcdefgh' | npu-tensor -a -t s8 --shape=4 >t
	head -c 134 t >short
	run --separate-stderr -1 npu-dequant -F text short
	[ "$output" = "97 98 99 100" ]
	[ "$stderr" = "npu-dequant: short: frame 2, tensor 0: ends after 2 of \
4 bytes" ]
	run --separate-stderr -1 npu-dequant -o out short
	[ ! -e out ]
	# A frame of several tensors is never written in part.
	printf abcd | npu-tensor -a -t s8 >one
	npu-tensor --zip one one >two
	{ cat two; head -c 68 two; } >short
	run --separate-stderr -1 npu-dequant short -F jsonl
	[ "${#lines[@]}" -eq 2 ]
	[[ $stderr == *"short: frame 2"* ]]
	npu-dequant two >want
	run -1 bash -c 'npu-dequant short >got'
	cmp got want
}

@test "a file that is cut while it is read is an error" {
	head -c 4000000 /dev/zero >z
	mkfifo out
	npu-dequant -r -t s8 z >out 2>said &
	pid=$!
	exec 6<out
	head -c 4 <&6 >/dev/null
	truncate -s 2000000 z
	cat <&6 >/dev/null
	exec 6<&-
	status=0
	wait $pid || status=$?
	[ $status -eq 1 ]
	[ "$(cat said)" = "npu-dequant: z: frame 1, tensor 0: ends after \
2000000 of 4000000 bytes" ]
}
@test "the output so far is written if the next file cannot be opened" {
	f32 1 2 >one
	npu-dequant -t s8 -r one >want
	run -1 --separate-stderr bash -c 'npu-dequant -t s8 -r one none >o'
	[ "$stderr" = "npu-dequant: none: No such file or directory" ]
	cmp o want
	run -1 npu-dequant -t s8 -r -o new one none
	[ ! -e new ]
}

@test "empty input gives no tensors and no error" {
	run --separate-stderr -0 npu-dequant -r </dev/null
	[ "$output$stderr" = "" ]
	run --separate-stderr -0 npu-dequant --stats -r -t s8 </dev/null
	[ "$stderr" = "npu-dequant: stats: no elements" ]
}

# bats test_tags=slow
@test "a usage error prints one line and a hint, with status 2" {
	for bad in "-t s9" "-s 0" "-s -1" "-s inf" "-z 2147483648" "-F xml" \
	    "--explian" "-Q" "--stats=1" "-m" "--mod=x" "-t f32 -z 1"; do
		# shellcheck disable=SC2086
		run --separate-stderr -2 npu-dequant $bad </dev/null
		[ "$output" = "" ]
		[ "${#stderr_lines[@]}" -eq 2 ]
		[ "${stderr_lines[1]}" = \
		    "Try 'npu-dequant --help' for more information." ]
	done
	run --separate-stderr -2 npu-dequant --explian
	[[ ${stderr_lines[0]} == *"did you mean '--explain'?" ]]
}

@test "a file that is not a model is refused with its name" {
	echo hello >m.cix
	run --separate-stderr -1 npu-dequant -m m.cix </dev/null
	[[ $stderr == "npu-dequant: m.cix: "* ]]
	run --separate-stderr -1 npu-dequant -m nowhere.cix </dev/null
	[[ $stderr == "npu-dequant: nowhere.cix: no such model in the working \
directory"* ]]
	mkdir d
	models
	mv one.cix d/there.cix
	printf 'aaaa' >a
	NPU_MODEL_PATH=x:$PWD/d run -0 npu-dequant -F text -m there.cix a
	[ "${output%% *}" = 5.7090907 ]
}

# bats test_tags=native,slow
@test "an installed model is found beside the program, with a note" {
	models
	mkdir -p tree/bin tree/share/npu-utils/models
	cp "$B/bin/npu-dequant" tree/bin/
	mv one.cix tree/share/npu-utils/models/demo.cix
	run --separate-stderr -0 tree/bin/npu-dequant --explain -m demo.cix:emb
	[ "${lines[0]}" = "out0 emb: s8, scale 27.5, zero point 60" ]
	[ "$stderr" = "npu-dequant: demo model demo.cix" ]
	run --separate-stderr -0 tree/bin/npu-dequant -q --explain -m demo.cix
	[ "$stderr" = "" ]
	# The working directory comes first, then NPU_MODEL_PATH.
	mkdir first
	cix-pack -I i:s8:1 -O o:f16:1 -o first/demo.cix
	NPU_MODEL_PATH=first run --separate-stderr -0 tree/bin/npu-dequant \
	    --explain -m demo.cix
	[ "${lines[0]}$stderr" = "out0 o: f16" ]
	cix-pack -I i:s8:1 -O o:bf16:1 -o demo.cix
	NPU_MODEL_PATH=first run --separate-stderr -0 tree/bin/npu-dequant \
	    --explain -m demo.cix
	[ "${lines[0]}$stderr" = "out0 o: bf16" ]
	# The name must have its .cix.
	run -1 tree/bin/npu-dequant --explain -m demo
}

@test "--help shows the values of the environment variables" {
	NPU_MODEL_PATH=/some/where run -0 npu-dequant --help
	[[ $output == *"NPU_MODEL_PATH=/some/where"* ]]
	run -0 npu-dequant --help
	[[ $output == *"NPU_MODEL_PATH (not set)"* ]]
}

# bats test_tags=slow
@test "a full or closed stdout is an error; SIGPIPE ends npu-dequant" {
	head -c 2000000 /dev/zero >z
	for f in raw label text jsonl; do
		# shellcheck disable=SC2016
		run -1 bash -c 'npu-dequant -t s8 -F $1 z 2>&1 >/dev/full' - $f
		[ "$output" = "npu-dequant: write error: No space left on device" ]
	done
	run -1 bash -c 'npu-dequant -r -t s8 z 2>&1 >&-'
	[ "$output" = "npu-dequant: write error: Bad file descriptor" ]
	# shellcheck disable=SC2016
	run --separate-stderr -0 bash -c 'npu-dequant -r -t s8 z | head -c 1 >/dev/null
	    echo "${PIPESTATUS[0]}"'
	[ "$output$stderr" = 141 ]
}

@test "npu-dequant writes text to a terminal, and refuses to write binary" {
	command -v script >/dev/null || skip "no script(1)"
	printf '\003\004' >q
	run -0 script -qec 'npu-dequant --normalise -t s8 q' /dev/null
	[[ $output == "0.6 0.8"* ]]
	run -2 script -qec 'npu-dequant -r -t s8 q' /dev/null
}

# bats test_tags=slow
@test "--keep-zero keeps vectors of zeros, but refuses a vector with NaN" {
	f32 3 4 0 0 -0 0 8 6 | npu-tensor --add -t f32 --shape=4,2 >t
	run --separate-stderr -1 npu-dequant --norm=l2 t
	run -0 npu-dequant --norm=l2 --keep-zero -F text t
	[ "$output" = "0.6 0.8 0 0 -0 0 0.8 0.6" ]
	f32 0 0 0 | npu-tensor --add -t f32 --shape=3 >z
	run -0 npu-dequant --norm=all --keep-zero -F text z
	[ "$output" = "0 0 0" ]
	f32 0 nan 0 | npu-tensor --add -t f32 --shape=3 >z
	run --separate-stderr -1 npu-dequant --norm=all --keep-zero z
	[ "$output" = "" ]
	run --separate-stderr -2 npu-dequant --keep-zero t
	[[ $stderr == *"--keep-zero needs --norm"* ]]
}

@test "-v reports what was read, unless -q is given" {
	printf 'abcd' >q
	run --separate-stderr -0 npu-dequant -v -t s8 --shape=2 -o f q
	[ "$stderr" = "npu-dequant: q: raw bytes, 2 tensors, the first s8 [2]\
 scale=1 zero_point=0" ]
	run --separate-stderr -0 npu-dequant -qv -t s8 -o f q
	[ "$stderr" = "" ]
}
