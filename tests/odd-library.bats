#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# What a library may do that neither the vendor's 2.0.2 nor the emulator does:
# oddnoe.c answers as its environment says.  And which library is taken.

load helper

setup() {
	mkcix --in s8:1x4:20:60 --out s8:1x4:20:60 >m.cix
	printf abcd >in
	: >node
	ODD=$B/tests/tools/oddnoe.so EMU=$B/lib/npu-utils
	export ODD_LOG=$PWD/log
}

# odd ARGUMENT...: npu-run on the odd library, with a device node.
odd() {
	npu-run --node=./node -L "$ODD" "$@"
}

# says TEXT NAME=VALUE...: with these, it fails with one line that holds TEXT.
says() {
	text=$1
	shift
	run --separate-stderr -1 env "$@" npu-run -r --node=./node \
	    -L "$ODD" m.cix in
	[ "$output" = "" ]
	[ "${#stderr_lines[@]}" -eq 1 ]
	[[ $stderr == "npu-run: m.cix: "*"$text"* ]]
}

@test "init_context gets a second argument, 1 or NPU_NOE_DEVICE" {
	odd -r m.cix in >out
	cmp in out
	[ "$(head -n 1 log)" = "init 1" ]
	rm log
	NPU_NOE_DEVICE=7 odd -r m.cix in >out
	[ "$(head -n 1 log)" = "init 7" ]
	run -1 env NPU_NOE_DEVICE=x npu-run --node=node -L "$ODD" m.cix in
	[[ $output == *"NPU_NOE_DEVICE: 'x' is not a whole number"* ]]
}

@test "every job is cleaned, the graph unloaded, the context closed" {
	printf abcdefgh >two
	odd -r m.cix two >out
	cmp two out
	[ "$(tr '\n' ' ' <log)" = "init 1 clean 1 clean 2 unload deinit " ]
}

@test "whatever fails, the graph is unloaded" {
	for s in COUNT DESCRIPTOR CREATE PUT INFER STATUS GET; do
		rm -f log
		run -1 env "ODD_$s=0x14" npu-run --node=./node -L "$ODD" \
		    m.cix in
		[[ $output == *"ERROR_INVALID_OP (0x14): "* ]]
		[ "$(tail -n 2 log | tr '\n' ' ')" = "unload deinit " ]
	done
	# A job that was registered although it failed (noe-abi 4.7).
	ODD_CREATE=0x16 run -1 odd m.cix in
	grep -q '^clean 1$' log
}

@test "counts, sizes and scales that no model has are refused" {
	says "has no input" ODD_INPUTS=0
	says "the library counts 4294967295 tensors, and 4096 is the limit" \
	    ODD_OUTPUTS=4294967295
	says "input 0: the library describes it with 0 bytes" ODD_SIZE=0
	says "4 bytes and scale nan" ODD_SCALE=nan
	says "4 bytes and scale inf" ODD_SCALE=inf
	says "4 bytes and scale -1" ODD_SCALE=-1
}

# bats test_tags=no-asan
@test "more bytes than there is memory is said, with the number" {
	run -1 env ODD_OUTPUTS=4096 ODD_SIZE=4294967295 npu-run \
	    --node=./node -L "$ODD" m.cix in
	[[ $output == *"out of memory: 17592186040320 bytes wanted" ]]
}

@test "states and statuses that the header does not have" {
	says "job: it ended in a core dump (state 3)" ODD_STATE=3
	says "(state 77)" ODD_STATE=77
	says "ERROR_JOB_EXCEPTION (0x11)" ODD_STATE=2
	says "load_graph: unknown status (0xFF): see the kernel log" \
	    ODD_LOAD=255
}

@test "after a load that gave 0x8 the context is left alone" {
	says "load_graph: ERROR_GVERSION_UNSUPPORTED (0x8): " ODD_LOAD=8
	[ "$(cat log)" = "init 1" ]
}

