#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# xdna-run on a device that fails, hangs or does not exist: what is written, and
# the exit status.  NPU_XDNA_FAULT selects what the emulated device does wrong.
# bats file_tags=slow

load ../support/helper
load ../support/xdnajob

setup() {
	xdna_container job
	xdna_stream 256 >job.txt
	head -c 3072 /dev/urandom >in
}

# frames [OPTION]...: runs the frames of the file in, and writes the results to
# out.
# shellcheck disable=SC2120 # called through run
frames() {
	xdna-run -q -r -d emu "$@" job.xclbin job.txt <in >out
}

@test "a failed call is status 3 before the first frame, 1 later" {
	# More frames than are flushed one by one.
	head -c 5120 /dev/urandom >in
	for errno in EIO EINVAL; do
		want=3 n=0 frees=0
		while :; do
			n=$((n + 1))
			[ $n -lt 200 ]
			NPU_XDNA_FAULT=$n:$errno run --separate-stderr frames
			[ "$status" -ne 0 ] || break
			[ "${#stderr_lines[@]}" -eq 1 ]
			# The message has the call, the errno, and advice.
			[[ $stderr == "xdna-run: "*": "[A-Zmo]*": "*": "* ]]
			case $stderr in
			*": frame "*)
				want=1
				k=${stderr#*: frame } k=${k%%:*}
				[ "$(wc -c <out)" -eq $((1024 * (k - 1))) ]
				head -c $((1024 * (k - 1))) in | cmp - out
				;;
			*": DESTROY_HWCTX: "* | *": GEM_CLOSE: "*)
				frees=$((frees + 1))
				cmp in out
				;;
			*) [ ! -s out ] ;;
			esac
			[ "$status" -eq $want ]
		done
		# A frame takes at least five calls.
		[ $want -eq 1 ] && [ $n -gt 30 ]
		# Seven calls free the context, the heap, its two parts, the
		# command and two buffers.
		[ $frees -eq 7 ]
		cmp in out
	done
}

@test "-k continues after a failed frame, with status 1" {
	n=0
	while NPU_XDNA_FAULT=$((n + 1)):EIO run frames && [ "$status" -eq 3 ]
	do
		n=$((n + 1))
	done
	# This is the first call of the second frame.
	NPU_XDNA_FAULT=$((n + 6)):EIO run -1 --separate-stderr frames -k
	[[ $stderr == "xdna-run: job.xclbin: frame 2: SYNC_BO: "* ]]
	cat <(head -c 1024 in) <(tail -c 1024 in) | cmp - out
	NPU_XDNA_FAULT=$((n + 6)):EIO run -1 frames -k -o new --stats
	cat <(head -c 1024 in) <(tail -c 1024 in) | cmp - new
	NPU_XDNA_FAULT=$((n + 6)):EIO run -1 frames -o other
	[ ! -e other ]
}

@test "a device that cannot be freed is status 1; -o keeps its file with -k" {
	n=30
	until [[ ${stderr-} == *": DESTROY_HWCTX: "* ]]; do
		n=$((n + 1))
		NPU_XDNA_FAULT=$n:EIO run -1 --separate-stderr frames
	done
	[[ $stderr == "xdna-run: job.xclbin: DESTROY_HWCTX: Input/output \
error (EIO): "* ]]
	cmp in out
	NPU_XDNA_FAULT=$n:EIO run -1 frames -o new
	[ ! -e new ]
	NPU_XDNA_FAULT=$n:EIO run -1 --separate-stderr frames -k --stats -o new
	cmp in new
	[ "${#stderr_lines[@]}" -eq 2 ]
	# If all calls fail, only the first failure is reported, with its
	# status.
	NPU_XDNA_FAULT=each:EIO run -3 --separate-stderr frames
	[ "${#stderr_lines[@]}" -eq 1 ]
}

@test "-k opens the device again after a failed wait" {
	# The calls of a device that is opened again are counted from 1.
	for n in $(seq 20 40); do
		NPU_XDNA_FAULT=$n:EIO run --separate-stderr frames -k
		[[ $stderr != *"job.xclbin: frame 2: SYNCOBJ_TIMELINE_WAIT: "* ||
		    $stderr == *"frame 1: "* ]] || break
	done
	# After that, call number n is a call that frees a resource.
	[ "$(grep -c ': frame ' <<<"$stderr")" -eq 1 ]
	cat <(head -c 1024 in) <(tail -c 1024 in) | cmp - out
}

@test "calls that a signal interrupts are repeated, with both kernels" {
	for kernel in 6.14 7.2; do
		export NPU_XDNA_KERNEL=$kernel
		frames
		cmp in out
		NPU_XDNA_FAULT=each:EINTR frames
		cmp in out
	done
}

@test "the state of a command that did not complete is printed" {
	while read -r state name; do
		NPU_XDNA_FAULT=state:$state run -1 --separate-stderr frames
		[[ $stderr == "xdna-run: job.xclbin: frame 1: the command \
ended in state $state ($name): "* ]]
		[ ! -s out ]
		NPU_XDNA_FAULT=state:$state run -1 --separate-stderr frames -k
		[ "${#stderr_lines[@]}" -eq 3 ]
	done <<-'END'
	5 ERROR
	6 ABORT
	8 TIMEOUT
	END
}

