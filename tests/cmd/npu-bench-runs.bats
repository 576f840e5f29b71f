#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# A worker of npu-bench, run by tests/tools/benchrun on the emulator.  Times
# have lower bounds only, as nothing can end before its time.
# tests/unit/npu-bench tests load.c and rate_search.c with a simulated clock,
# and exact times.
# bats file_tags=slow

load ../support/helper
load ../support/runbench

setup() {
	export EMU=$B/lib/npu-utils/libnoe-emu.so NPU_DEVICE=emu
	mkcix --in s8:1x4:20:60 --out s8:1x4:20:60 --op=xor >m.cix
}

# odd ARGUMENT...: runs benchrun on the library oddnoe (oddnoe.c), with a device
# node.
odd() {
	: >node
	NPU_DEVICE=auto benchrun -L "$B/tests/tools/oddnoe.so" -D ./node "$@"
}

# value NAME [COLUMN]: prints a value from the line NAME of the file got.
value() {
	awk -v name="$1" -v column="${2:-1}" \
	    '$1 == name { print $(column + 1) }' got
}

# holds EXPRESSION: an awk expression is true, where v["n"] is the value of n.
holds() {
	awk '{ v[$1] = $2 } END { exit(!('"$1"')) }' got || {
		cat got
		return 1
	}
}

# least NAME MS: no sample of the stage NAME takes less than MS milliseconds.
least() {
	holds "v[\"$1\"] >= $2"
}

@test "each stage has its own time, and e2e includes all stages" {
	NPU_EMU_CREATE_MS=3 NPU_EMU_LOAD_MS=10 NPU_EMU_INFER_MS=31 \
	    NPU_EMU_GET_MS=17 NPU_EMU_CLEAN_MS=24 benchrun -n 20 -S m.cix >got
	[ "$(value rc)" -eq 0 ]
	least create 3
	least put 10
	least infer 31
	least get 17
	least clean 24
	least e2e 85
	# No time is counted in two stages, and the inferences do not overlap.
	awk '/^sample/ {
		n++
		if ($5 + $6 + $7 + $8 + $9 > $4 - $3 + 1e-5 || $3 < end) bad = 1
		end = $4
	}
	END { exit(bad || n != 20) }' got
	holds 'v["window"] >= 20 * 85'
}

@test "reused jobs are neither created nor cleaned" {
	NPU_EMU_CREATE_MS=3 NPU_EMU_CLEAN_MS=3 benchrun -u -w 1 -n 9 m.cix >got
	[ "$(value create) $(value create 2)" = "0.000000 0.000000" ]
	[ "$(value clean) $(value clean 2)" = "0.000000 0.000000" ]
}

@test "opening the device and loading the model are timed separately" {
	NPU_EMU_INIT_MS=30 NPU_EMU_GRAPH_MS=400 benchrun m.cix >got
	holds 'v["init"] >= 30 && v["load"] >= 400'
	NPU_EMU_INIT_MS=400 NPU_EMU_GRAPH_MS=30 benchrun m.cix >got
	holds 'v["init"] >= 400 && v["load"] >= 30'
}

@test "the cold inference is reported separately, and is not a sample" {
	NPU_EMU_INFER_MS=5 NPU_EMU_FAULT=infer:1:delay=300,infer:12:exception \
	    benchrun -n 10 m.cix >got
	holds 'v["first"] >= 305'
	least infer 5
	# The ten samples are inferences 2 to 11.
	[ "$(value n) $(value failed)" = "10 0" ]
	NPU_EMU_FAULT=infer:11:exception benchrun -n 10 m.cix >got
	[ "$(value n) $(value failed)" = "10 1" ]
}

@test "the warm-up has a least number and a least time, and can be left out" {
	export NPU_EMU_INFER_MS=10
	benchrun -w 5 -n 2 m.cix >got
	[ "$(value warm)" -eq 5 ]
	holds 'v["warm_ms"] >= 50'
	benchrun -w 5 -W 200 -n 2 m.cix >got
	holds 'v["warm"] >= 5 && v["warm"] <= 20 && v["warm_ms"] >= 200'
	benchrun -n 2 m.cix >got
	[ "$(value warm) $(value warm_ms)" = "0 0.000000" ]
}

