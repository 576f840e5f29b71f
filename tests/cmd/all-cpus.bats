# SPDX-License-Identifier: Apache-2.0
# The same results on an older processor: code with kernels for several kinds
# of x86-64 runs as on one of 2013 (AVX2, no AVX-512) and one of 2008.
# bats file_tags=native,slow

load ../support/helper

# as PROCESSOR: the unit tests of such code, under qemu; not on a board.
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

@test "AVX2 without AVX-512" {
	as Haswell
}

@test "neither AVX2 nor AVX-512" {
	as Nehalem
}
