#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# xdna-run: how it finds the kernel and the buffers, and what it refuses before
# a device is opened.

load ../support/helper
load ../support/xdnajob

# plan CONTAINER STREAM OPTION...: runs --dry-run with files of the test data.
plan() {
	local c=$1 s=$2
	shift 2
	xdna-run --dry-run "$@" "$NPU_TEST_DATA/xdna/oracle/$c.xclbin" \
	    "$NPU_TEST_DATA/xdna/insts/$s.insts"
}

@test "--dry-run prints the buffers of a stream, or refuses it with a reason" {
	need_data xdna/insts/expected.tsv
	n=0
	while IFS=$'\t' read -r name buffers note; do
		n=$((n + 1))
		if [ "$buffers" = refused ]; then
			run -1 --separate-stderr plan attention "$name"
			[ "$output" = "" ]
			[ "${#stderr_lines[@]}" -eq 1 ]
			[[ $stderr == "xdna-run: "*"/$name.insts: "*"$note"* ]] ||
				{ echo "$stderr"; false; }
			continue
		fi
		{
			echo "kernel MLIR_AIE"
			echo "instructions: $note"
			tr ' ' '\n' <<<"$buffers" |
			    sed -E 's/(.*):(.*):(.*)/buffer \1: \2, \3 bytes/'
		} >want
		plan attention "$name" | diff want - || { echo "$name"; false; }
	done < <(tail -n +2 "$DATA")
	[ $n -ge 24 ]
}

@test "a container that fails xclbin-check is refused before the stream" {
	need_data xdna/verdicts.tsv
	n=0
	while IFS=$'\t' read -r name verdict check _; do
		st=0
		xdna-run --dry-run "$NPU_TEST_DATA/xdna/bad/$name.xclbin" \
		    nowhere >out 2>err </dev/null || st=$?
		[ ! -s out ]
		if [ "$verdict" = refused ]; then
			n=$((n + 1))
			[ $st -eq 1 ]
			grep -q "^xdna-run: .*/$name.xclbin: $check: " err
		elif [[ $name != t-* ]]; then
			# A container with a kernel that can be run: the stream
			# is read next.
			[ "$(cat err)" = \
			    "xdna-run: nowhere: No such file or directory" ]
		fi
	done < <(tail -n +2 "$DATA")
	[ $n -ge 30 ]
}

@test "--kernel selects one of several kernels, or an instance of a kernel" {
	need_data xdna/oracle
	for k in SCALE SCALE:A SCALE:B SHIFT SHIFT:S; do
		run -0 plan pair ln --kernel=$k
		[ "${lines[0]}" = "kernel ${k%:*}" ]
	done
	run -0 plan attention ln --kernel=MLIR_AIE
	while IFS='|' read -r name c want; do
		run -2 --separate-stderr plan "$c" ln ${name:+--kernel=$name}
		[ "$output" = "" ]
		[[ ${stderr_lines[0]} == "xdna-run: "*"$want" ]]
	done <<-'END'
	|pair|/pair.xclbin: the container has 'SCALE', 'SHIFT': name one with --kernel
	SCAL|pair|no kernel is called 'SCAL'; did you mean 'SCALE'?
	X|pair|no kernel is called 'X'; the container has 'SCALE', 'SHIFT'
	SCALE:S|pair|kernel 'SCALE' has no instance 'S'; it has 'A', 'B'
	SCALE:|pair|kernel 'SCALE' has no instance ''; it has 'A', 'B'
	MLIRAIE|attention|no kernel is called 'MLIRAIE'; did you mean 'MLIR_AIE'?
	END
}

@test "a stream that uses more buffers than the kernel has is refused" {
	need_data xdna/oracle
	# SCALE has two buffers, SHIFT has eight.
	run -1 --separate-stderr plan pair two-in --kernel=SCALE
	[[ $stderr == *"/two-in.insts: the stream uses buffer 2 of a kernel \
with 2; it belongs to another build" ]]
	run -0 plan pair two-in --kernel=SHIFT
	run -1 --separate-stderr plan pair bad-arg5 --kernel=SHIFT
	[[ $stderr == *": buffer 5 is used, and the firmware translates \
only the first 5 addresses" ]]
}