@test "the window ends after a least number of samples and a least time" {
	export NPU_EMU_INFER_MS=10
	benchrun -n 7 m.cix >got
	[ "$(value n)" -eq 7 ]
	benchrun -n 7 -t 300 m.cix >got
	holds 'v["n"] >= 7 && v["n"] <= 30'
	benchrun -n 20 -t 100 m.cix >got
	[ "$(value n)" -eq 20 ]
	benchrun -s offline -j 4 -n 21 m.cix >got
	[ "$(value n)" -eq 21 ]
	[ "$(value full)" -eq 0 ]
}

@test "caps on time, count and room for samples end the window early" {
	export NPU_EMU_INFER_MS=10
	benchrun -n 1000 -M 200 m.cix >got
	holds 'v["n"] >= 1 && v["n"] <= 20 && v["full"] == 0'
	benchrun -n 1000 -N 13 m.cix >got
	holds 'v["n"] == 13 && v["full"] == 0'
	benchrun -n 1000 -m 9 m.cix >got
	holds 'v["n"] == 9 && v["full"] == 1'
	benchrun -s offline -j 4 -n 1000 -m 9 m.cix >got
	holds 'v["n"] == 9 && v["full"] == 1'
	# Room for just enough samples is enough.
	benchrun -n 9 -m 9 m.cix >got
	holds 'v["n"] == 9 && v["full"] == 0'
}

@test "offline: -j inferences are in flight, and each waits for a core" {
	export NPU_EMU_INFER_MS=20 NPU_EMU_CORES=1
	NPU_EMU_LOG=log benchrun -s offline -j 3 -n 12 -w 3 m.cix >got
	holds 'v["window"] >= 12 * 20'
	least e2e 20
	# All jobs are cleaned, and at most three existed at a time.
	grep -qE '^made job ([0-9]+) \1 0 3$' log
	NPU_EMU_CORES=3 benchrun -s offline -j 3 -n 12 -w 3 m.cix >got
	holds 'v["window"] >= 4 * 20'
}

@test "multi-stream: a query begins when the previous query is answered" {
	NPU_EMU_INFER_MS=10 NPU_EMU_CORES=1 benchrun -s multi-stream -k 4 \
	    -j 4 -n 9 -w 4 -S m.cix >got
	# Three whole queries are made.
	[ "$(value n)" -eq 12 ]
	# Within a query, all inferences have the same due time, and the i-th is
	# answered after i inferences.  The end of a query is the due time of
	# the next query.
	awk '/^sample/ {
		i = n++ % 4
		if (i == 0 && $2 < end || i > 0 && $2 != due) bad = 1
		if ($4 - $2 < (i + 1) * 10) bad = 1
		due = $2
		end = $4
	}
	END { exit(bad || n != 12) }' got
}

@test "multi-stream: caps end the window between two queries" {
	export NPU_EMU_INFER_MS=10 NPU_EMU_CORES=1
	benchrun -s multi-stream -k 4 -j 2 -n 1000 -N 6 m.cix >got
	[ "$(value n) $(value full)" = "8 0" ]
	benchrun -s multi-stream -k 4 -j 2 -n 1000 -m 11 m.cix >got
	[ "$(value n) $(value full)" = "8 1" ]
	benchrun -s multi-stream -k 4 -j 2 -n 1000 -M 60 m.cix >got
	holds 'v["n"] == 4 || v["n"] == 8'
}

@test "timestamps count from the beginning of the window" {
	NPU_EMU_INFER_MS=10 benchrun -n 5 -w 5 -S m.cix >got
	awk '/^sample/ {
		if (n++ == 0) begin = $3
		if ($2 != $3 || $3 < end) bad = 1
		end = $4
	}
	$1 == "window" { window = $2 }
	END { d = end - begin - window; exit(bad || n != 5 || d * d > 1e-8) }' got
}

