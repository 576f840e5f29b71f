#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# Behaviour that the interface permits, but that the vendor's 2.0.2 and the
# emulator do not show: oddnoe.c answers as its environment variables say.  The
# last part tests which library is chosen.

load ../support/helper

setup() {
	mkcix --in s8:1x4:20:60 --out s8:1x4:20:60 >m.cix
	printf abcd >in
	: >node
	ODD=$B/tests/tools/oddnoe.so EMU=$B/lib/npu-utils
	export ODD_LOG=$PWD/log
}

# odd ARGUMENT...: runs npu-run with the odd library and a device node.
odd() {
	npu-run --node=./node -L "$ODD" "$@"
}

# says TEXT NAME=VALUE...: fails unless, with these variables, npu-run fails
# with one line that contains TEXT.
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

# bats test_tags=slow
@test "whichever call fails, the graph is unloaded" {
	for s in COUNT DESCRIPTOR CREATE PUT INFER STATUS GET; do
		rm -f log
		run -1 env "ODD_$s=0x14" npu-run --node=./node -L "$ODD" \
		    m.cix in
		[[ $output == *"ERROR_INVALID_OP (0x14): "* ]]
		[ "$(tail -n 2 log | tr '\n' ' ')" = "unload deinit " ]
	done
	# A job that was registered although its creation failed (noe-abi 4.7).
	ODD_CREATE=0x16 run -1 odd m.cix in
	grep -q '^clean 1$' log
}

# bats test_tags=slow
@test "counts, sizes and scales that no model has are refused" {
	says "has no input" ODD_INPUTS=0
	says "the library counts 4294967295 tensors, and 4096 is the limit" \
	    ODD_OUTPUTS=4294967295
	says "input 0: the library describes it with 0 bytes" ODD_SIZE=0
	says "4 bytes and scale nan" ODD_SCALE=nan
	says "4 bytes and scale inf" ODD_SCALE=inf
	says "4 bytes and scale -1" ODD_SCALE=-1
}

# bats test_tags=native
@test "a size larger than memory is reported with its number" {
	run -1 env ODD_OUTPUTS=4096 ODD_SIZE=4294967295 npu-run \
	    --node=./node -L "$ODD" m.cix in
	[[ $output == *"out of memory: 17592186040320 bytes wanted" ]]
}

@test "unknown job states and statuses are reported with their numbers" {
	says "job: it ended in a core dump (state 3)" ODD_STATE=3
	says "(state 77)" ODD_STATE=77
	says "ERROR_JOB_EXCEPTION (0x11)" ODD_STATE=2
	says "load_graph: unknown status (0xFF): see the kernel log" \
	    ODD_LOAD=255
}

@test "after load_graph fails with 0x8, the context is not closed" {
	says "load_graph: ERROR_GVERSION_UNSUPPORTED (0x8): " ODD_LOAD=8
	[ "$(cat log)" = "init 1" ]
}

@test "the library's description of a tensor is used, not the file's" {
	ODD_TYPE=5 ODD_SIZE=2 ODD_ZERO=9 odd m.cix in >out
	run -0 npu-tensor out
	[ "${lines[0]}" = "1.0  s16 [1] scale=20 zero_point=9" ]
	[ "${#lines[@]}" -eq 2 ]
	# Scale 0 means not quantised.  The file's name of a tensor is used only
	# if file and library agree.
	ODD_SCALE=0 ODD_ZERO=0 run -0 odd --dry-run m.cix
	[ "${lines[0]}" = \
	    "input 0 input0: s8 [1,4] scale=1 zero_point=0, 4 bytes" ]
	ODD_SIZE=8 run -0 odd --dry-run m.cix
	[ "${lines[0]}" = "input 0: s8 [8] scale=20 zero_point=60, 8 bytes" ]
	ODD_TYPE=0x77 odd m.cix in >out
	run -0 npu-tensor out
	[[ $output == *" 0x77 "*"(4 bytes)" ]]
	ODD_TYPE=0x77 odd m.cix out | cmp - out
}

