#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# npu-tensor and .npz and .safetensors files, which Python's zipfile and struct
# make.
# bats file_tags=arm64,slow

load ../support/helper

setup() {
	"$TOP/tests/tools/archives.py"
}

@test "npu-tensor reads the arrays of a .npz, from a file and from a pipe" {
	for name in npz npz-short npz-comment; do
		run --separate-stderr -0 npu-tensor "$name"
		[ "$stderr" = "" ]
		[ "${lines[0]}" = "1.0  s8 [2,2] scale=1 zero_point=0 name=x" ]
		[ "${lines[1]}" = "2.0  f32 [1] name=y" ]
		[ "${#lines[@]}" -eq 2 ]
		npu-tensor -r "$name" >got
		printf 'abcd\0\0\300\077' | cmp - got
		# shellcheck disable=SC2002
		cat "$name" | npu-tensor -r | cmp - got
	done
	run -0 npu-tensor -F jsonl npz
	[ "$(jq -c '[.name, .type, .shape]' <<<"$output")" = \
	    $'["x","s8",[2,2]]\n["y","f32",[1]]' ]
	npu-tensor -r -f 2 npz >got
	[ "$(floats got)" = 1.5 ]
}

@test "npu-tensor reads the tensors of a .safetensors in order of their data" {
	run --separate-stderr -0 npu-tensor safetensors
	[ "${lines[0]}" = "1.0  s8 [2,2] scale=1 zero_point=0 name=a" ]
	[ "${lines[1]}" = "2.0  bf16 [2] name=b" ]
	[ "${#lines[@]}" -eq 2 ]
	npu-tensor -r safetensors | cmp - <(printf 'abcd\200\077\0\100')
	npu-tensor safetensors >want
	npu-tensor <safetensors | cmp - want
	run -0 npu-tensor safetensors-empty
	[ "$output" = "" ]
	# From a pipe, raw bytes are read: the header is part of a tensor.
	# shellcheck disable=SC2002
	cat safetensors | npu-tensor -a -t u8 -F text >got
	[ "$(cat got)" = \
	    "1.0  u8 [$(wc -c <safetensors)] scale=1 zero_point=0" ]
}

@test "npu-dequant and npu-run read archives like npu-tensor" {
	run -0 npu-dequant -F jsonl safetensors
	[ "$(jq -c .data <<<"$output")" = $'[97,98,99,100]\n[1,2]' ]
	export NPU_DEVICE=emu
	mkcix --in s8:2x2 --in f32:1 --out s8:8 --op=xor >m.cix
	npu-run -q -r m.cix npz >got
	npu-tensor -r npz | npu-run -q -r m.cix | cmp - got
}