@test "a buffer that the stream uses must be connected to a memory" {
	need_data xdna/insts/ln.insts
	loose=$NPU_TEST_DATA/xdna/bad/k-arg-loose.xclbin
	run -1 --separate-stderr xdna-run --dry-run "$loose" "$DATA"
	[[ $stderr == "xdna-run: $loose: memory: buffer 0 of kernel 'MLIR_AIE', "* ]]
	xdna-run --dry-run "$loose" "${DATA%/*}/third-unused.insts" >plan
	grep -qx 'buffer 2: in, 64 bytes' plan
}

@test "a kernel without opcode is refused, and its arguments are listed" {
	need_data xdna/real
	run -1 --separate-stderr xdna-run "$DATA/color_threshold_v1_720p.xclbin" \
	    "$NPU_TEST_DATA/xdna/insts/ln.insts"
	[[ $stderr == *": kernel 'color_threshold_1_tile_720p' takes (instr*, \
ninstr, in*, tmp*, out*); only kernels that take (opcode, instr*, ninstr), and \
then up to 511 buffers, can be run" ]]
}

# edited SED: writes edited.xclbin, which is job.xclbin with its XML edited by
# this command.
edited() {
	rm -f was.xml
	xclbin-info -q -x EMBEDDED_METADATA:RAW:was.xml job.xclbin
	sed "$1" was.xml >is.xml
	! cmp -s was.xml is.xml
	xclbin-pack -q --force -i job.xclbin --add-replace-section \
	    EMBEDDED_METADATA:RAW:is.xml -o edited.xclbin
}

@test "a kernel of 20 buffers runs with a stream that uses two" {
	xdna_container job
	xdna_stream 256 >job.txt
	head -c 1024 /dev/urandom >in
	more=
	for i in {8..22}; do
		more+="<arg name='bo$((i - 3))' addressQualifier='1' id='$i' size='8'"
		more+=" offset='$((20 + 8 * i))' hostSize='8'/>"
	done
	edited "/bo4/a $more"
	xdna-run -q -r -d emu edited.xclbin job.txt <in | cmp - in
}

@test "arguments with equal ids are one argument; the last may be incomplete" {
	xdna_container job
	xdna_stream 256 >job.txt
	head -c 1024 /dev/urandom >in
	half='<arg name="more" addressQualifier="0" id="3" size="0x4"'
	edited "s/\(bo0.*size=\).0x8./\\1'0x4'/; /bo0/a $half \
	    hostSize='0x4' offset='0x18' type='void*'/>"
	xdna-run -q -r -d emu edited.xclbin job.txt <in | cmp - in
	# XRT 963c58ee, payload_size(): 4,091 bytes are 1,022 words.
	edited "/bo4/s/offset=.52./offset='4083'/"
	xdna-run -q -r -d emu edited.xclbin job.txt <in | cmp - in
}

@test "--buffers gives the buffers if the stream has an unknown operation" {
	need_data xdna/oracle
	run -0 plan attention warn-unknown-op --buffers=in:1k,-,inout:16,out:4
	[ "${lines[*]:2}" = "buffer 0: in, 1000 bytes buffer 2: inout, 16 bytes \
buffer 3: out, 4 bytes" ]
	# The buffers that the stream shows must be in the list.
	run -0 plan attention ln --buffers=inout:1024,out:2048
	[ "${lines[*]:2}" = \
	    "buffer 0: inout, 1024 bytes buffer 1: out, 2048 bytes" ]
	while IFS='|' read -r list want; do
		run -1 --separate-stderr plan attention ln --buffers="$list"
		[[ $stderr == *": $want in --buffers" ]]
	done <<-'END'
	in:1023,out:1024|buffer 0 is in:1024 in the stream, but in:1023
	out:1024,out:1024|buffer 0 is in:1024 in the stream, but out:1024
	inout:1024|buffer 1 is out:1024 in the stream, but -:0
	END
	run -1 --separate-stderr plan attention ln \
	    --buffers=in:1024,out:1024,-,-,-,out:4
	[ "$stderr" = "xdna-run: --buffers: buffer 5 does not exist: the kernel has 5, counted from 0" ]
}