@test "server: arrivals depend on the seed, and are even on request" {
	arrivals() {
		benchrun -s server -j 3 -n 40 -S "$@" m.cix |
		    awk '/^sample/ { print $2 }'
	}
	export NPU_EMU_INFER_MS=1
	arrivals -r 400 >a
	arrivals -r 400 >b
	head -n 40 a | diff - <(head -n 40 b)
	arrivals -r 400 -x 2 >b
	run -1 diff -q a b
	# Twice the rate: each in half the time.
	arrivals -r 800 >b
	paste <(head -n 40 a) <(head -n 40 b) |
	    awk '{ d = $1 / 2 - $2; if (d * d > 1e-8) bad = 1 }
	    END { exit(bad || NR != 40) }'
	arrivals -r 400:even >a
	head -n 40 a | awk '{ d = $1 - NR * 2.5; if (d * d > 1e-8) bad = 1 }
	    END { exit(bad || NR != 40) }'
}

@test "server: no query is sent before it arrives" {
	# The device is idle when a query arrives, or busy with another query.
	for ms in 5 30; do
		NPU_EMU_INFER_MS=$ms benchrun -s server -j 3 -n 100 \
		    -r 50:even -S m.cix >got
		awk '/^sample/ && ($2 - ++n * 20 > 1e-4 || $3 < $2) { bad = 1 }
		    END { exit(bad || n < 100) }' got
		least latency $ms
	done
}

@test "server: above capacity, each query waits longer from its due time on" {
	export NPU_EMU_INFER_MS=10 NPU_EMU_CORES=1
	benchrun -s server -j 2 -n 40 -r 200:even -S m.cix >got
	# Arrival k, at 5 k ms, is answered at 5 + 10 k ms at the earliest.
	awk '/^sample/ {
		n++
		if ($2 < 5 * n - 0.001 || $4 - $2 < 5 + 5 * n - 0.1) bad = 1
	}
	END { exit(bad || n < 40) }' got
	# At four times the capacity, some queries that arrive before there are
	# enough samples are not served.
	benchrun -s server -j 2 -n 40 -r 400:even m.cix >got
	holds 'v["left"] > 40'
	# Queries that could not be served in time are also counted.
	benchrun -s server -j 2 -n 40 -M 300 -r 400:even m.cix >got
	holds 'v["n"] + v["left"] >= 120 && v["n"] <= 32'
}

@test "the rate that a search finds can be served" {
	# Served one after the other, in 14.11 ms each: 70.87 a second.
	NPU_EMU_INFER_MS=14.11 NPU_EMU_CORES=1 benchrun -s server -j 3 \
	    -r 35.55:even -f -b p90:40 -n 30 -M 5000 m.cix >got
	[ "$(value rc)" -eq 0 ]
	holds 'v["low"] <= 70.87 && v["high"] >= v["low"]'
	holds 'v["low"] == 0 || v["rate"] == v["low"]'
	# With 127 samples, the fifth largest bounds percentile 90.
	awk '/^trial/ && $5 && ($3 < 127 || $4 > 40 || $4 < 14.11) { exit 1 }' \
	    got
}

@test "a search without a first rate begins with half the warm-up's rate" {
	NPU_EMU_INFER_MS=10 NPU_EMU_CORES=1 benchrun -s server -w 20 -f \
	    -b p50:1000 -n 3 -m 11 m.cix >got
	[ "$(value rc)" -eq 0 ]
	half=$(grep '^trial' got | head -n 1 | cut -d ' ' -f 2)
	holds "v[\"warm\"] >= 20 && $half / (500 * v[\"warm\"] / v[\"warm_ms\"]) \
	    - 1 < 1e-5 && $half / (500 * v[\"warm\"] / v[\"warm_ms\"]) - 1 > -1e-5"
}