@test "every damaged archive is refused with a message" {
	n=0
	for file in bad/*; do
		run --separate-stderr npu-tensor -q -F label -o o "$file"
		[ "$status" -eq 1 ] && [ "${#stderr_lines[@]}" -eq 1 ] &&
		    [[ $stderr == "npu-tensor: $file: "* ]] || {
			echo "$file: $status: $stderr"
			false
		}
		[ ! -e o ]
		n=$((n + 1))
	done
	[ "$n" -gt 40 ]
}

@test "npu-tensor reads the .npz of numpy.savez_compressed, also from a pipe" {
	npu-tensor npz >text
	npu-tensor --raw npz >raw
	for name in npz-deflated npz-deflated-short; do
		npu-tensor "$name" | cmp - text
		# shellcheck disable=SC2002
		cat "$name" | npu-tensor --raw | cmp - raw
	done
	npu-tensor --raw --frames=2 npz-deflated >got
	[ "$(floats got)" = 1.5 ]
	npu-tensor --format=label npz-large-stored >want
	npu-tensor --format=label npz-large | cmp - want
	npu-tensor --raw npz-large >got
	[ "$(wc -c <got)" -eq 300004 ]
}

@test "for a damaged .npz or another zip, the message gives the reason" {
	run --separate-stderr -1 npu-tensor bad/npz-deflate64
	[ "$stderr" = "npu-tensor: bad/npz-deflate64: npz: 'x' is compressed in \
another way than numpy's; unpack it: unzip -p FILE 'x.npy'" ]
	run --separate-stderr -1 npu-tensor -r bad/npz-not-npy
	[ "$output" = abcd ]
	[[ $stderr == *"does not end in .npy; is it another archive? unpack it" ]]
	for name in npz-crc npz-deflated-crc; do
		run --separate-stderr -1 npu-tensor bad/$name
		[[ $stderr == *"npz: 'x' is damaged: its checksum is "* ]]
	done
	for name in spoilt shorter header no-end empty; do
		run --separate-stderr -1 npu-tensor bad/npz-deflated-$name
		[ "$stderr" = "npu-tensor: bad/npz-deflated-$name: npz: 'x' is \
damaged: its compressed bytes hold no .npy of 132 bytes" ]
	done
	for name in longer more; do
		run --separate-stderr -1 npu-tensor bad/npz-deflated-$name
		[ "$stderr" = "npu-tensor: bad/npz-deflated-$name: npz: 'x' is \
damaged: more follows its 132 bytes" ]
	done
}

# ---- Writing --------------------------------------------------------------

# show FILE: prints the arrays of FILE as Python reads them: name, type, shape
# and bytes in hexadecimal.
show() {
	"$TOP/tests/tools/archives.py" show "$@"
}

@test "--format=npz: Python's zipfile reads the same names, types and bytes" {
	npu-tensor --format=npz -o out.npz npz
	[ "$(show out.npz)" = $'x |i1 [2, 2] 61626364\ny <f4 [1] 0000c03f' ]
	# And back: the output has the same tensors, byte for byte.
	npu-tensor npz >want
	npu-tensor out.npz | cmp - want
	npu-tensor --format=label npz >want
	npu-tensor --format=label out.npz | cmp - want
	npu-tensor --format=npz out.npz | cmp - out.npz
	npu-tensor --format=npz npz | cmp - out.npz
	# A name that is not ASCII is marked as UTF-8.
	printf abc | npu-tensor --add --type=u8 --tensor-names=größe --format=npz >u
	[ "$(show u)" = "größe |u1 [3] 616263" ]
	# An archive without tensors.
	npu-tensor --format=npz safetensors-empty >none
	run -0 show none
	[ "$output" = "" ]
}

@test "an empty archive is valid; a .safetensors cut in its header is not" {
	for form in npz safetensors; do
		npu-tensor -F $form /dev/null -o none
		run -0 npu-tensor none
		[ "$output" = "" ]
	done
	# The empty archive that Python writes: 22 bytes that begin with PK 5 6.
	/usr/bin/python3 -c 'import zipfile; zipfile.ZipFile("e.npz", "w").close()'
	run -0 npu-tensor e.npz
	[ "$output" = "" ]
	printf abcd | npu-tensor -q -a -t s8 --shape=4 |
	    npu-tensor -F safetensors --tensor-names=a -o x
	header=$(od -An -tu8 -N8 x | tr -d ' ')
	for n in 10 40 $((header + 7)); do
		head -c $n x >cut
		run --separate-stderr -1 npu-dequant -t u8 -F text cut
		[ "$output" = "" ]
		[ "$stderr" = "npu-dequant: cut: frame 1: the safetensors \
header ends after $((n - 8)) of $header bytes" ]
	done
	# Two numbers of 64 bits, 300 and '{', are data, not a header.
	printf '\54\1\0\0\0\0\0\0{\0\0\0\0\0\0\0' >numbers
	run -0 npu-dequant -t s64 -F text numbers
	[ "$output" = "300 123" ]
}

@test "--format=safetensors writes the bytes that the format defines" {
	npu-tensor --format=safetensors -o out safetensors
	/usr/bin/python3 -c '
import struct, sys
head = (b"{\"a\":{\"dtype\":\"I8\",\"shape\":[2,2],\"data_offsets\":[0,4]},"
        b"\"b\":{\"dtype\":\"BF16\",\"shape\":[2],\"data_offsets\":[4,8]}}")
head += b" " * (-len(head) % 8)
sys.stdout.buffer.write(struct.pack("<Q", len(head)) + head +
                        b"abcd\x80\x3f\0\x40")' | cmp - out
	[ "$(show out)" = $'a I8 [2, 2] 61626364\nb BF16 [2] 803f0040' ]
	npu-tensor safetensors >want
	npu-tensor out | cmp - want
	npu-tensor --format=safetensors npz >b
	[ "$(show b)" = $'x I8 [2, 2] 61626364\ny F32 [1] 0000c03f' ]
	npu-tensor --raw npz >want
	npu-tensor --raw b | cmp - want
	npu-tensor --format=safetensors safetensors-empty |
	    cmp - <(printf '\010\0\0\0\0\0\0\0{}      ')
}

@test "--tensor-names gives names to the tensors in the order of the output" {
	npu-tensor --raw npz >bytes
	npu-tensor --add --type=u8 --shape=4 bytes >frames
	npu-tensor --format=npz --tensor-names=a,b frames >out
	[ "$(show out)" = $'a |u1 [4] 61626364\nb |u1 [4] 0000c03f' ]
	npu-tensor --format=npz --tensor-names=z npz >out
	[ "$(show out)" = $'z |i1 [2, 2] 61626364\ny <f4 [1] 0000c03f' ]
	run --separate-stderr -2 npu-tensor --tensor-names=a npz
	[ "${stderr_lines[0]}" = "npu-tensor: --tensor-names is for --format=npz \
and --format=safetensors" ]
}

# refused MESSAGE ARG...: for both formats, checks that npu-tensor ends with
# status 1 and MESSAGE, and writes nothing.
refused() {
	for f in npz safetensors; do
		run --separate-stderr -1 npu-tensor --format=$f "${@:2}"
		[ "$output" = "" ]
		[ "$stderr" = "npu-tensor: ${1/FORMAT/$f}" ]
		run -1 npu-tensor --format=$f -o none "${@:2}"
		[ ! -e none ]
	done
}

@test "invalid or missing names, and archives of more than 1 GiB, are refused" {
	printf abcd | npu-tensor --add --type=u8 --shape=2 >frames
	refused "frames: frame 1, tensor 0 has no name; --tensor-names gives it one" \
	    frames
	refused "frames: frame 2, tensor 0 has no name; --tensor-names gives it one" \
	    --tensor-names=a frames
	refused "frames: frame 1, tensor 0 has no name; --tensor-names gives it one" \
	    --tensor-names=,a frames
	refused "'a' is there twice; --tensor-names gives other names" \
	    --tensor-names=a,a frames
	refused "'x' is there twice; --tensor-names gives other names" npz npz
	refused "--tensor-names: 3 names for 2 tensors" --tensor-names=a,b,c frames
	refused "frames: frame 1, tensor 0: 'a\"' cannot be a name in a \
FORMAT file" --tensor-names='a",b' frames
	refused "frames: frame 1, tensor 0: 'a\\' cannot be a name in a \
FORMAT file" --tensor-names='a\,b' frames
	refused "frames: frame 1, tensor 0: '"$'\377'"' cannot be a name in a \
FORMAT file" --tensor-names=$'\377,b' frames
	long=$(printf '%063d' 0)
	refused "frames: frame 1, tensor 0: '$long' cannot be a name in a \
FORMAT file" --tensor-names="$long,b" frames
	npu-tensor --format=npz --tensor-names="${long#0},b" frames >out
	npu-tensor --format=npz --tensor-names=__metadata__,b frames >out
	run -1 npu-tensor --format=safetensors --tensor-names=__metadata__,b frames
	printf abcd | npu-tensor --add --type=u4 >u4
	run --separate-stderr -1 npu-tensor --format=npz --tensor-names=a u4
	[ "$output" = "" ]
	[ "$stderr" = "npu-tensor: u4 cannot be .npy; convert it to f32 with \
npu-dequant" ]
	run --separate-stderr -1 npu-tensor --format=safetensors --tensor-names=a u4
	[ "$output" = "" ]
	[ "$stderr" = "npu-tensor: u4 cannot be .safetensors; convert it to \
f32 with npu-dequant" ]
	# A cut stream: the complete frames before the cut give no archive.
	head -c 100 frames >cut
	refused "cut: frame 2: the label ends after 34 of 64 bytes" \
	    --tensor-names=a,b cut
	truncate -s $(((1 << 30) + 1)) large
	refused "large: more than 1 GiB; an archive is kept in memory until \
its end" --add --type=u8 --tensor-names=a large
}

@test "a note says that an archive does not keep the scale" {
	printf ab | npu-tensor --add --type=s8 --scale=2 >t
	for f in npz safetensors; do
		run --separate-stderr -0 npu-tensor --format=$f --tensor-names=a -o o t
		[ "$stderr" = "npu-tensor: scale 2 and zero point 0 are not \
kept in .$f" ]
		run --separate-stderr -0 npu-tensor -q --format=$f --tensor-names=a \
		    -o o t
		[ "$stderr" = "" ]
	done
}