# bats test_tags=slow
@test "invalid values of options are usage errors that show the valid form" {
	need_data xdna/oracle
	while IFS='|' read -r words want; do
		# shellcheck disable=SC2086 # words
		run -2 --separate-stderr plan attention ln $words
		[ "$output" = "" ]
		[[ ${stderr_lines[0]} == "xdna-run: $want"* ]] ||
			{ echo "$words: $stderr"; false; }
	done <<-'END'
	--buffers=in:4|--buffers: 'in:4' has no out and no inout
	--buffers=in4,out:4|--buffers: 'in4' is not in:BYTES, out:BYTES, inout:BYTES or -
	--buffers=up:4,out:4|--buffers: 'up:4' is not in:BYTES
	--buffers=in:0,out:4|--buffers: '0' is not a whole number from 1 to 4294967296
	--buffers=out:5G|--buffers: '5G' is not a whole number from 1 to 4294967296
	--ninstr=bits|--ninstr: 'bits' is not bytes or words
	--shape=bf16|--shape: 'bf16' is not TYPE:SHAPE[:SCALE[:ZERO]]
	--shape=s8:4:1:2:3|--shape: 's8:4:1:2:3' is not TYPE:SHAPE
	--shape=foo|--shape: 'foo' is not TYPE:SHAPE[:SCALE[:ZERO]]
	--shape=foo:4|--shape: 'foo' is not one of bool
	--shape=s8:0|--shape: '0' is not a whole number
	--shape=s8:4:x|--shape: 'x' is not a number
	--shape=s8:4:1:x|--shape: 'x' is not a whole number
	--shape=bf16:512:2|--shape: bf16 is never scaled; leave scale and zero point out
	--shape=bf16:256|--shape: bf16 [256] has 512 bytes, and buffer 1 has 1024
	--shape=u8:1024 --shape=u8:1|--shape is given 2 times, and the instructions write 1 buffer
	-r --shape=bf16:512|--shape describes labels, and --raw writes no labels
	-d gpu|--device: 'gpu' is not auto, npu or emu
	-T 1y|--timeout: '1y' is not a duration
	END
	# 511 addresses of 8 bytes fill the 4,088 bytes that exist.
	printf -v many -- ',-%.0s' {1..511}
	run -2 --separate-stderr plan attention ln --buffers="out:4$many"
	[[ $stderr == *"' has more than 511 buffers"* ]]
	run -2 --separate-stderr xdna-run
	[ "${stderr_lines[0]}" = \
	    "xdna-run: no container given: xdna-run FILE.xclbin INSTS" ]
	run -2 --separate-stderr xdna-run a
	[ "${stderr_lines[0]}" = \
	    "xdna-run: no instruction stream given: xdna-run FILE.xclbin INSTS" ]
	run -2 --separate-stderr xdna-run a b c
	[ "${stderr_lines[0]}" = \
	    "xdna-run: extra operand 'c'; input is read from stdin" ]
}

@test "--dry-run reads a container or a stream from stdin, a run does not" {
	need_data xdna/oracle/attention.xclbin
	insts=$NPU_TEST_DATA/xdna/insts/ln.insts
	plan attention ln >want
	xdna-run --dry-run - "$insts" <"$DATA" | cmp - want
	# shellcheck disable=SC2002 # a pipe
	cat "$insts" | xdna-run --dry-run "$DATA" - | cmp - want
	xdna-run --dry-run -o out "$DATA" "$insts"
	cmp out want
	for words in "- $insts" "$DATA -"; do
		# shellcheck disable=SC2086 # words
		run -2 --separate-stderr xdna-run $words </dev/null
		[[ ${stderr_lines[0]} == *"stdin can be read only once"* ]]
	done
	run -2 xdna-run --dry-run - - </dev/null
}

@test "files that cannot be read, and huge files, are status 1" {
	need_data xdna/oracle/attention.xclbin
	insts=$NPU_TEST_DATA/xdna/insts/ln.insts
	mkdir folder
	: >empty
	truncate -s 4G holes
	while IFS='|' read -r c s want; do
		run -1 --separate-stderr xdna-run --dry-run "$c" "$s"
		[[ $stderr == "xdna-run: $want"* ]] || { echo "$stderr"; false; }
	done <<-END
	nowhere|$insts|nowhere: No such file or directory
	folder|$insts|folder: Is a directory
	empty|$insts|empty: file: empty
	holes|$insts|holes: file: not an xclbin
	$DATA|folder|folder: Is a directory
	$DATA|empty|empty: the file is empty
	$DATA|holes|holes: 4294967296 bytes, more than 167772160,
	$DATA|$DATA|$DATA: an xclbin, which does not hold
	END
}

# emulated STREAM TWIN OPTION...: runs the container attention on the emulated
# device.
emulated() {
	local s=$1 t=$2
	shift 2
	xdna-run -d emu --twin="$t" "$@" \
	    "$NPU_TEST_DATA/xdna/oracle/attention.xclbin" \
	    "$NPU_TEST_DATA/xdna/insts/$s.insts"
}

