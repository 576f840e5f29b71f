#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# bats file_tags=arm64

load ../support/helper

KERNELS='layernorm layernorm-exact attention attention-exact attention-guide
attention-lut8 attention-shift4 attention-int8'

# bf16 BITS...: prints 16-bit words, given in hexadecimal, in little-endian
# order.
bf16() {
	perl -e 'print pack("S<*", map hex, @ARGV)' -- "$@"
}

# as_f32 FILE: prints the 64-bit floats of FILE rounded to 32 bits.
as_f32() {
	perl -e 'local $/; print pack("f<*", unpack("d<*", <STDIN>))' <"$1"
}

@test "layernorm gives the same bits as the reference for each row" {
	need_data xdna/numerics/ln_a_in.bf16
	npu-ref -r layernorm <"$DATA" | cmp - "${DATA%_in.bf16}_out.bf16"
	npu-ref layernorm "$DATA" >out
	npu-tensor -r out | cmp - "${DATA%_in.bf16}_out.bf16"
	run -0 npu-tensor out
	[ "${#lines[@]}" -eq 11 ]
	[ "${lines[10]}" = "11.0  bf16 [512]" ]
}

@test "each attention kernel gives the same bits as the reference" {
	need_data xdna/numerics
	for set in at42 at_g4 at_zero; do
		for k in $KERNELS; do
			case $k in
			layernorm* | *-exact) ;;
			*) npu-ref -r "$k" "$DATA/${set}_qkv.i8" |
			    cmp - "$DATA/${set}_$k.i8" ;;
			esac
		done
	done
	npu-ref attention "$DATA/at42_qkv.i8" >out
	run -0 npu-tensor out
	[ "$output" = "1.0  s8 [64,64] scale=1 zero_point=0" ]
}

@test "the exact kernels calculate in double and round once to f32" {
	need_data xdna/numerics
	as_f32 "$DATA/ln_a_exact.f64" >want
	npu-ref -r layernorm-exact "$DATA/ln_a_in.bf16" | cmp - want
	for set in at42 at_g4 at_zero; do
		as_f32 "$DATA/${set}_exact.f64" >want
		npu-ref -r attention-exact "$DATA/${set}_qkv.i8" | cmp - want
	done
	npu-ref attention-exact "$DATA/at42_qkv.i8" >out
	run -0 npu-tensor out
	[ "$output" = "1.0  f32 [64,64]" ]
}

@test "frames of several files are computed one after the other" {
	need_data xdna/numerics
	cat "$DATA"/at42_attention.i8 "$DATA"/at_{g4,zero}_attention.i8 \
	    >want
	cat "$DATA"/at_{g4,zero}_qkv.i8 |
	    npu-ref -r attention "$DATA/at42_qkv.i8" - | cmp - want
}

@test "--row sets the length of rows" {
	# Each row has a mean of 2 or 0 and a variance of 1.
	bf16 4040 3f80 3f80 bf80 3f80 bf80 bf80 3f80 >in
	bf16 3f80 bf80 3f80 bf80 3f80 bf80 bf80 3f80 >want
	npu-ref -r --row=2 layernorm in | cmp - want
	npu-ref --row=2 layernorm in >out
	run -0 npu-tensor out
	[ "${lines[3]}" = "4.0  bf16 [2]" ]
	# A row of one element becomes 0.
	npu-ref -r --row=1 layernorm in >out
	[ "$(bytes out)" = "0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0" ]
	# 1 / sqrt(1 + eps) = 0.99999499
	npu-ref -r --row=2 layernorm-exact in >out
	[ "$(floats out)" = "0.999995 -0.999995 0.999995 -0.999995 0.999995 \
-0.999995 -0.999995 0.999995" ]
}

@test "a row with NaN or infinity becomes NaN, with the same bits everywhere" {
	bf16 3f80 7f81 bf80 ffc5 3f80 7f80 0 0 >in
	bf16 7fc1 7fc1 7fc1 ffc5 ffc0 ffc0 ffc0 ffc0 >want
	npu-ref -r --row=4 layernorm in | cmp - want
	perl -e 'print pack("(H8)*", qw(0000c17f 0000c17f 0000c17f 0000c5ff
	    0000c0ff 0000c0ff 0000c0ff 0000c0ff))' >want
	npu-ref -r --row=4 layernorm-exact in | cmp - want
}

# bats test_tags=slow
@test "empty input gives no frames and no error" {
	for k in $KERNELS; do
		run --separate-stderr -0 npu-ref "$k" </dev/null
		[ "$output$stderr" = "" ]
	done
}