@test "a search ends at a million a second, or when a trial fails" {
	# These are so few arrivals that none can be late.  But the rate is not
	# higher than what the machine completes in a second.
	benchrun -s server -r 250000 -f -b p50:60000 -n 3 -m 100 m.cix >got
	[ "$(value rc)" -eq 0 ]
	[ "$(grep -c '^trial ' got)" -eq 3 ]
	[ "$(value high)" = inf ]
	holds 'v["rate"] > 0 && v["rate"] < 1e6'
	NPU_EMU_FAULT=infer:5:timeout benchrun -z 5000 -s server -r 100 -f \
	    -b p50:60000 -n 3 -m 11 m.cix >got
	[ "$(value rc)" -eq -6 ]
	grep -q '^words m.cix: trial inference 4: no result after 5 s' got
	benchrun -s server -r 100 -f -b p99:1000 -n 3 -m 3 m.cix >got
	[ "$(value rc)" -eq -4 ]
	grep -q '^words 3 samples are too few to bound' got
}

@test "a search ends if no rate can keep the bound" {
	NPU_EMU_INFER_MS=2 benchrun -s server -j 3 -r 500 -f -b p50:1 -n 3 \
	    m.cix >got
	[ "$(value rc)" -eq 0 ]
	[ "$(grep -c '^trial .* 0$' got)" -ge 1 ]
	run -1 grep '^trial .* 1$' got
	holds 'v["none"] == 1 && v["rate"] > 0 && v["rate"] <= 500'
}

@test "a failed inference is counted, and is not a sample" {
	export NPU_EMU_INFER_MS=5
	NPU_EMU_FAULT=infer:5:exception,infer:7:coredump benchrun -n 20 m.cix \
	    >got
	[ "$(value rc) $(value n) $(value failed)" = "0 20 2" ]
	grep -q '^words m.cix: inference 4: job: ERROR_JOB_EXCEPTION' got
	NPU_EMU_FAULT=infer:5:exception benchrun -s offline -j 3 -n 20 m.cix \
	    >got
	[ "$(value rc) $(value n) $(value failed)" = "0 20 1" ]
	# -N counts the failed inference.
	NPU_EMU_FAULT=infer:5:exception benchrun -n 20 -N 20 m.cix >got
	[ "$(value rc) $(value n) $(value failed)" = "0 19 1" ]
}

@test "ten failures in a row end the run" {
	export NPU_EMU_INFER_MS=1
	NPU_EMU_FAULT=infer:9-17:exception,infer:20-28:exception \
	    benchrun -n 20 m.cix >got
	[ "$(value rc) $(value n) $(value failed)" = "0 20 18" ]
	NPU_EMU_FAULT=infer:9+:exception benchrun -n 20 m.cix >got
	[ "$(value rc) $(value n) $(value failed)" = "-2 7 10" ]
	grep -q '^words m.cix: 10 in a row failed: inference 17: job: ' got
}

@test "a failure of the cold inference or in the warm-up ends the run" {
	NPU_EMU_FAULT=infer:1:exception benchrun -n 3 m.cix >got
	[ "$(value rc) $(value n)" = "-2 0" ]
	grep -q '^words m.cix: cold inference 1: job: ' got
	NPU_EMU_FAULT=infer:3:timeout benchrun -z 5000 -w 5 -n 3 m.cix >got
	[ "$(value rc) $(value n)" = "-6 0" ]
	grep -q '^words m.cix: warm-up inference 2: no result after 5 s' got
}

@test "a timeout ends the run, and so does a device that goes away" {
	export NPU_EMU_INFER_MS=5
	NPU_EMU_FAULT=infer:4:timeout benchrun -z 5000 -n 9 m.cix >got
	[ "$(value rc) $(value n)" = "-6 2" ]
	grep -q '^words m.cix: inference 3: no result after 5 s' got
	# The cold inference asks for the status every 100 ms.
	for s in single-stream 'offline -j 3' 'server -r 200 -j 3'; do
		# shellcheck disable=SC2086 # -s and its options
		NPU_EMU_FAULT=status:60:nodevice benchrun -s $s -n 100 m.cix >got
		[ "$(value status) $(value rc) $(value failed)" = "0 -5 1" ]
		grep -q '^words m.cix: inference .*the device is gone' got
	done
}