# bats test_tags=slow
@test "a library that describes another model than the file is refused" {
	mkcix --in s32:1x4 --out f32:1x4 >text.cix
	mkcix --in u8:1x3x8x8:255 --out f16:1x6x32 >yolo.cix
	printf 'P6 1 1 255 abc' >a.ppm
	for o in ODD_INPUTS=2 ODD_OUTPUTS=2 ODD_SIZE=8 \
	    'ODD_TYPE=0xb ODD_SIZE=16 ODD_OUTPUTS=2' \
	    'ODD_TYPE=3 ODD_SIZE=16'; do
		run --separate-stderr -1 env $o clip-embed -q --node=./node \
		    -L "$ODD" -m ./text.cix --text=cat
		[[ $stderr == "clip-embed: ./text.cix: the library says that \
it has "*", the file says otherwise" ]]
		[ "$output" = "" ]
	done
	for o in ODD_INPUTS=2 ODD_OUTPUTS=2; do
		run --separate-stderr -1 env $o yolo-detect -q --node=./node \
		    -L "$ODD" -m ./yolo.cix a.ppm
		[[ $stderr == "yolo-detect: ./yolo.cix: "*" inputs and \
"*" outputs; a YOLOv8 detector has one of each" ]]
	done
	run --separate-stderr -1 yolo-detect -q --node=./node -L "$ODD" \
	    -m ./yolo.cix a.ppm
	[ "$stderr" = "yolo-detect: ./yolo.cix: the library says that its \
input has 4 bytes, the file 192" ]
}