@test "whole frames are written, then an incomplete frame is an error" {
	need_data xdna/numerics
	{ cat "$DATA/at42_qkv.i8"; printf x; } >in
	run -1 --separate-stderr bash -c 'npu-ref -r attention <in >out'
	[ "$stderr" = "npu-ref: stdin: 12289 bytes, not a whole number of \
frames of 12288 bytes; frame 2 has 1" ]
	cmp out "$DATA/at42_attention.i8"
	head -c 3000 "$DATA/ln_a_in.bf16" >in
	run -1 --separate-stderr bash -c 'npu-ref -r layernorm <in >out'
	[ "$stderr" = "npu-ref: stdin: 3000 bytes, not a whole number of \
frames of 1024 bytes; frame 3 has 952" ]
	head -c 2048 "$DATA/ln_a_out.bf16" | cmp - out
	# The same for a labelled tensor with -r.  Without -r, nothing is
	# written, because the label of the output would be wrong.
	npu-tensor -a -t bf16 --shape=11,512 "$DATA/ln_a_in.bf16" |
	    head -c $((64 + 3000)) >in
	run -1 --separate-stderr bash -c 'npu-ref -r layernorm <in >out'
	[ "$stderr" = "npu-ref: stdin: frame 1, tensor 0: ends after 3000 of \
11264 bytes" ]
	head -c 2048 "$DATA/ln_a_out.bf16" | cmp - out
	run -1 bash -c 'npu-ref layernorm <in 2>/dev/null'
	[ "$output" = "" ]
	# With -o, no file appears.
	run -1 npu-ref -o new layernorm in
	[ ! -e new ]
}

@test "a label gives the shape of the input, and the output has a label" {
	need_data xdna/numerics
	while IFS='|' read -r kernel type shape size want; do
		head -c "$size" /dev/zero |
		    npu-tensor -a -t "$type" ${shape:+"--shape=$shape"} |
		    npu-ref "$kernel" >out
		run -0 npu-tensor out
		[ "$output" = "1.0  $want" ]
	done <<-'END'
	layernorm|bf16|512|1024|bf16 [512]
	layernorm|bf16|3,512|3072|bf16 [3,512]
	layernorm|bf16|2,16,32|2048|bf16 [2,16,32]
		layernorm|bf16|1024|2048|bf16 [1024]
	layernorm-exact|bf16|3,512|3072|f32 [3,512]
	attention|s8|3,64,64|12288|s8 [64,64] scale=1 zero_point=0
	attention|s8|12288|12288|s8 [64,64] scale=1 zero_point=0
	attention|s8|192,64|12288|s8 [64,64] scale=1 zero_point=0
	attention|s8|2,3,64,64|24576|s8 [2,64,64] scale=1 zero_point=0
	attention-exact|s8|24576|24576|f32 [2,64,64]
	END
	# The elements are the same as without labels.
	npu-tensor -a -t bf16 --shape=11,512 "$DATA/ln_a_in.bf16" |
	    npu-ref -r layernorm | cmp - "$DATA/ln_a_out.bf16"
	npu-tensor -a -t s8 --shape=3,64,64 -F npy "$DATA/at42_qkv.i8" |
	    npu-ref -r attention | cmp - "$DATA/at42_attention.i8"
}

# bats test_tags=slow
@test "a tensor that does not fit the kernel is refused with advice" {
	while IFS='|' read -r words kernel size want; do
		# shellcheck disable=SC2086 # words
		head -c "$size" /dev/zero | npu-tensor -a $words >in
		run --separate-stderr -1 npu-ref $kernel in
		[ "$output" = "" ]
		[ "$stderr" = "npu-ref: in: frame 1, tensor 0: it is $want" ] ||
			{ echo "$stderr"; false; }
	done <<-'END'
	-t f32 --shape=512|layernorm|2048|f32 [512], and layernorm takes one or more bf16 [512]; npu-quant -t bf16 converts it
	-t s16 --shape=512|layernorm|1024|s16 [512] scale=1 zero_point=0, and layernorm takes one or more bf16 [512]; npu-dequant | npu-quant -t bf16 converts it
	-t bf16 --shape=4,256|layernorm|2048|bf16 [4,256], and layernorm takes one or more bf16 [512]; --row=256 takes its rows
	-t bf16 --shape=500|layernorm|1000|bf16 [500], and layernorm takes one or more bf16 [512]; --row=500 takes its rows
	-t bf16 --shape=4,512|--row=256 layernorm|4096|bf16 [4,512], and layernorm takes one or more bf16 [256]; --row=512 takes its rows
	-t s8 --shape=64,64|attention|4096|s8 [64,64] scale=1 zero_point=0, and attention takes one or more s8 [3,64,64] scale=1 zero_point=0
	-t s8 --shape=64,3,128|attention|24576|s8 [64,3,128] scale=1 zero_point=0, and attention takes one or more s8 [3,64,64] scale=1 zero_point=0
	-t u8 --shape=3,64,64|attention|12288|u8 [3,64,64] scale=1 zero_point=0, and attention takes one or more s8 [3,64,64] scale=1 zero_point=0; npu-dequant | npu-quant -t s8 converts it
	-t s8 -s 20 --shape=3,64,64|attention|12288|s8 [3,64,64] scale=20 zero_point=0, and attention takes one or more s8 [3,64,64] scale=1 zero_point=0; the kernel knows no scale: npu-tensor -r takes the label off
	-t s8 -z 3 --shape=3,64,64|attention|12288|s8 [3,64,64] scale=1 zero_point=3, and attention takes one or more s8 [3,64,64] scale=1 zero_point=0; the kernel knows no scale: npu-tensor -r takes the label off
	END
}