@test "a model or an input that cannot be opened is reported" {
	benchrun none.cix >got
	[ "$(value rc) $(value phase)" = "-1 5" ]
	grep -q '^words none.cix: no such model' got
	printf abc >short
	benchrun -i short m.cix >got
	[ "$(value rc)" -eq -3 ]
	grep -q '^words short: ' got
	benchrun -i missing m.cix >got
	grep -q '^words missing: .*No such file' got
}

@test "a signal ends the worker at any time" {
	for s in single-stream 'offline -j 3' 'server -r 1 -j 3'; do
		# shellcheck disable=SC2086 # -s and its options
		NPU_EMU_INFER_MS=50 benchrun -s $s -n 100000 -K 200 m.cix >got
		# 15 is SIGTERM.
		[ "$(value status) $(value rc)" = "15 -7" ]
		grep -q '^words m.cix: stopped$' got
	done
	# The worker has unloaded its model and closed the device.
	ODD_LOG=log odd -s server -r 1 -n 1000 -K 200 m.cix >got
	[ "$(value status) $(value rc)" = "15 -7" ]
	[ "$(grep -E '^(unload|deinit)' log)" = $'unload\ndeinit' ]
	# The signal arrives while the worker waits until the others can begin,
	# then while it waits until they end.
	benchrun -n 5 -P 1 -K 50 m.cix >got
	[ "$(value status) $(value rc) $(value n)" = "15 -7 0" ]
	grep -q '^words stopped$' got
	benchrun -n 5 -A 60000 -P 3 -K 50 m.cix >got
	[ "$(value status) $(value rc) $(value n)" = "15 -7 5" ]
}

@test "a worker continues until all have enough samples, but adds none" {
	# cleaned: 20 jobs are cleaned, of which one was cold and five are
	# samples.
	cleaned() {
		[ "$(grep -cs ^clean log)" -ge 20 ]
	}
	ODD_LOG=$PWD/log odd -O enough -n 5 m.cix >got 3>&- &
	until_so cleaned
	: >enough
	wait $!
	[ "$(value rc) $(value n)" = "0 5" ]
}

@test "an output that differs from the first output ends the run" {
	# Job 1 is the cold inference, the next 3 are the warm-up.
	ODD_OTHER=3 odd -w 3 -n 9 m.cix >got
	[ "$(value rc) $(value n)" = "1 0" ]
	grep -q '^words m.cix: warm-up inference 2: the sum ' got
	ODD_OTHER=9 odd -w 3 -n 9 m.cix >got
	[ "$(value rc)" -eq 1 ]
	first=$(value checksum)
	grep -Eq "^words m.cix: inference 5: the sum of its output is\
 [0-9a-f]{16}, but the first was $first: " got
	run -1 grep -q "output is $first" got
	ODD_OTHER=1 odd -w 3 -n 9 m.cix >got
	[ "$(value rc) $(value n)" = "0 9" ]
}

@test "the input is drawn from the seed, in the range of its type" {
	export ODD_INPUT=$PWD/in ODD_SIZE=4000
	# drawn OD: measures once, and prints the numbers of the input, one a
	# line.  OD is the type for od.
	drawn() {
		odd -x 7 -N 1 m.cix >got
		[ "$(value rc)" -eq 0 ]
		od -An -v -t "$1" -w4000 in | tr -s ' ' '\n' | grep .
	}
	ODD_TYPE=3 drawn d1 >a
	[ "$(sort -u a | wc -l)" -eq 256 ]
	ODD_TYPE=3 drawn d1 >b
	cmp a b
	ODD_TYPE=3 odd -x 8 -N 1 m.cix >got
	od -An -v -t d1 -w4000 in | tr -s ' ' '\n' | grep . >b
	run -1 diff -q a b
	# Each line has the number of a type, the type for od, the least and the
	# greatest value.
	while read -r type od least most; do
		ODD_TYPE=$type drawn "$od" | sort -g >a
		awk -v least="$least" -v most="$most" '
		    NR == 1 { x = $1 }
		    END {
			edge = (most - least) / 16
			exit(x < least || x > least + edge ||
			    $1 > most || $1 < most - edge)
		    }' a
	done <<-END
	1 u1 0 1
	4 u2 0 65535
	5 d2 -32768 32767
	6 u4 0 255
	7 d4 0 255
	9 d8 0 255
	11 f4 -1 1
	12 f8 -1 1
	18 u1 0 15
	19 d1 -8 7
	20 u2 0 4095
	21 d2 -2048 2047
	END
	# An unknown type gets arbitrary bytes.
	ODD_TYPE=200 drawn u1 >a
	[ "$(sort -u a | wc -l)" -eq 256 ]
	ODD_TYPE=10 odd -N 1 m.cix >got
	npu-dequant -r -t f16 <in | od -An -v -t f4 -w4 | sort -g >a
	[ "$(wc -l <a)" -eq 2000 ]
	awk 'NR == 1 { exit($1 < -1 || $1 > -0.9) }' a
	tail -n 1 a | awk '{ exit($1 > 1 || $1 < 0.9) }'
}

