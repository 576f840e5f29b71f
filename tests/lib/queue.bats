#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# npu_queue on the emulator, run by tests/tools/queuerun, which prints "n ok"
# for each correct frame.  tests/unit/device/queue*.c test what needs another
# device, or time that is measured.

load ../support/helper

setup() {
	export EMU=$B/lib/npu-utils/libnoe-emu.so
	mkcix --in s8:1x4 --out s8:1x4 --op=xor >m.cix
}

# want WORD...: fails unless the output has these words after the numbers of the
# frames.
want() {
	n=0
	for w; do
		echo "$((n += 1)) $w"
	done >want
	grep '^[0-9]' got | grep -v waiting | cut -d' ' -f1,2 | diff - want
}

# bats test_tags=slow
@test "results come in order, for any number in flight" {
	export NPU_EMU_INFER_MS=5 NPU_EMU_CREATE_MS=2 NPU_EMU_CLEAN_MS=2
	for k in 1 2 3 8; do
		queuerun -K $k m.cix >got
		want ok ok ok ok ok ok ok ok ok ok
	done
	NPU_EMU_CORES=1 queuerun -n 100 m.cix >got
	[ "$(grep -c ok got)" -eq 100 ]
	run -1 grep -v -e ok -e '^0 waiting' got
}

@test "one frame at a time gives the same results" {
	NPU_EMU_INFER_MS=5 queuerun -w -n 4 m.cix >got
	want ok ok ok ok
}

@test "several inputs and outputs, and large ones, are processed" {
	mkcix --in s8:1x3x640x640 --in s16:7 \
	    --out s8:1x3x640x640 --out s16:7 --op=xor >two.cix
	queuerun -n 5 two.cix >got
	want ok ok ok ok ok
}

@test "a later job may end before the oldest job" {
	NPU_EMU_INFER_MS=5 NPU_EMU_FAULT=infer:2:delay=300,infer:6:delay=100 \
	    queuerun m.cix >got
	want ok ok ok ok ok ok ok ok ok ok
}

# bats test_tags=slow
@test "an exception, a core dump or a refusal fails only its frame" {
	export NPU_EMU_INFER_MS=5
	for f in exception coredump schedule; do
		NPU_EMU_FAULT=infer:4:$f queuerun -n 7 m.cix >got
		want ok ok ok -2 ok ok ok
	done
	NPU_EMU_FAULT=create:4:grid,create:5:grid queuerun -n 7 m.cix >got
	want ok ok ok -2 -2 ok ok
	# If there is no memory for a frame's job, the frame waits until another
	# ends.
	NPU_EMU_FAULT=create:4:nomem queuerun -n 7 m.cix >got
	want ok ok ok ok ok ok ok
}

# bats test_tags=slow
@test "a job that never ends fails its frame, and others run meanwhile" {
	NPU_EMU_FAULT=infer:4:timeout queuerun -T 300 -n 8 m.cix >got
	want ok ok ok -6 ok ok ok ok
	grep -q '^4 -6 no result after 0.3 s: job: ERROR_TIMEOUT (0x23)' got
}

@test "a status that cannot be read fails one frame" {
	export NPU_EMU_INFER_MS=200
	NPU_EMU_FAULT=status:1:abnormal queuerun -n 4 m.cix >got
	want -2 ok ok ok
	NPU_EMU_FAULT=infer:2:abnormal queuerun -n 4 m.cix >got
	[ "$(grep -c ok got)" -eq 3 ]
}

@test "if the device goes away, the remaining frames fail with this reason" {
	export NPU_EMU_CORES=1 NPU_EMU_INFER_MS=20
	NPU_EMU_FAULT=get:2:nodevice queuerun -n 6 m.cix >got
	want ok ok -5 -5 -5 -5
	grep -q '^3 -5 the device is gone, and this queue with it: ' got
}

@test "with reused jobs, 40 frames succeed if only 6 jobs can be created" {
	NPU_EMU_INFER_MS=5 NPU_EMU_FAULT=create:7+:nomem \
	    queuerun -r -n 40 m.cix >got
	[ "$(grep -c ok got)" -eq 40 ]
}

@test "a reused job that hangs is reported once, and its frame runs again" {
	NPU_EMU_FAULT=infer:4:timeout queuerun -r -T 300 m.cix >got
	want ok ok ok ok ok ok ok ok ok ok
	[ "$(grep -c '^note: .*(0x23): making a new one' got)" -eq 1 ]
}

@test "the queue can be closed while jobs are running or hang" {
	NPU_EMU_INFER_MS=200 queuerun -c 2 m.cix >got
	want ok ok
	grep -q '^2 waiting' got
}

# bats test_tags=slow
@test "stop ends a wait, and jobs in flight are not cleaned" {
	NPU_EMU_INFER_MS=3600000 queuerun -T -1 -s 300 m.cix >got
	want '-7'
	grep -q '^3 waiting' got
}

# bats test_tags=slow
@test "waiting does not use the processor" {
	NPU_EMU_LOG=log NPU_EMU_FAULT='infer:*:delay=3600000' \
	    queuerun -T -1 -n 2 m.cix >got 3>&- &
	pid=$!
	# All threads of the process were asleep ten times in a row.
	n=0
	for _ in $(seq 1200); do
		n=$((n + 1))
		grep -qs '^fault infer 2' log &&
		    [ "$(cat /proc/$pid/task/*/stat 2>/dev/null |
			sed 's/.*) \(.\) .*/\1/' | sort -u)" = S ] || n=0
		[ $n -lt 10 ] || break
		sleep 0.05
	done
	kill $pid
	[ $n -eq 10 ]
}