@test "what the library says of a tensor is believed, not the file" {
	ODD_TYPE=5 ODD_SIZE=2 ODD_ZERO=9 odd m.cix in >out
	run -0 npu-tensor out
	[ "${lines[0]}" = "1.0  s16 [1] scale=20 zero_point=9" ]
	[ "${#lines[@]}" -eq 2 ]
	# Scale 0: not quantised.  The name is the file's only where both agree.
	ODD_SCALE=0 ODD_ZERO=0 run -0 odd --dry-run m.cix
	[ "${lines[0]}" = \
	    "input 0 input0: s8 [1,4] scale=1 zero_point=0, 4 bytes" ]
	ODD_TYPE=0x77 odd m.cix in >out
	run -0 npu-tensor out
	[[ $output == *" 0x77 "*"(4 bytes)" ]]
	ODD_TYPE=0x77 odd m.cix out | cmp - out
}

@test "what it prints when it is loaded is not our output" {
	export ODD_CHATTER=1
	odd -r m.cix in >out
	cmp in out
	npu-info --json --node=./node -L "$ODD" | jq -e '.devices[0].library'
	npu-info --json --node=./none -L "$ODD" >j || [ $? -eq 3 ]
	jq -e '.error.status == 3 and .devices == []' j
	run --separate-stderr -0 npu-run -L "$ODD" --version
	[ "${lines[2]}" = "libnoe $ODD" ]
	[ "${#lines[@]}" -eq 3 ]
}

@test "a target with control characters does not reach the terminal" {
	run --separate-stderr -0 npu-info --node=./node -L "$ODD"
	[[ ${lines[1]} == "target     ??[31m"*TTT* ]]
	npu-info --json --node=./node -L "$ODD" |
	    jq -e '.devices[0].target | startswith("\n\u001b[31m")'
}

# ---- Which library ---------------------------------------------------------

@test "--version tells the libnoe found, with no device" {
	for p in npu-run npu-info; do
		run --separate-stderr -0 env LD_LIBRARY_PATH= "$p" -V
		[[ ${lines[2]} == "libnoe "* ]]
		NPU_LIBRARY=$EMU/libnoe-emu.so run --separate-stderr -0 "$p" -V
		[ "${lines[2]}" = \
		    "libnoe $EMU/libnoe-emu.so (the emulator)" ]
	done
}

@test "auto: the emulator is not taken for the library of a board" {
	export LD_LIBRARY_PATH=$EMU/noe
	run --separate-stderr -3 npu-run --node=./node m.cix in
	[[ $stderr == *"is the emulator, found where the vendor's library should be, and there is a device node"* ]]
	run --separate-stderr -0 npu-run -r --node=./none m.cix in
	[[ $stderr == *"using the emulator"* ]]
	run --separate-stderr -0 npu-run -r -d emu --node=./node m.cix in
	[ "$stderr" = "" ]
}

@test "auto: a vendor library that cannot be used is a broken board" {
	mkdir v
	export LD_LIBRARY_PATH=$PWD/v
	echo text >v/libnoe.so
	run --separate-stderr -3 npu-run --node=./none m.cix in
	[[ $stderr == *"the vendor library here cannot be used: "*"libnoe.so: $PWD/v/libnoe.so: "* ]]
	cp "$B"/lib/npu-utils/libonnxruntime.so.1 v/libnoe.so
	# It keeps 80 bytes when it is unloaded, and has no name by then.
	ASAN_OPTIONS=${ASAN_OPTIONS-}:detect_leaks=0 \
	    run --separate-stderr -3 npu-run --node=./none m.cix in
	[[ $stderr == *"libnoe.so: it has no function noe_init_context"* ]]
	run --separate-stderr -0 npu-run -r -d emu m.cix in
}

@test "-L: what is wrong with the file is said with its name" {
	run --separate-stderr -3 odd -L ./none.so m.cix in
	[[ $stderr == *"cannot be used: ./none.so: "*"No such file"* ]]
	: >empty.so
	run --separate-stderr -3 odd -L empty.so m.cix in
	[[ $stderr == *"empty.so: "*"the file in the working directory is ./empty.so" ]]
	cp "$ODD" other.so
	# e_machine becomes Alpha's
	printf '\046\220' | dd of=other.so bs=1 seek=18 conv=notrunc 2>dd
	run --separate-stderr -3 odd -L ./other.so m.cix in
	[[ $stderr == *"./other.so: "*"for another kind of machine"* ]]
}