@test "the input is read from a file, and the output compared with a file" {
	printf abcd >in
	# Each byte is exclusive-ored with 0x55.
	printf 4761 >ref
	benchrun -i in -R ref -T max:0 -n 3 m.cix >got
	[ "$(value rc) $(value ref) $(value ref 2)" = "0 1 0" ]
	# (52 + 60) / 20 is 5.6; the others are 5.75, 5.7 and 5.45.
	npu-dequant -t s8 -s 20 -z 60 <ref >floats
	[ "$(tail -c 16 floats >f; floats f)" = "5.6 5.75 5.7 5.45" ]
	benchrun -i in -R floats -T max:0 -n 3 m.cix >got
	[ "$(value rc) $(value ref) $(value ref 2)" = "0 1 0" ]
	# A .npy file does not contain the scale.
	printf '\223NUMPY\001\000\166\000%-117s\n4761' "{'descr': '|i1', \
'fortran_order': False, 'shape': (1, 4), }" >ref.npy
	benchrun -i in -R ref.npy -T max:0 -n 3 m.cix >got
	[ "$(value rc) $(value ref) $(value ref 2)" = "0 1 0" ]
	# Numbers of another type than the model's type are taken as they are.
	printf '\223NUMPY\001\000\166\000%-117s\n' "{'descr': '<f4', \
'fortran_order': False, 'shape': (1, 4), }" >ref.npy
	f32 5.6 5.75 5.7 5.45 >>ref.npy
	benchrun -i in -R ref.npy -T max:0 -n 3 m.cix >got
	[ "$(value rc) $(value ref) $(value ref 2)" = "0 1 0" ]
	# 5.4 instead of 5.45.
	printf 4760 >ref
	benchrun -i in -R ref -T max:0.06 -n 3 m.cix >got
	[ "$(value rc)" -eq 0 ]
	awk '$1 == "ref" {
		c = 5.6^2 + 5.75^2 + 5.7^2
		c = (c + 5.4 * 5.45) / sqrt(c + 5.4^2) / sqrt(c + 5.45^2)
		exit(($2 - c)^2 > 1e-14 || ($3 - 0.05)^2 > 1e-12)
	}' got
	benchrun -i in -R ref -T max:0.04 -n 3 m.cix >got
	[ "$(value rc) $(value n)" = "4 3" ]
	grep -q '^words ref: the model answers otherwise: max 0.0' got
	benchrun -i in -R ref -n 3 m.cix >got
	[ "$(value rc)" -eq 0 ]
}

@test "a model without an input runs without the input file" {
	printf abcd >in
	ODD_INPUTS=0 odd -i in -n 3 m.cix >got
	[ "$(value rc) $(value n)" = "0 3" ]
}

@test "an input file that is not exactly one frame is reported" {
	while read -r bytes words; do
		printf %s "$bytes" >in
		benchrun -i in m.cix >got
		[ "$(value rc) $(value n)" = "-3 0" ]
		grep -q "^words in: $words" got
	done <<-END
	abc 3 bytes, not a whole number of frames of 4 bytes
	abcde 5 bytes, not a whole number of frames of 4 bytes
	abcdabcd has more than one frame of 4 bytes
	END
	: >in
	benchrun -i in m.cix >got
	grep -q '^words in: has no frame' got
}

