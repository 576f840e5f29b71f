# SPDX-License-Identifier: Apache-2.0
# Code with kernels for several kinds of x86-64 gives the same results on older
# processors: a processor of 2013 (AVX2, no AVX-512), and a processor of 2008.
# bats file_tags=native,slow

load ../support/helper

# as PROCESSOR: runs the unit tests of such code as on PROCESSOR, under qemu.
# Does nothing on a machine that is not x86-64.
as() {
	[ "$(uname -m)" = x86_64 ] || return 0
	cd "$TOP" || return
	for unit in tensor/quant tensor/cosine store/index_scan \
	    image/pass vision/convert image/planes no-memory/image; do
		run -0 "$TOP/build/setup/x64/qemu-x86_64" -cpu "$1" \
		    "$B/tests/unit/$unit"
		echo "$unit: $(grep -v '^ok' <<<"$output")"
		[[ $output == *"1.."* ]]
		run -1 grep '^not ok' <<<"$output"
	done
}

@test "the vector kernels pass their tests on a processor without AVX-512" {
	as Haswell
}

@test "the vector kernels pass their tests on a processor without AVX2" {
	as Nehalem
}
