#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# The inside of a process of npu-bench, by tests/tools/benchrun, on the
# emulator.  Times have exact lower bounds, for nothing may end before its time;
# upper ones are generous, for this machine may be busy.

load helper

setup() {
	export EMU=$B/lib/npu-utils/libnoe-emu.so NPU_DEVICE=emu
	mkcix --in s8:1x4 --out s8:1x4 --op=xor >m.cix
}

# value NAME [COLUMN]: of that line of got.
value() {
	awk -v name="$1" -v column="${2:-1}" \
	    '$1 == name { print $(column + 1) }' got
}

# holds EXPRESSION: of awk, where v["n"] is the value of n.
holds() {
	awk '{ v[$1] = $2 } END { exit(!('"$1"')) }' got || {
		cat got
		return 1
	}
}

# within NAME LEAST MOST [MEAN]: all samples of a stage; and their mean.
within() {
	read -r least most mean < <(awk -v name="$1" \
	    '$1 == name { print $2, $3, $4 }' got)
	echo "$1: $least to $most, mean $mean; wanted $2 to $3"
	awk "BEGIN { exit(!($least >= $2 && $mean <= $3)) }"
}

@test "each stage has its own time, and e2e is all of them" {
	NPU_EMU_CREATE_MS=3 NPU_EMU_LOAD_MS=5 NPU_EMU_INFER_MS=11 \
	    NPU_EMU_GET_MS=7 NPU_EMU_CLEAN_MS=9 benchrun -n 20 m.cix >got
	[ "$(value rc)" -eq 0 ]
	within create 3 4.5
	within put 5 6.5
	within infer 11 13
	within get 7 8.5
	within clean 9 10.5
	within e2e 35 42
	within own 0 1
	# One after the other, with nothing between them.
	holds 'v["window"] >= 20 * 35 && v["window"] < 20 * 42'
}

@test "opening the device and loading the model are told apart" {
	NPU_EMU_INIT_MS=30 NPU_EMU_GRAPH_MS=50 benchrun m.cix >got
	holds 'v["init"] >= 30 && v["init"] < 45'
	holds 'v["load"] >= 50 && v["load"] < 65'
}