@test "layernorm and attention give the bytes of the reference" {
	need_data xdna/numerics
	n=$DATA
	emulated ln layernorm -r <"$n/ln_a_in.bf16" | cmp - "$n/ln_a_out.bf16"
	for set in at42 at_g4 at_zero; do
		for k in attention attention-guide attention-int8; do
			emulated attn-v1 $k -r <"$n/${set}_qkv.i8" |
			    cmp - "$n/${set}_$k.i8"
		done
	done
	# npu-ref computes the exact values.
	npu-ref layernorm-exact "$n/ln_a_in.bf16" >exact
	emulated ln layernorm --shape=bf16:512 <"$n/ln_a_in.bf16" |
	    npu-dequant --diff=exact --tol=corr:0.9999,max:0.02
	emulated ln layernorm --shape=bf16:512 <"$n/ln_a_in.bf16" >out
	run -0 npu-tensor out
	[ "${#lines[@]}" -eq 11 ]
	[ "${lines[10]}" = "11.0  bf16 [512]" ]
	emulated ln layernorm <"$n/ln_a_in.bf16" | npu-tensor -r |
	    cmp - "$n/ln_a_out.bf16"
}

# bats test_tags=slow
@test "each accepted stream moves whole frames from input to output" {
	need_data xdna/insts/expected.tsv
	tail -n +2 "$DATA" | grep -v refused | cut -f 1,2 >streams
	head -c 30000 /dev/urandom >random
	while read -r name buffers; do
		in=$(tr ' ' '\n' <<<"$buffers" |
		    awk -F: '$2 == "in" { n += $3 } END { print n }')
		out=$(tr ' ' '\n' <<<"$buffers" |
		    awk -F: '$2 == "out" { n += $3 } END { print n }')
		head -c $((2 * in)) random | emulated "$name" copy -r >got
		[ "$(wc -c <got)" -eq $((2 * out)) ]
		head -c "$in" random | emulated "$name" copy -r |
		    cmp - <(head -c "$out" got)
		# A stream with two buffers of equal size and without gaps is a
		# copy.
		case $name in
		strided | attn-v1 | two-in) ;;
		*) head -c $((2 * in)) random | cmp - got ;;
		esac
	done <streams
	# The output has both inputs of a frame, one after the other.
	head -c 768 random | emulated two-in copy -r | cmp -n 768 - random
}

@test "input may be labelled, .npy or raw, with the size of the buffers" {
	need_data xdna/oracle
	head -c 2048 /dev/urandom >in
	npu-tensor -a -t bf16 --shape=512 in >labelled
	npu-tensor -a -t s16 --shape=2,512 -F npy in >array.npy
	npu-tensor -a -t s8 --shape=1024 -F npy in >bytes.npy
	for f in in labelled array.npy bytes.npy; do
		emulated ln copy -r <$f | cmp - in
	done
	while IFS='|' read -r stream words size want; do
		# shellcheck disable=SC2086 # words
		head -c "$size" in | npu-tensor -a $words >bad
		run -1 --separate-stderr emulated "$stream" copy <bad
		[ "$output" = "" ]
		[ "$stderr" = "xdna-run: stdin: $want" ] ||
			{ echo "$stderr"; false; }
	done <<-'END'
	ln|-t s8 --shape=512|512|frame 1, tensor 0: s8 [512] scale=1 zero_point=0 is 512 bytes, and buffer 0 has 1024
	ln|-t bf16 --shape=2,512|2048|frame 1, tensor 0: bf16 [2,512] is 2048 bytes, and buffer 0 has 1024
	two-in|-t u8 --shape=256|256|frame 1: 1 tensor, and the kernel reads 2 buffers
	END
}

@test "empty input gives no results; frames before a partial frame are run" {
	need_data xdna/oracle
	run -0 --separate-stderr emulated ln copy </dev/null
	[ "$output$stderr" = "" ]
	head -c 3500 /dev/urandom >in
	run -1 --separate-stderr bash -c "$(declare -f emulated)"'
	    emulated ln copy -r <in >out'
	[ "$stderr" = "xdna-run: stdin: 3500 bytes, not a whole number of \
frames of 1024 bytes; frame 4 has 428" ]
	head -c 3072 in | cmp - out
	run -1 emulated ln copy -r -o new <in
	[ ! -e new ]
	head -c 3072 in | emulated ln copy -r -o new
	head -c 3072 in | cmp - new
}

