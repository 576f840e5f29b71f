#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# Input that vec-nearest refuses, and how much it reads before.
# bats file_tags=arm64,slow

load ../support/helper
load ../support/vectors

@test "input that does not contain vectors is refused with its name" {
	three >base
	json q 1,0 >query
	for bytes in abcdefghij '\0\0\0\0\0\0\0\0\0\0\0\0'; do
		printf %b "$bytes" >raw
		run --separate-stderr -1 vec-nearest raw query
		[ "$stderr" = "vec-nearest: raw: neither labelled tensors, \
.npy, .npz, .safetensors (in a file, not a pipe), lines of JSON nor an index; \
npu-tensor puts a label before raw floats" ]
	done
	npu-quant -t s8 -s 1 base >s8
	run --separate-stderr -1 vec-nearest s8 query
	[ "$stderr" = "vec-nearest: s8: frame 1: it is s8, and vectors are f32; \
npu-dequant makes it so" ]
	printf 'PK\3\4abcdefgh' >cut.npz
	for words in 'cut.npz query' 'base cut.npz'; do
		# shellcheck disable=SC2086 # two files
		run --separate-stderr -1 vec-nearest $words
		[ "$stderr" = "vec-nearest: cut.npz: frame 1: the npz archive \
ends after 8 of 26 bytes" ]
	done
	label 1,3,2 1 2 3 4 5 6 >cube
	run --separate-stderr -1 vec-nearest cube query
	[ "$stderr" = "vec-nearest: cube: frame 1: 3 dimensions; [D] is a \
vector and [N,D] are N" ]
	head -c 80 base >cut
	run --separate-stderr -1 vec-nearest cut query
	[ "$stderr" = "vec-nearest: cut: frame 1: the payload ends after 16 of \
24 bytes" ]
	head -c 30 base >cut
	run --separate-stderr -1 vec-nearest cut query
	[ "$stderr" = "vec-nearest: cut: frame 1: the label ends after 30 of \
64 bytes" ]
	npu-tensor -F npy base >good.npy
	head -c 100 good.npy >cut
	run --separate-stderr -1 vec-nearest cut query
	[[ $stderr == "vec-nearest: cut: frame 1: the npy header ends after "* ]]
	h=$(($(wc -c <good.npy)))
	while IFS='|' read -r bytes words; do
		{ cat good.npy; printf "$bytes"; } >bad.npy
		run --separate-stderr -1 vec-nearest bad.npy query
		[ "$stderr" = "vec-nearest: bad.npy: frame 2: ${words/AT/$h}" ]
	done <<-'END'
	\223NUMPY|the npy header ends after 6 of 12 bytes
	NUMPYNUMPYNUMPY|no npy header where one must be, at byte AT
	\223NUMPY\011\0\0\0\0\0|npy: version 9.0; 1.0, 2.0 and 3.0 are known
	\223NUMPY\01\0\166\0\0\0|the npy header ends after 12 of 128 bytes
	END
	label 2 1 2 >one
	npu-tensor --zip one one >two
	run --separate-stderr -1 vec-nearest two query
	[ "$stderr" = "vec-nearest: two: frame 1: 2 tensors a frame; choose \
one with npu-tensor --tensor" ]
	head -c 4194308 /dev/zero | npu-tensor -a -t f32 >wide
	run --separate-stderr -1 vec-nearest wide query
	[ "$stderr" = "vec-nearest: wide: frame 1: vectors of 1048577 numbers; \
1 to 1048576 are possible" ]
	# An unknown type, a file that is shorter than any format, and blanks
	# only.
	printf abcd | npu-tensor -a -t u8 >u
	{ head -c 8 u; printf '\167\0\0\0\0\0\0\0\0\0\0\0'
	tail -c +21 u; } >unknown
	run --separate-stderr -1 vec-nearest unknown query
	[[ $stderr == "vec-nearest: unknown: frame 1: it is of an unknown "* ]]
	echo '{}' >short
	run --separate-stderr -1 vec-nearest short query
	[ "$stderr" = "vec-nearest: short: line 1: vector: missing" ]
	{ printf '\t \n\n        '; json q 3,4; } >blanks
	run -0 vec-nearest -n 1 blanks query
	[ "$(cut -f 4 <<<"$output")" = q ]
	printf '    \0   ' >nul
	run --separate-stderr -1 vec-nearest nul query
	[[ $stderr == "vec-nearest: nul: neither labelled tensors, "* ]]
	{ json a 1,2; printf ' \0\n'; } >lines
	run --separate-stderr -1 vec-nearest lines query
	[[ $stderr == "vec-nearest: lines: line 2: "* ]]
	{ json a 1,2; echo '{"id":"b"}'; } >lines
	run --separate-stderr -1 vec-nearest lines query
	[ "$stderr" = "vec-nearest: lines: line 2: vector: missing" ]
	run --separate-stderr -1 vec-nearest base lines
	[ "$stderr" = "vec-nearest: lines: line 2: vector: missing" ]
	[ "${#lines[@]}" -eq 3 ]
	run --separate-stderr -1 vec-nearest none query
	[ "$stderr" = "vec-nearest: none: No such file or directory" ]
}

@test "lines in UTF-16 or UTF-32 are refused with a helpful command" {
	three >base
	json a 1,2 >lines
	for encoding in UTF-{16,32}{,LE,BE}; do
		iconv -f UTF-8 -t $encoding lines >wide
		for command in 'vec-nearest base' vec-drift; do
			run --separate-stderr -1 $command wide
			[ "$stderr" = "${command% *}: wide: $encoding, but \
UTF-8 is needed; iconv -f $encoding -t UTF-8 converts it" ]
		done
	done
}