@test "what the library prints while loading is not in our output" {
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

@test "of the library's output, only the end is kept" {
	# 2.1 MB: more than the limits for the end and for the buffer.
	export ODD_CHATTER=100000
	odd -r m.cix in >out
	cmp in out
	run --separate-stderr -0 odd -v -r m.cix in
	[[ $stderr == *"oddnoe: good morning"* ]]
	[ "${#stderr}" -lt 200000 ]
	mkcix --in s32:1x4 --out s32:1x4 >text.cix
	printf 'one two three four\ncat\n' >texts
	export ODD_TYPE=7 ODD_SIZE=16 ODD_SCALE=1 ODD_ZERO=0
	run --separate-stderr -1 clip-embed -q --node=./node -L "$ODD" \
	    -m ./text.cix --norm=none -F text --lines texts
	[ "${#lines[@]}" -eq 2 ]
	[ "${lines[0]}" = "nan nan nan nan" ]
	[ "${lines[1]}" = "49406 2368 49407 0" ]
	[[ $stderr == *"clip-embed: texts: line 1: 6 tokens, limit 4"* ]]
	# The same for its output during a run: one line of 1.1 MB.
	unset ODD_CHATTER
	printf 'bus\ncat\ndog\n' >texts
	ODD_TALKS=1100000 run --separate-stderr -0 clip-embed -qv \
	    --node=./node -L "$ODD" -m ./text.cix --norm=none -F text --lines texts
	[ "${#lines[@]}" -eq 3 ]
	[[ $stderr == *" oddnoe: the end of much"* ]]
	[ "${#stderr}" -gt 8000 ]
	[ "${#stderr}" -lt 8200 ]
}

@test "an output that no label can describe is refused without -r" {
	printf abc >in
	run --separate-stderr -1 env ODD_TYPE=5 ODD_SIZE=3 npu-run \
	    --node=./node -L "$ODD" m.cix in
	[ "$output" = "" ]
	[ "$stderr" = "npu-run: output 0: label: 3 bytes, not a whole number \
of s16; -r writes it without a label" ]
}

@test "control characters in a target do not reach the terminal" {
	run --separate-stderr -0 npu-info --node=./node -L "$ODD"
	[[ ${lines[1]} == "target     ??[31m"*TTT* ]]
	npu-info --json --node=./node -L "$ODD" |
	    jq -e '.devices[0].target | startswith("\n\u001b[31m")'
}

# ---- The choice of the library ---------------------------------------------

@test "--version reports the libnoe that is found, without a device" {
	for p in npu-run npu-info; do
		run --separate-stderr -0 env LD_LIBRARY_PATH= "$p" -V
		[[ ${lines[2]} == "libnoe "* ]]
		NPU_LIBRARY=$EMU/libnoe-emu.so run --separate-stderr -0 "$p" -V
		[ "${lines[2]}" = \
		    "libnoe $EMU/libnoe-emu.so (the emulator)" ]
	done
}

# Native only: a sanitizer must be loaded first.
# bats test_tags=native
@test "a library that is already loaded is found by its name" {
	run -0 --separate-stderr env LD_PRELOAD="$EMU/noe/libnoe.so" \
	    npu-info -V
	[ "${lines[2]}" = "libnoe $EMU/noe/libnoe.so (the emulator)" ]
}

@test "-d auto does not take the emulator for the library of a board" {
	export LD_LIBRARY_PATH=$EMU/noe
	run --separate-stderr -3 npu-run --node=./node m.cix in
	[[ $stderr == *"is the emulator, found where the vendor's library should be, and there is a device node"* ]]
	run --separate-stderr -0 npu-run -r --node=./none m.cix in
	[[ $stderr == *"using the emulator"* ]]
	run --separate-stderr -0 npu-run -r -d emu --node=./node m.cix in
	[ "$stderr" = "" ]
}

@test "-d auto reports an unusable vendor library as a broken board" {
	mkdir v
	export LD_LIBRARY_PATH=$PWD/v
	echo text >v/libnoe.so
	run --separate-stderr -3 npu-run --node=./none m.cix in
	[[ $stderr == *"the vendor library here cannot be used: "*"libnoe.so: $PWD/v/libnoe.so: "* ]]
	cp "$B"/lib/npu-utils/libonnxruntime.so.1 v/libnoe.so
	# ONNX Runtime loses 80 bytes when it is unloaded; by then its name is
	# unknown, and a suppression would not match.
	ASAN_OPTIONS=${ASAN_OPTIONS-}:detect_leaks=0 \
	    run --separate-stderr -3 npu-run --node=./none m.cix in
	[[ $stderr == *"libnoe.so: it has no function noe_init_context"* ]]
	run --separate-stderr -0 npu-run -r -d emu m.cix in
}

@test "-L: an error message names the file" {
	run --separate-stderr -3 odd -L ./none.so m.cix in
	[[ $stderr == *"cannot be used: ./none.so: "*"No such file"* ]]
	: >empty.so
	run --separate-stderr -3 odd -L empty.so m.cix in
	[[ $stderr == *"empty.so: "*"the file in the working directory is ./empty.so" ]]
	cp "$ODD" other.so
	# Change e_machine to Alpha.
	printf '\046\220' | dd of=other.so bs=1 seek=18 conv=notrunc 2>dd
	run --separate-stderr -3 odd -L ./other.so m.cix in
	[[ $stderr == *"./other.so: "*"for another kind of machine"* ]]
}

# asked WANT NAME=VALUE...: compares the device in npu-info's document, for a
# library that has all functions.
asked() {
	env "${@:2}" npu-info --json --node=./node \
	    -L "$B/tests/tools/oddmore.so" |
	    jq -c '.devices[0] | [.partitions, .clusters, .cores]' >got
	[ "$(cat got)" = "$1" ]
}

# bats test_tags=slow
@test "topologies that no NPU has are reported, failed queries as null" {
	asked '[1,2,6]' A=b
	# At most 64 partitions or clusters are queried.
	asked '[1,70,192]' ODD_CLUSTERS=70
	asked '[70,64,192]' ODD_PARTITIONS=70 ODD_CLUSTERS=1
	# A query without an answer gives an unknown value.
	asked '[1,2,null]' ODD_CORE=0x14
	asked '[1,null,null]' ODD_CLUSTER=0x14
	asked '[null,null,null]' ODD_PARTITION=0x14
	more=$B/tests/tools/oddmore.so
	npu-info --json --node=./node -L "$more" |
	    jq -e '.devices[0].library_version == "9.8.7"'
	ODD_IOCTL=0x13 ODD_TARGET=0x14 npu-info --json --node=./node \
	    -L "$more" | jq -e '.devices[0] |
	    .library_version == null and .target == null'
	ODD_INIT=4 run --separate-stderr -3 npu-info --node=./node -L "$more"
	[[ $stderr == *"init_context: ERROR_DEV_ABNORMAL (0x4): "* ]]
}

@test "an NPU without clusters is refused" {
	run --separate-stderr -3 env ODD_CLUSTERS=0 npu-run -r --node=./node \
	    -L "$B/tests/tools/oddmore.so" m.cix in
	[ "$output" = "" ]
	[[ $stderr == "npu-run: m.cix: "*" without clusters, "* ]]
	# A query without an answer gives an unknown value.
	run -0 env ODD_CLUSTER=0x14 npu-run -r --node=./node \
	    -L "$B/tests/tools/oddmore.so" m.cix in
}

# bats test_tags=slow
@test "npu-info works without an optional function, and --doctor warns" {
	for f in get_target get_partition_count get_cluster_count \
	    get_core_count ioctl; do
		perl -pe "s/\\0noe_$f\\0/\\0odd_$f\\0/g" \
		    "$B/tests/tools/oddmore.so" >lacks.so
		npu-info --json --node=./node -L ./lacks.so |
		    jq -e '.devices[0].library | endswith("/lacks.so")'
		run -4 npu-info --doctor --plain --node=./node -L ./lacks.so
		[[ $output == *"functions	warn	it lacks noe_$f; npu-info "* ]]
	done
}

@test "a library on the loader's path works only with a device node" {
	mkdir v
	cp "$ODD" v/libnoe.so.0
	export LD_LIBRARY_PATH=$PWD/v
	for d in auto npu; do
		npu-run -r -d "$d" --node=./node m.cix in >out
		cmp in out
		run --separate-stderr -3 npu-run -r -d "$d" --node=./none \
		    m.cix in
		[[ $stderr == *"the vendor library $PWD/v/libnoe.so.0 is here, but ./none: No such file or directory; load the kernel driver"* ]]
	done
}

# bats test_tags=native,slow
@test "a library that needs a missing library is reported with its name" {
	echo 'int odd;' >o.c
	mkdir v
	"${CC:-cc}" -shared -fPIC -Wl,-soname,libnoe.so.0.9 -o v/gone.so o.c
	"${CC:-cc}" -shared -fPIC -Wl,--no-as-needed -o v/libnoe.so.0 o.c \
	    "$PWD/v/gone.so"
	rm v/gone.so
	export LD_LIBRARY_PATH=$PWD/v
	run --separate-stderr -3 npu-run -r -L libnoe.so.0 --node=./node \
	    m.cix in
	[[ $stderr == *"named by --library cannot be used: libnoe.so.0: libnoe.so.0.9: cannot open shared object file: No such file"* ]]
	run --separate-stderr -3 npu-run -r --node=./node m.cix in
	[[ $stderr == *"(tried libnoe.so.0"*": libnoe.so.0.9: cannot open"* ]]
	# A file that is not a library.
	echo text >v/libnoe.so.0
	run --separate-stderr -3 npu-run -r -L "$PWD/v/libnoe.so.0" \
	    --node=./node m.cix in
	[[ $stderr == *"$PWD/v/libnoe.so.0: file too short"* ]]
}

@test "a model without inputs and with an output of 0 bytes is refused" {
	says "output 0: the library describes it with 0 bytes" ODD_INPUTS=0 \
	    ODD_SIZE=0
}