@test "-T ends a command that hangs, with status 1" {
	export NPU_XDNA_FAULT=hang
	run -1 --separate-stderr frames -T 50ms
	[ "$stderr" = "xdna-run: job.xclbin: frame 1: the command did not end \
within 50 ms (-T)" ]
	run -1 --separate-stderr frames -T 50ms -k
	[ "${#stderr_lines[@]}" -eq 3 ]
	[[ ${stderr_lines[2]} == *": frame 3: "* ]]
}

@test "if the kernel ends a hang, the state TIMEOUT is reported" {
	NPU_XDNA_FAULT=hang:10 run -1 --separate-stderr frames -T none
	[[ $stderr == *"ended in state 8 (TIMEOUT): "* ]]
}

# stopped SIGNAL WORD...: starts a run and sends it the signal; sets status.
stopped() {
	local signal=$1
	shift
	rm -f pipe
	mkfifo pipe
	xdna-run -q -r -d emu "$@" job.xclbin job.txt <pipe >out 3>&- &
	pid=$!
	exec 8>pipe
	cat in >&8
	for _ in $(seq 1200); do
		! grep -qs libxdna-emu "/proc/$pid/maps" || break
		sleep 0.05
	done
	sleep 0.3
	kill -"$signal" $pid
	status=0
	wait $pid || status=$?
	exec 8>&-
}

@test "a signal ends a run that waits for input or for the device" {
	for signal in INT TERM; do
		want=$((128 + $(kill -l $signal)))
		# bash starts background processes with SIGINT ignored.
		[ $signal != INT ] || continue
		stopped $signal
		[ $status -eq $want ]
		cmp in out
		export NPU_XDNA_FAULT=hang
		stopped $signal -T none
		[ $status -eq $want ]
		[ ! -s out ]
		stopped $signal -T none -o new
		[ $status -eq $want ]
		[ ! -e new ]
		unset NPU_XDNA_FAULT
	done
	NPU_XDNA_FAULT=hang run -130 timeout --preserve-status -s INT 1 \
	    xdna-run -q -r -T none -d emu job.xclbin job.txt <in
}

@test "SIGPIPE ends a run when its reader leaves; a full device is an error" {
	# More than fits into a pipe, which holds 1 MiB.
	head -c 4M /dev/zero >in
	set +o pipefail
	xdna-run -q -r -d emu job.xclbin job.txt <in | head -c 1 >one
	[ "${PIPESTATUS[0]}" -eq 141 ]
	run -1 bash -c 'xdna-run -d emu job.xclbin job.txt 2>&1 <in >/dev/full'
	[ "$output" = "xdna-run: write error: No space left on device" ]
	run -1 bash -c 'xdna-run -d emu job.xclbin job.txt 2>&1 <in >&-'
	[ "$output" = "xdna-run: write error: Bad file descriptor" ]
	run -1 bash -c 'xdna-run -d emu job.xclbin job.txt 2>&1 <&-'
	[ "$output" = "xdna-run: stdin: Bad file descriptor" ]
}

@test "a node without permission is status 3, and the group render is named" {
	: >node
	chmod 0 node
	as=
	[ "$(id -u)" -ne 0 ] || as='setpriv --reuid=65534 --clear-groups'
	# Open the files first, because another user may not read them here.
	exec 6<job.xclbin 7<job.txt
	# shellcheck disable=SC2086 # words
	run -3 --separate-stderr $as "$B/bin/xdna-run" --node=node \
	    /proc/self/fd/6 /proc/self/fd/7 </dev/null
	[[ $stderr == "xdna-run: node: open: Permission denied (EACCES): \
"*" render "* ]]
}

@test "a stream for npu1 runs in a partition of 5 columns, not of 8" {
	for n in 5 8; do
		sed "s/\"column_width\": 1/\"column_width\": $n/" \
		    job_aie_partition.json >wide.json
		xclbin-pack -q -i job.xclbin --add-replace-section \
		    AIE_PARTITION:JSON:wide.json -o $n.xclbin
	done
	xdna-run -r -d emu 5.xclbin job.txt <in | cmp - in
	xdna_stream 256 4 >four.txt
	xdna-run -r -d emu 8.xclbin four.txt <in | cmp - in
	# It is refused before a device is opened: status 1, not 3.
	NPU_XDNA_LIBRARY=$PWD/none run -1 --separate-stderr xdna-run -d emu \
	    8.xclbin job.txt </dev/null
	[ "$stderr" = "xdna-run: job.txt: the stream is for npu1, which has \
5 columns, and the partition needs 8; build both for one device" ]
}

@test "a container read from a pipe runs like a container from a file" {
	xdna-run -r -d emu <(cat job.xclbin) <(cat job.txt) <in | cmp - in
}

@test "a terminal shows the progress in frames, also of failed frames" {
	NPU_XDNA_FAULT=hang script -qec "xdna-run -r -d emu -k -T 600ms \
	    job.xclbin job.txt <in >out" said </dev/null || [ $? -eq 1 ]
	grep -qE '[23] of 3 frames, [0-9.]+/(s|min)' said
	NPU_XDNA_FAULT=hang script -qec "xdna-run -q -r -d emu -k -T 600ms \
	    job.xclbin job.txt <in >out" said </dev/null || [ $? -eq 1 ]
	run ! grep -q ' frames, ' said
}
