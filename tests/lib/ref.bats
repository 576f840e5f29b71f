# SPDX-License-Identifier: Apache-2.0
# lib/ref: what its kernels need from a machine, and that each compiler gives
# the same bits.
# bats file_tags=native

load ../support/helper

# object COMPILER FLAGS... FILE.c: compiles it to o.o, without the code that
# hardening adds.
object() {
	"$@" -std=c11 -I"$TOP/lib" -fno-stack-protector -c -o o.o
}

# alone COMPILER FLAGS... FILE.c: fails unless its object needs no other symbol.
alone() {
	object "$@" && nm -u o.o >symbols && [ ! -s symbols ]
}

@test "layernorm.c and attention.c need no C library and no libm" {
	for cc in gcc clang; do
		for level in -O0 -O3; do
			alone $cc $level "$TOP/lib/ref/layernorm.c"
			alone $cc $level "$TOP/lib/ref/attention.c"
		done
	done
	# The check detects exp() and sqrt().
	run alone gcc -O0 "$TOP/lib/ref/exact.c"
	[ "$status" -ne 0 ]
	grep -q ' U exp$' symbols
}

# integers COMPILER FLAGS... FILE.c: fails unless it uses only integers.  gcc
# refuses floating-point types; where clang does not, each operation becomes a
# library call.
integers() {
	alone "$@" -mgeneral-regs-only -O0 2>errors
}

@test "attention.c uses no floating point" {
	# One file for each type, which the check must refuse.
	while IFS='|' read -r name code; do
		echo "int f(int a); int f(int a) { $code }" >"$name.c"
	done <<-'END'
	float|float x = (float)a; return x > 1;
	double|double x = a; return (int)(x / 3);
	END
	for cc in gcc aarch64-linux-gnu-gcc clang \
	    'clang --target=aarch64-linux-gnu'; do
		# The cross compiler is only available on amd64.
		command -v "${cc%% *}" >/dev/null || continue
		# shellcheck disable=SC2086 # words
		integers $cc "$TOP/lib/ref/attention.c"
		for bad in float double; do
			# shellcheck disable=SC2086
			run integers $cc $bad.c
			[ "$status" -ne 0 ]
		done
	done
}

# table NAME: prints the numbers of this table of attention.c, one in each line.
table() {
	sed -n "/ $1\[.*{\$/,/};/p" "$TOP/lib/ref/attention.c" | sed 1d |
	    grep -oE '[0-9]+'
}

@test "the tables of attention.c contain the exponentials in its comments" {
	perl -e 'print int(exp(-$_ / 8) * 2 ** 20 + 0.5), "\n" for 0 .. 116;
	    print "0\n"' >want
	table exp_eighths | diff - want
	perl -e 'print int(exp(-$_) * 2 ** 20), "\n" for 0 .. 13' >want
	table exp_whole | diff - want
}

# variants: prints "RUN|COMPILER FLAGS..." for each way to build and to run.
variants() {
	local arm=aarch64-linux-gnu-gcc qemu=$TOP/build/setup/arm64/qemu-aarch64
	for cc in gcc clang; do
		echo "| $cc -O0"
		echo "| $cc -O3"
		# Fused multiply-add, if the processor has it.
		! grep -qw fma /proc/cpuinfo ||
			echo "| $cc -O3 -mfma -mavx2 -ffp-contract=fast"
	done
	[ ! -x "$qemu" ] || for flags in -O0 '-O3 -ffp-contract=fast'; do
		echo "$qemu | $arm -static $flags"
	done
}

# inputs: prints "KERNEL ROW FILE" for each input.
inputs() {
	# Rows of random bits, often NaN or infinity; and rows of numbers, long
	# enough that an error in the last bit of a float32 changes a bf16.
	perl -e 'my $x = 1;
	    for (1 .. 1 << 20) {
		$x = ($x * 1103515245 + 12345) & 0x7fffffff;
		print pack("S<", $x >> 8 & 0xffff);
	    }' >many
	perl -e 'local $/; print pack("S<*", map { $_ & 0x83ff | 0x3e00 }
	    unpack("S<*", <STDIN>))' <many >many-numbers
	head -c 61440 many >noise
	head -c 61440 many-numbers >numbers
	for row in 3 16 512; do
		echo "layernorm $row noise"
	done
	echo "layernorm 500 many-numbers"
	for k in attention attention-guide attention-lut8 attention-shift4 \
	    attention-int8; do
		echo "$k 0 noise"
		echo "$k 0 numbers"
	done
}

harness() {
	cat <<-'END'
	#include <stdio.h>
	#include <stdlib.h>
	#include "ref/kernel.h"

	/* KERNEL ROW: frames on stdin to frames on stdout. */
	int
	main(int argc, char *argv[])
	{
		struct ref_kernel k = *ref_kernel_find(argv[argc - 2]);
		static _Alignas(8) char in[1 << 16], out[1 << 16];
		int row = atoi(argv[argc - 1]);

		if (row > 0)
			ref_kernel_row(&k, (uint32_t)row, &k);
		while (fread(in, k.in.size, 1, stdin) == 1) {
			k.compute(&k, in, out);
			fwrite(out, k.out.size, 1, stdout);
		}
		return 0;
	}
	END
}

# bats test_tags=slow
@test "all compilers and flags give the same bits, also for arm64" {
	harness >main.c
	inputs >input-list
	variants >variant-list
	while IFS='|' read -r qemu words; do
		# shellcheck disable=SC2086 # words
		$words -I"$TOP/lib" -o prog main.c "$TOP"/lib/ref/*.c -lm
		while read -r kernel row file; do
			# shellcheck disable=SC2086
			$qemu ./prog "$kernel" "$row" <"$file" >got
			[ -s got ]
			# The others are compared with the first variant.
			want=$kernel.$row.$file
			[ -e "$want" ] || cp got "$want"
			cmp got "$want" || { echo "$words"; false; }
		done <input-list
	done <variant-list
	[ "$(wc -l <variant-list)" -ge 4 ]
}

# bats test_tags=slow
@test "layernorm.c cannot be compiled with -ffast-math" {
	for cc in gcc clang; do
		run object $cc -ffast-math "$TOP/lib/ref/layernorm.c"
		[ "$status" -ne 0 ]
		[[ $output == *"each operation as written"* ]]
	done
}