@test "a pipe that ends within a vector or with an I/O error is reported" {
	three >base
	label 2 3 4 >query
	head -c 70 query >cut
	run --separate-stderr -1 bash -c 'cat cut | vec-nearest base'
	[ "$stderr" = "vec-nearest: stdin: frame 1, tensor 0: ends after 6 of \
8 bytes" ]
	why="vec-nearest: stdin: Input/output error"
	json q 3,4 >line
	run --separate-stderr -1 torn query vec-nearest -n 1 base -
	[ "$(cut -f 4 <<<"$output")" = 2 ]
	[ "$stderr" = "$why" ]
	run --separate-stderr -1 torn line vec-nearest -n 1 base -
	[ "$stderr" = "$why" ]
	run --separate-stderr -1 torn base vec-nearest -n 1 - query
	[ "$stderr" = "$why" ]
}

@test "-k reports each bad vector once, for any number of passes" {
	{ json a 3,4; json bad 0,0; json c 4,3; } >base
	# 32 queries share a pass; the bad query is in the third pass.
	for i in $(seq 70); do
		[ $i -eq 69 ] && json q69 0,0 || json q$i 3,4
	done >queries
	zero='it is zero and has no direction'
	run --separate-stderr -1 vec-nearest -k -n 1 base queries
	[ "$(cut -f 4 <<<"$output" | uniq -c | tr -s ' ')" = ' 69 a' ]
	[ "$stderr" = "vec-nearest: base: vector 2 (bad): $zero
vec-nearest: queries: vector 69 (q69): $zero" ]
	# The same if the queries are vectors of the base.
	# shellcheck disable=SC2046 # words
	run --separate-stderr -1 vec-nearest -k -n 1 \
	    $(printf -- '--id=c %.0s' $(seq 70)) base
	[ "$(cut -f 4 <<<"$output" | uniq -c | tr -s ' ')" = ' 70 a' ]
	[ "$stderr" = "vec-nearest: base: vector 2 (bad): $zero" ]
	run --separate-stderr -1 vec-nearest -k --id=bad --id=bad base
	[ "$stderr" = "vec-nearest: base: vector 2 (bad): $zero" ]
	# Before the first query with a width, no pass can detect bad vectors.
	{
		printf '{"id":"e%d","error":"x"}\n' $(seq 32)
		json q 3,4
	} >late
	run --separate-stderr -1 vec-nearest -k -n 1 base late
	[ "$(grep -c 'vector 2 (bad)' <<<"$stderr")" = 1 ]
	[ "$(tail -n 1 <<<"$output" | cut -f 4)" = a ]
}

# A file that is not at its beginning is read like a pipe.
@test "a base that cannot be mapped is limited to 4 GiB" {
	label 2 3 4 >query
	cat query query >base
	truncate -s 5G base
	run --separate-stderr -1 bash -c '{
		dd bs=72 count=1 status=none of=skipped
		vec-nearest - query
	} <base'
	cmp skipped query
	[ "$stderr" = "vec-nearest: stdin: 5368709040 bytes, more than \
4294967296, which is the limit here: a pipe is kept in memory; name a file, \
which is mapped" ]
}

# A file that cannot be mapped is read; this one always has more data.
# bats test_tags=native
@test "a line that is too long is read only up to the limit" {
	json a 3,4 >base
	{ json q 3,4; printf '{"id":"'; } >long
	truncate -s 1G long
	run --separate-stderr -1 bash -c 'ulimit -v 400000
	    exec vec-nearest base long'
	[ "$output" = "q	1	1	a" ]
	[ "$stderr" = "vec-nearest: long: line 2: longer than 33554432 \
bytes, the limit of one text" ]
}

@test "a line over 32 MiB is refused, from a file and from a pipe" {
	label 2 3 4 >query
	{ printf '{"id":"'; head -c 34000000 /dev/zero | tr '\0' a; } >long
	run --separate-stderr -1 vec-nearest long query
	[ "$stderr" = "vec-nearest: long: line 1: longer than 33554432 bytes" ]
	run --separate-stderr -1 bash -c 'cat long | vec-nearest query'
	[[ $stderr == "vec-nearest: stdin: line 1: longer than 33554432 \
bytes"* ]]
	# A line over the limit after a short line.
	json q 3,4 >line
	run --separate-stderr -1 bash -c 'cat line long | vec-nearest query'
	[ "$output" = "q	1	1	1" ]
	[[ $stderr == "vec-nearest: stdin: line 2: longer than 33554432 \
bytes"* ]]
	# A message prints only the first 100 bytes of a long name.
	json "$(printf 'a%.0s' $(seq 300))" 0,0 >zero
	run --separate-stderr -1 vec-nearest query zero
	[ "$stderr" = "vec-nearest: zero: vector 1 ($(printf 'a%.0s' \
$(seq 100))): it is zero and has no direction (-k skips such vectors)" ]
}
@test "wrong usage is refused with status 2" {
	run -2 vec-nearest
	run -2 vec-nearest a b c
	run -2 vec-nearest - -
	run -2 vec-nearest --ids=- base </dev/null
	label 2 3 4 >base
	run --separate-stderr -1 vec-nearest base none
	[ "$stderr" = "vec-nearest: none: No such file or directory" ]
	run --separate-stderr -1 vec-nearest --query-ids=. base base
	[ "$stderr" = "vec-nearest: .: Is a directory" ]
	run -2 vec-nearest -n -1 base
	run -2 vec-nearest -F xml base
}