@test "an invalid reference is reported" {
	printf 476 >ref
	benchrun -R ref m.cix >got
	[ "$(value rc) $(value n)" = "-3 0" ]
	grep -q '^words ref: ' got
	: >ref
	benchrun -R ref m.cix >got
	grep -q '^words ref: ends after 0 of 1 outputs' got
	printf 47614 >ref
	benchrun -R ref m.cix >got
	[ "$(value rc)" -eq -3 ]
	printf 47614761 >ref
	benchrun -R ref m.cix >got
	[ "$(value rc)" -eq -3 ]
	grep -q '^words ref: goes on after 1 outputs' got
	benchrun -R missing m.cix >got
	grep -q '^words missing: No such file' got
	printf 47614761 | npu-dequant -t s8 -s 20 >ref
	benchrun -R ref m.cix >got
	[ "$(value rc)" -eq -3 ]
	grep -q "^words ref: tensor 0: it is f32 .* and the model's output is" \
	    got
	# The first label says that its frame has two tensors.  The second label
	# is cut short.
	printf 4761 | npu-tensor -q -a -t s8 -s 20 -z 60 >one
	perl -pe 's/^(.{58})\001/$1\002/s' one >ref
	benchrun -R ref m.cix >got
	[ "$(value rc)" -eq -3 ]
	grep -q '^words ref: frames have 2 tensors, and the model 1 outputs' got
	head -c 40 one >ref
	benchrun -R ref m.cix >got
	[ "$(value rc)" -eq -3 ]
	# An output of an unknown type cannot be compared.
	printf 4761 >ref
	ODD_TYPE=200 odd -R ref m.cix >got
	[ "$(value rc)" -eq -3 ]
	grep -q '^words ref: tensor 0: it is ' got
}

@test "the reported memory excludes the samples, allocated before the runs" {
	benchrun -n 5 -m 100 m.cix >got
	few=$(value hwm)
	benchrun -n 5 -m 1000000 m.cix >got
	# The samples take 64 MB.
	echo "$few, $(value hwm)"
	[ "$(value hwm)" -gt 500 ]
	[ "$(($(value hwm) - few))" -lt 8192 ]
}

# bats test_tags=native
@test "in the window, nothing is read, written, started or allocated" {
	# The window begins and ends with a query of the processor time.
	NPU_EMU_INFER_MS=1 strace -f -qq -o trace -e trace=getrusage,%memory,\
%file,%network,read,write,pread64,pwrite64,close,dup2,clone,clone3,fork,vfork \
	    benchrun -s offline -j 3 -w 20 -n 200 m.cix >got
	[ "$(value n)" -eq 200 ]
	[ "$(grep -c getrusage trace)" -eq 2 ]
	sed -n '/getrusage/,/getrusage/p' trace >window
	cat window
	[ "$(wc -l <window)" -eq 2 ]
}

@test "the output of the vendor's library does not reach stdout" {
	ODD_CHATTER=1 odd -n 1 m.cix >got
	[ "$(value n)" -eq 1 ]
	run -1 grep -q 'good morning' got
}

@test "the processor time of the process is reported" {
	# No processor makes 20,000 inferences in 1 ms.
	NPU_EMU_COMPUTE=none benchrun -n 20000 m.cix >got
	holds 'v["cpu"] > 1 && v["clock"] > 0'
}

@test "the model, the library and its device are reported" {
	benchrun -n 1 m.cix >got
	[ "$(value sha256)" = "$(sha256sum m.cix | cut -d' ' -f1)" ]
	[ "$(value bytes)" -eq "$(stat -c %s m.cix)" ]
	[ "$(value model) $(value library)" = "m.cix $EMU" ]
	[ "$(value version) $(value driver)" = "0.6.0 5.11.0" ]
	[ "$(value target) $(value emulator)" = "X2_1204MP3 1" ]
}
