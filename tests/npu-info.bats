#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0

load helper

# Nothing that could be a board: no node, no library, whatever this machine is.
no_board() {
	export LD_LIBRARY_PATH=
	NODE=--node=$BATS_TEST_TMPDIR/no-such-node
}

@test "without a device: status 3, one line, nothing on stdout" {
	no_board
	run --separate-stderr -3 npu-info "$NODE"
	[ "$output" = "" ]
	[ "${#stderr_lines[@]}" -eq 1 ]
	[[ $stderr == "npu-info: no NPU: "*"does not exist and no vendor library"* ]]
	[[ $stderr == *"libnoe.so.0"*"/usr/share/cix/lib/libnoe.so"* ]]
}

@test "without a device the JSON document is whole, status 3" {
	no_board
	run --separate-stderr -3 npu-info --json "$NODE"
	echo "$output" | jq -e '.schema == "npu-info/1" and .devices == [] and
	    .error.status == 3'
}

@test "a node without a library is half a board" {
	no_board
	: >node
	run --separate-stderr -3 npu-info --node="$PWD/node"
	[[ $stderr == *"node is there but no vendor library"*"cix-noe-umd"* ]]
}

@test "the emulator counts only when it is asked for" {
	run --separate-stderr -0 npu-info -d emu
	[[ $output == *"emulator"* ]]
	[[ $output == *"target     X2_1204MP3"* ]]
	[[ $output == *"cores      3 in 1 cluster, 1 partition"* ]]
	run --separate-stderr -0 npu-info -d emu --json
	echo "$output" | jq -e '.devices[0] | .emulator and .cores == 3 and
	    .driver_version == "5.11.0" and .library_version == "0.6.0" and
	    .node == null'
	NPU_DEVICE=emu run --separate-stderr -0 npu-info
}

@test "-d npu refuses the emulator however it was found" {
	emu=$B/lib/npu-utils/libnoe-emu.so
	run --separate-stderr -3 npu-info -d npu -L "$emu"
	[[ $stderr == *"is the emulator, which -d npu forbids"* ]]
	NPU_LIBRARY=$emu run --separate-stderr -3 npu-info -d npu
	[[ $stderr == *"named by NPU_LIBRARY"*"which -d npu forbids"* ]]
}

@test "-d npu refuses the emulator on the loader's path" {
	LD_LIBRARY_PATH=$B/lib/npu-utils/noe run --separate-stderr -3 \
	    npu-info -d npu
	[[ $stderr == *"is the emulator, found where the vendor's"* ]]
}

@test "a library that is none, or is absent, is told by name" {
	run --separate-stderr -3 npu-info -L ./none.so
	[[ $stderr == "npu-info: the library named by -L cannot be used: "* ]]
	[[ $stderr == *"none.so"* ]]
	echo text >text.so
	run --separate-stderr -3 npu-info -L ./text.so
	[ "${#stderr_lines[@]}" -eq 1 ]
}

@test "a model is described with neither device nor library" {
	no_board
	mkcix --in s32:77:1:0 --out s8:512:27.6738:60 >m.cix
	run --separate-stderr -0 npu-info "$NODE" m.cix
	[ "$stderr" = "" ]
	[[ $output == "m.cix: "* ]]
	[[ $output == *"for X2_1204"* ]]
	[[ $output == *"(q + 60) / 27.67"* ]]
	run --separate-stderr -0 npu-info "$NODE" --json m.cix
	echo "$output" | jq -e '.models[0] |
	    .inputs[0].type == "s32" and .inputs[0].bytes == 308 and
	    .outputs[0].type == "s8" and .outputs[0].bytes == 512 and
	    .outputs[0].zero_point == 60 and .outputs[0].scale == 27.6738 and
	    .subgraphs[0].target == "X2_1204"'
}

@test "a model comes from stdin too" {
	mkcix --in s8:4:1:0 --out s8:4:1:0 >m.cix
	run --separate-stderr -0 npu-info - <m.cix
	[[ $output == "stdin: "* ]]
}

@test "a bad model does not hide the others; status 1" {
	mkcix --in s8:4:1:0 --out s8:4:1:0 >good.cix
	printf 'version https://git-lfs.github.com/spec/v1\n' >lfs.cix
	run --separate-stderr -1 npu-info lfs.cix good.cix nothere.cix
	[[ $output == "good.cix: "* ]]
	[[ ${stderr_lines[0]} == "npu-info: lfs.cix: a git-LFS pointer"* ]]
	[[ ${stderr_lines[1]} == "npu-info: nothere.cix: no such model"* ]]
	run --separate-stderr -1 npu-info --json lfs.cix good.cix
	echo "$output" | jq -e '.models[0].error.check == "lfs-pointer" and
	    .models[1].path == "good.cix"'
}

@test "names that are not UTF-8 or hold quotes give valid JSON" {
	mkcix --in s8:4:1:0 --out s8:4:1:0 >m.cix
	name=$(printf 'a"\377\n.cix')
	cp m.cix "$name"
	run --separate-stderr -0 npu-info --json "$name"
	echo "$output" | jq -e '.models[0].path == "a\"ÿ\n.cix"'
}

@test "NPU_MODEL_PATH and the working directory" {
	mkdir a b
	mkcix --in s8:4:1:0 --out s8:4:1:0 >b/x.cix
	NPU_MODEL_PATH=a:b run --separate-stderr -0 npu-info x.cix
	[[ $output == "b/x.cix: "* ]]
	cp b/x.cix x.cix
	NPU_MODEL_PATH=a:b run --separate-stderr -0 npu-info x.cix
	[[ $output == "x.cix: "* ]]
}

@test "a full device is a write error" {
	run -1 bash -c 'npu-info -d emu >/dev/full'
	[[ $output == "npu-info: write error: No space left on device" ]]
}

@test "usage: wrong device, wrong option" {
	run --separate-stderr -2 npu-info -d gpu
	[[ ${stderr_lines[0]} == "npu-info: -d: 'gpu' is not auto, npu or emu" ]]
	run --separate-stderr -2 npu-info --jsn
	[[ ${stderr_lines[0]} == *"did you mean '--json'?"* ]]
	NPU_NOE_DEVICE=x run --separate-stderr -1 npu-info -d emu
	[[ $stderr == *"NPU_NOE_DEVICE: 'x' is not a whole number"* ]]
}

@test "the formula from stored to real values is filled in" {
	mkcix --in=s8:4:2:-3 --out=f32:4 sound >m.cix
	run -0 npu-info m.cix
	[[ ${lines[2]} == *"input 0: "*", 4 bytes, x = (q - 3) / 2" ]]
	[[ ${lines[3]} == *"output 0: "*", 16 bytes, x = q" ]]
	[ "$(npu-info --json m.cix | jq -r '.models[0].inputs[0].formula')" = \
	    "x = (q - 3) / 2" ]
}

@test "--version tells the libnoe found (13)" {
	run --separate-stderr -0 npu-info --version
	[[ ${lines[2]} == "libnoe "* ]]
	emu=$B/lib/npu-utils/libnoe-emu.so
	NPU_LIBRARY=$emu run --separate-stderr -0 npu-info --version
	[[ $output == *"libnoe "*"/libnoe-emu.so (the emulator)"* ]]
	run --separate-stderr -0 npu-run -L "$emu" --version
	[[ $output == *"/libnoe-emu.so (the emulator)"* ]]
}