@test "-k -o keeps the results before a partial or mismatched frame" {
	need_data xdna/oracle
	head -c 3500 /dev/urandom >in
	run -1 --separate-stderr emulated ln copy -k -r -o new <in
	[ "$stderr" = "xdna-run: stdin: 3500 bytes, not a whole number of \
frames of 1024 bytes; frame 4 has 428" ]
	head -c 3072 in | cmp - new
	for size in 500 1536; do
		{
			head -c 1024 in | npu-tensor -a -t u8 --shape=1024
			head -c $size in | npu-tensor -a -t u8 --shape=$size
		} >labelled
		run -1 --separate-stderr emulated ln copy -k -r -o other \
		    --stats <labelled
		[[ ${stderr_lines[0]} == "xdna-run: stdin: frame 2, tensor 0: \
u8 [$size] "*"is $size bytes, and buffer 0 has 1024" ]]
		[[ ${stderr_lines[1]} == "xdna-run: 1 frame in "* ]]
		head -c 1024 in | cmp - other
	done
	run -1 emulated ln copy -k -r -o none <<<x
	[ -e none ] && [ ! -s none ]
}

@test "results of a frame are written before the next frame is complete" {
	need_data xdna/oracle
	mkfifo pipe
	emulated ln copy -r <pipe >out 3>&- &
	exec 8>pipe
	head -c 1500 /dev/zero >&8
	for _ in $(seq 1200); do
		[ "$(wc -c <out)" -lt 1024 ] || break
		sleep 0.05
	done
	[ "$(wc -c <out)" -eq 1024 ]
	exec 8>&-
	wait $! || [ $? -eq 1 ]
}

@test "-d auto uses the emulated device if there is no node, with a note" {
	need_data xdna/oracle
	[ ! -e /dev/accel ] || skip "this machine has accelerators"
	c=$NPU_TEST_DATA/xdna/oracle/attention.xclbin
	insts=$NPU_TEST_DATA/xdna/insts/ln.insts
	want='xdna-run: no node in /dev/accel: running on the emulated device'
	run -0 --separate-stderr xdna-run --twin=copy "$c" "$insts" </dev/null
	[ "$stderr" = "$want" ]
	run -0 --separate-stderr xdna-run -q --twin=copy "$c" "$insts" </dev/null
	[ "$stderr" = "" ]
	NPU_DEVICE=emu run -0 --separate-stderr xdna-run --twin=copy "$c" "$insts" \
	    </dev/null
	[ "$stderr" = "" ]
	for d in "-d npu" "--node=/nowhere"; do
		run -3 --separate-stderr xdna-run $d "$c" "$insts" </dev/null
		[[ $stderr == *"sudo modprobe amdxdna"* ]]
	done
	# Without a node and without a twin the run fails.
	run -3 --separate-stderr xdna-run "$c" "$insts" </dev/null
	[[ $stderr == *": name what the kernel computes with --twin, copy or \
a kernel of npu-ref" ]]
	run -2 xdna-run -d npu --twin=copy "$c" "$insts" </dev/null
	run -2 xdna-run -d emu --node=/dev/accel/accel0 "$c" "$insts" </dev/null
}

@test "--twin is refused if --node names a device" {
	need_data xdna/oracle
	c=$NPU_TEST_DATA/xdna/oracle/attention.xclbin
	insts=$NPU_TEST_DATA/xdna/insts/ln.insts
	run -2 --separate-stderr xdna-run --twin=copy --node=/dev/null -o new \
	    "$c" "$insts" </dev/null
	[ "${stderr_lines[0]}" = "xdna-run: --twin is for the emulated device, \
and --node names an NPU; leave one out" ]
	[ ! -e new ]
}

