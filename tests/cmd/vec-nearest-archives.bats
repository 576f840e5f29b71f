#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# vec-nearest and vec-drift read the vectors of .npz and .safetensors files,
# which Python's zipfile and struct make.
# bats file_tags=arm64,slow

load ../support/helper
load ../support/vectors

setup() {
	"$TOP/tests/tools/archives.py"
	label 2 3 4 >query
}

@test "vec-nearest reads a base and queries from .npz and .safetensors" {
	three >base
	run -0 vec-nearest base base
	want=$output
	for f in npz npz-deflated safetensors; do
		run -0 --separate-stderr vec-nearest "vectors-$f" query
		[ "$output" = "$ANSWER" ]
		[ "$stderr" = "" ]
		run -0 vec-nearest base "vectors-$f"
		[ "$output" = "$want" ]
		run -0 vec-nearest "vectors-$f" "vectors-$f"
		[ "$output" = "$want" ]
		run -0 vec-nearest --plus=query "vectors-$f" "vectors-$f"
		[ "${lines[0]}" = "$(vec-nearest --plus=query base base |
		    head -n 1)" ]
	done
	run -0 bash -c 'cat vectors-npz | vec-nearest - query'
	[ "$output" = "$ANSWER" ]
	run -0 bash -c 'cat vectors-npz-deflated | vec-nearest base'
	[ "$output" = "$want" ]
}

@test "the vectors of an archive get names by --ids, or numbers" {
	printf 'x\ny\nz\n' >names
	for f in npz safetensors; do
		run -0 vec-nearest -n 1 --ids=names "vectors-$f" query
		[ "$output" = "1	1	1	y" ]
		run -0 vec-nearest -n 1 --id=2 "vectors-$f"
		[ "$output" = "2	1	0.96	3" ]
		run -0 --separate-stderr vec-nearest -v -o out "vectors-$f" \
		    query
		[[ $stderr == *"3 vectors compared"* ]]
	done
}

@test "vec-drift reads .npz and .safetensors, from a file and from a pipe" {
	three >base
	vec-drift base | jq -c 'del(.time)' >want
	for f in npz npz-deflated safetensors; do
		vec-drift "vectors-$f" | jq -c 'del(.time)' | cmp - want
		vec-drift <"vectors-$f" | jq -c 'del(.time)' | cmp - want
	done
	cat vectors-npz | vec-drift | jq -c 'del(.time)' | cmp - want
	run -0 --separate-stderr vec-drift -v -o out vectors-npz
	[[ $stderr == *"3 vectors of 2 numbers, arrays of an archive"* ]]
}

@test "an archive without arrays has no vectors" {
	printf 'PK\5\6%018d' 0 | tr 0 '\0' >none.npz
	for f in none.npz safetensors-empty; do
		run -0 --separate-stderr vec-nearest "$f" query
		[ "$output$stderr" = "" ]
		run -0 --separate-stderr vec-nearest query "$f"
		[ "$output$stderr" = "" ]
		run -0 vec-drift "$f"
		[ "$output" = "" ]
	done
}

@test "arrays of other types, or damaged ones, are refused with the frame" {
	run -1 --separate-stderr vec-nearest npz query
	[ "$stderr" = "vec-nearest: npz: frame 1: it is s8, and vectors are \
f32; npu-dequant makes it so" ]
	run -1 --separate-stderr vec-drift safetensors
	[ "$stderr" = "vec-drift: safetensors: frame 1: it is s8, and vectors \
are f32; npu-dequant makes it so" ]
	head -c 300 vectors-npz >cut
	for words in 'cut query' 'query cut'; do
		# shellcheck disable=SC2086 # two files
		run -1 --separate-stderr vec-nearest $words
		[[ $stderr == "vec-nearest: cut: frame 2: "* ]]
	done
	# A checksum shows a change in the last array only after its vectors.
	sed 's/\x40\x40/\x40\x41/' vectors-npz >changed
	run -1 --separate-stderr vec-nearest changed query
	[[ $stderr == "vec-nearest: changed: "*"damaged: its checksum is"* ]]
	[ "$output" = "" ]
}