@test "--help lists each kernel; a wrong name is a usage error" {
	npu-ref --help >help
	for k in $KERNELS; do
		grep -qE "^  (.*, )?$k(,| |\$)" help
	done
	run --separate-stderr -2 npu-ref layernrm
	[ "${stderr_lines[0]}" = "npu-ref: no kernel is called 'layernrm'; \
did you mean 'layernorm'?" ]
	run --separate-stderr -2 npu-ref qkv.bin
	[ "${stderr_lines[0]}" = "npu-ref: no kernel is called 'qkv.bin'; \
--help lists them" ]
	run --separate-stderr -2 npu-ref
	[ "${stderr_lines[0]}" = "npu-ref: no kernel given: npu-ref KERNEL \
[FILE...]; --help lists them" ]
}

# bats test_tags=slow
@test "--row is refused where it has no effect, and out of range" {
	for k in attention attention-exact attention-int8; do
		run --separate-stderr -2 npu-ref --row=64 $k </dev/null
		[ "$output" = "" ]
		[ "${stderr_lines[0]}" = "npu-ref: --row is for layernorm and \
layernorm-exact; $k takes matrices of 64 x 64" ]
	done
	for n in 0 -1 16777217 5x; do
		run --separate-stderr -2 npu-ref --row=$n layernorm </dev/null
		[ "${stderr_lines[0]}" = "npu-ref: --row: '$n' is not a whole \
number from 1 to 16777216" ]
	done
	npu-ref --row=16777216 layernorm </dev/null
}

@test "a full or closed stdout is a write error" {
	head -c 2048 /dev/zero >in
	run -1 bash -c 'npu-ref layernorm in 2>&1 >/dev/full'
	[ "$output" = "npu-ref: write error: No space left on device" ]
	run -1 bash -c 'npu-ref layernorm in 2>&1 >&-'
	[ "$output" = "npu-ref: write error: Bad file descriptor" ]
}

@test "the output so far is written if the next file cannot be opened" {
	head -c 1024 /dev/zero >one
	run -1 --separate-stderr bash -c 'npu-ref -r layernorm one none >out'
	[ "$stderr" = "npu-ref: none: No such file or directory" ]
	cmp out one
}

@test "-v reports what was read, unless -q is given" {
	head -c 2048 /dev/zero >in
	run --separate-stderr -0 npu-ref -v layernorm -o out in
	[ "$stderr" = "npu-ref: in: raw bytes, 2 tensors, the first bf16 [512]" ]
	run --separate-stderr -0 npu-ref -qv layernorm -o out in
	[ "$stderr" = "" ]
}

# accuracy GOT EXACT: prints the correlation, the mean error and the greatest
# error of GOT, which is s8, against EXACT, which is f64.
accuracy() {
	perl -e 'local $/;
	    my ($a, $b) = map { open my $f, "<", $_ or die; <$f> } @ARGV;
	    my @a = unpack("c*", $a);
	    my @b = unpack("d<*", $b);
	    my ($n, $sa, $sb, $aa, $bb, $ab, $mean, $most) = (scalar @a);
	    for (0 .. $n - 1) {
		my ($x, $y) = ($a[$_], $b[$_]);
		$sa += $x, $sb += $y;
		$aa += $x * $x, $bb += $y * $y, $ab += $x * $y;
		my $d = abs($x - $y);
		$mean += $d / $n;
		$most = $d if $d > $most;
	    }
	    printf "%.4f %.2f %.2f\n", ($ab - $sa * $sb / $n) /
		sqrt(($aa - $sa * $sa / $n) * ($bb - $sb * $sb / $n)),
		$mean, $most' "$1" "$2"
}

@test "each kernel is as accurate as npu-ref(1) states" {
	need_data xdna/numerics
	awk '/^\.It Li attention/ { gsub(" Ta ", " "); print $3, $4, $5, $6 }' \
	    "$TOP/man/npu-ref.1" >rows
	[ "$(wc -l <rows)" -eq 5 ]
	while read -r k want; do
		npu-ref -r "$k" "$DATA/at42_qkv.i8" >got
		[ "$(accuracy got "$DATA/at42_exact.f64")" = "$want" ]
	done <rows
	npu-ref -r attention-guide "$DATA/at_zero_qkv.i8" >got
	[ "$(accuracy got "$DATA/at_zero_exact.f64")" = "0.9956 2.76 10.94" ]
	grep -q '2\.76' "$TOP/man/npu-ref.1"
}