# bats test_tags=slow,native
@test "--twin is refused if a node is found, unless -d emu is given" {
	need_data xdna/oracle
	c=$NPU_TEST_DATA/xdna/oracle/attention.xclbin
	insts=$NPU_TEST_DATA/xdna/insts/ln.insts
	# Simulate a machine with a node.
	cat >node.c <<-'END'
	#include <fcntl.h>
	#include <string.h>
	#include <unistd.h>
	int access(const char *path, int mode)
	{ return strcmp(path, "/dev/accel/accel0") == 0 ? 0 :
	    faccessat(AT_FDCWD, path, mode, 0); }
	END
	$CC -shared -fPIC -o node.so node.c
	LD_PRELOAD=$PWD/node.so run -2 --separate-stderr xdna-run --twin=copy \
	    "$c" "$insts" </dev/null
	[ "${stderr_lines[0]}" = "xdna-run: --twin is for the emulated device, \
and there is a node, /dev/accel/accel0: add --device=emu, or leave --twin out" ]
	LD_PRELOAD=$PWD/node.so xdna-run -d emu --twin=copy "$c" "$insts" \
	    </dev/null
	# The container is read before this check.  --dry-run opens no device,
	# and accepts --twin.
	LD_PRELOAD=$PWD/node.so xdna-run --dry-run --twin=copy "$c" "$insts"
}

@test "a node that does not belong to an NPU is status 3" {
	need_data xdna/oracle
	run -3 --separate-stderr xdna-run --node=/dev/null \
	    "$DATA/attention.xclbin" "$NPU_TEST_DATA/xdna/insts/ln.insts" \
	    </dev/null
	[[ $stderr == "xdna-run: /dev/null: VERSION: "*": this is not the node \
of an NPU; --node names another" ]]
}

# bats test_tags=slow
@test "--twin precedes NPU_TWIN, which precedes the key in the container" {
	need_data xdna/numerics
	c=$NPU_TEST_DATA/xdna/oracle/attention.xclbin
	insts=$NPU_TEST_DATA/xdna/insts/ln.insts
	n=$NPU_TEST_DATA/xdna/numerics/ln_a
	xclbin-pack -q -i "$c" --key-value USER:npu-utils.twin:layernorm \
	    -o with.xclbin
	xdna-run -r -d emu with.xclbin "$insts" <${n}_in.bf16 |
	    cmp - ${n}_out.bf16
	NPU_TWIN=copy xdna-run -r -d emu with.xclbin "$insts" <${n}_in.bf16 |
	    cmp - ${n}_in.bf16
	NPU_TWIN=copy xdna-run -r -d emu --twin=layernorm "$c" "$insts" \
	    <${n}_in.bf16 | cmp - ${n}_out.bf16
	run -2 --separate-stderr xdna-run -d emu --twin=layernrm "$c" "$insts"
	[ "${stderr_lines[0]}" = "xdna-run: --twin: no twin is called \
'layernrm'; did you mean 'layernorm'?" ]
	# A wrong value is a usage error, also in the environment.
	NPU_TWIN=layernrm run -2 --separate-stderr xdna-run -d emu -o new "$c" \
	    "$insts" </dev/null
	[ "${stderr_lines[0]}" = "xdna-run: NPU_TWIN: no twin is called \
'layernrm'; did you mean 'layernorm'?" ]
	[ ! -e new ]
	xclbin-pack -q -i "$c" --key-value USER:npu-utils.twin:x -o bad.xclbin
	run -1 --separate-stderr xdna-run -d emu bad.xclbin "$insts" </dev/null
	[ "$stderr" = "xdna-run: bad.xclbin: the key npu-utils.twin: no twin is \
called 'x'; --twin names another" ]
}

# bats test_tags=slow
@test "the emulated device has the stream's generation, or refuses the stream" {
	need_data xdna/oracle
	head -c 1024 /dev/urandom >in
	for s in ln npu2 preempt; do
		emulated $s copy -r <in | cmp - in
	done
	NPU_XDNA_DEVICE=npu1 run -1 --separate-stderr emulated npu2 copy <in
	[[ $stderr == *"/npu2.insts: the stream is for npu4 and newer, and \
this device is npu1; build the design for this device" ]]
	NPU_XDNA_DEVICE=npu4 run -1 --separate-stderr emulated ln copy <in
	[[ $stderr == *"/ln.insts: the stream is for npu1, and this device is \
npu4 or newer; build the design for this device" ]]
}

@test "--stats prints the number of frames and the mean time of a run" {
	need_data xdna/oracle
	head -c 3072 /dev/zero >in
	run -0 --separate-stderr emulated ln copy -q --stats -o out <in
	sed -E 's/[0-9]+\.[0-9]+ ms/T ms/g' <<<"$stderr" >said
	[ "$(cat said)" = "xdna-run: 3 frames in T ms, none failed; mean time \
of a run T ms" ]
	run -0 --separate-stderr emulated ln copy -v -o out <in
	[[ $stderr == *"emulated device: 5 columns, of which the kernel has 4" ]]
}
