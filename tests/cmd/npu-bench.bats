#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# npu-bench on the emulator, seen from outside: its options, its files and its
# exit statuses.  npu-bench-processes.bats tests its workers, npu-bench-runs.bats
# the inside of a worker, npu-bench-reports.bats the reports, and
# npu-bench-gate.bats the gate.

load ../support/helper
load ../support/fakehost
load ../support/runbench

# ---- Reports ----------------------------------------------------------------

# bats test_tags=slow
@test "the report is on stdout, warnings are on stderr, the status is 0" {
	run --separate-stderr -0 npu-bench --idle=none -w 0 --min-iter=20 m.cix
	for stage in create put infer get clean e2e; do
		grep -q "^$stage " <<<"$output"
	done
	[[ $output == *"not an MLPerf result"* ]]
	# shellcheck disable=SC2001 # of every line
	[ -z "$(sed '/^npu-bench: W-[A-Z]*: ./d' <<<"$stderr")" ]
	run --separate-stderr -0 npu-bench -q --idle=none -w 0 --min-iter=20 m.cix
	[ "$stderr" = "" ]
}

# bats test_tags=slow
@test "the report is text, JSON, CSV or TSV, and goes to a file or to stdout" {
	report --min-iter=20 m.cix
	is '.schema == "npu-bench/1" and .runs[0].n == 20 and .verdict == null'
	is '.argv | index("--json")'
	bench --min-iter=20 -F json m.cix | jq -e '.runs[0].n == 20'
	bench --min-iter=20 --csv m.cix >c
	head -n 1 c | grep -q ',stage,'
	grep -q ',infer,' c
	bench --min-iter=20 -F tsv -o t m.cix
	[ "$(head -n 1 t)" = "$(head -n 1 c | tr , '\t')" ]
	bench --min-iter=20 -F csv -o c2 m.cix
	[ "$(head -n 1 c)" = "$(head -n 1 c2)" ]
	bench --min-iter=20 -o - m.cix >text
	grep -q '^infer' text
}

@test "-j: if the device has no memory for so many in flight, nothing runs" {
	NPU_EMU_INFER_MS=20 NPU_EMU_FAULT=create:12:nomem \
	    run --separate-stderr -1 npu-bench --idle=none -j 4 -w 0 \
	    --min-iter=20 m.cix
	[[ $stderr == *"m.cix: the device has no memory for 4 inferences at \
a time: give fewer with --jobs"* ]]
}

@test "--ops, or the file of --onnx, gives GOPS and their share of --peak" {
	net() {
		/usr/bin/python3 "$TOP/tests/tools/onnxnets.py" "$1" >"$1.onnx"
	}
	net matmul
	report --min-iter=5 --ops=1.5k m.cix
	is '.plan.ops == 1500 and .plan.peak_ops == 28.8e12'
	is '.runs[0] | (.gops * 1e9 / .throughput - 1500 | fabs) < 1e-6'
	is '.runs[0] | (.peak_pct / .gops * 288 - 1 | fabs) < 1e-9'
	# 120 multiply-accumulates.
	report --min-iter=5 --onnx=matmul.onnx --peak=2e3 m.cix
	is '.plan.ops == 240 and .plan.peak_ops == 2000'
	is '.runs[0] | (.peak_pct - .throughput * 12 | fabs) < 1e-6'
	bench --min-iter=5 --ops=8.74G --peak=1T m.cix >text
	grep -E '^operations  8\.74 G an inference, [0-9.e+]+ GOPS, [0-9.e+]+% of the peak of 1\.00 T a second$' text
}

@test "--onnx: a file whose operations are not all known is refused" {
	for c in stated softmax; do
		/usr/bin/python3 "$TOP/tests/tools/onnxnets.py" $c >$c.onnx
	done
	for c in stated.onnx:"the operations of 1 node are not known: look at \
npu-info's description, or give their number with --ops" \
	    softmax.onnx:"the model has no multiply-accumulates: give the \
number of operations with --ops" m.cix:"not an ONNX" absent.onnx:"no such"; do
		run --separate-stderr -1 npu-bench --idle=none --json \
		    --onnx="${c%%:*}" m.cix
		[[ $stderr == "npu-bench: ${c%%:*}: ${c#*:}"* ]]
		[ "$(jq -r .error.message <<<"$output")" = \
		    "${stderr#npu-bench: }" ]
		[ "$(jq -c .runs <<<"$output")" = "[]" ]
	done
}

# bats test_tags=slow
@test "--percentiles chooses the percentiles of the report" {
	# 1 ms each: a faster inference can be below the clock's floor,
	# "<0.00100".
	NPU_EMU_INFER_MS=1 bench --min-iter=3 --percentiles=100 m.cix >text
	[ "$(grep -cE '^(infer|e2e) +p100 +[0-9.]+ .* -$' text)" -eq 2 ]
	report --min-iter=30 --percentiles=25,50,62.5 m.cix
	is '.runs[0].stages.infer | has("p25_ms") and has("p625_ms") and
	    (has("p90_ms") | not)'
	# Percentile 25 is the 8th sample: ceil(0.25 * 30).
	NPU_EMU_INFER_MS=1 report --min-iter=30 --percentiles=25 --samples=s.csv m.cix
	want=$(tail -n +2 s.csv | cut -d, -f12 | sort -n | sed -n 8p)
	[ "$(wc -l <s.csv)" -eq 31 ]
	[ "$(head -n 1 s.csv | cut -d, -f12)" = infer_ns ]
	is ".runs[0].stages.infer.p25_ms * 1e6 | round == $want"
}

# bats test_tags=slow
@test "--save writes the document, --junit the verdicts" {
	bench --min-iter=20 --save=s.json m.cix >text
	jq -e '.schema == "npu-bench/1" and .runs[0].n == 20' s.json
	grep -q '^infer' text
	bench --min-iter=20 --runs=3 --ab '' '' --on-unsure=pass --junit=j.xml \
	    --min-delta=1h --metrics=infer:p50 m.cix >text
	grep -q '<testcase .*infer p50' j.xml
}

# bats test_tags=slow
@test "all documents show the whole of a long path" {
	part=$(printf '%0200d' 0)
	mkdir -p "$part/$part/lib"
	long=$part/$part/m.cix so=$PWD/$part/$part/lib/noe.so
	cp m.cix "$long"
	cp "$B/lib/npu-utils/libnoe-emu.so" "$so"
	again() {
		bench --min-iter=20 --runs=3 -L "$so" "$@"
	}
	again --save=s.json "$long" >text
	[ "$(jq -r '.model.path, .models[].path, .runs[].model' s.json |
	    uniq)" = "$long" ]
	[ "$(jq -r '.host.library, .runs[].library' s.json | uniq)" = "$so" ]
	mv s.json "$part/s.json"
	again --json --metrics=infer:min --min-delta=1h --on-unsure=pass \
	    --force-compare --baseline="$part/s.json" --junit=j.xml "$long" >c
	[ "$(jq -r .verdict.against c)" = "$part/s.json" ]
	[ "$(jq -r '.verdict.metrics[].model' c | uniq)" = "$long" ]
	grep -qF "name=\"$long\"" j.xml
}

@test "a path that is too long is refused, and the reason is not cut off" {
	run --separate-stderr -1 report "$(printf '/d%.0s' {1..2100})"
	[[ $stderr == "npu-bench: /d/d"*"/d...d/d"*"...: File name too long" ]]
	is '.error.status == 1 and .runs == []'
}

# ---- Length of a run --------------------------------------------------------

# bats test_tags=slow
@test "--min-iter and --min-time set the least number and the least time" {
	report --min-iter=37 m.cix
	is '.runs[0].n == 37 and .plan.preset == null'
	export NPU_EMU_INFER_MS=10
	begin=$(date +%s%3N)
	report --min-time=300ms m.cix
	[ $(($(date +%s%3N) - begin)) -ge 300 ]
	is '.runs[0].n >= 1'
	report --min-time=100ms --min-iter=25 m.cix
	is '.runs[0] | .wall_ms >= 250 and .n == 25'
}

# bats test_tags=slow
@test "--max-iter and --max-time end the run early, with W-SHORT" {
	report --min-iter=50 --max-iter=7 m.cix
	is '.runs[0].n == 7 and (.warnings | index("W-SHORT"))'
	# Inferences run one after the other, and each takes at least 20 ms.
	NPU_EMU_INFER_MS=20 report --min-iter=100000 --max-time=1s m.cix
	is '.runs[0].n <= 50 and (.warnings | index("W-SHORT"))'
	report --min-iter=50 m.cix
	is '.warnings | index("W-SHORT") | not'
}

# bats test_tags=slow
@test "--preset sets number and time; --min-iter and --min-time override it" {
	for p in quick:3000:130 default:10000:662 tail:null:6636 \
	    mlperf:600000:1; do
		IFS=: read -r name ms n <<<"$p"
		report --preset="$name" --max-iter=3 m.cix
		is ".plan.preset == \"$name\" and .plan.least_ms == $ms and
		    .plan.least_n == $n"
	done
	report --preset=quick --min-iter=9 --min-time=1ms m.cix
	is '.plan.preset == null and .plan.least_n == 9 and .plan.least_ms == 1'
	report --preset=quick --min-iter=9 --max-iter=9 m.cix
	is '.plan.least_ms == 3000'
	report --max-iter=3 m.cix
	is '.plan.preset == "default"'
}

# bats test_tags=slow
@test "-w: a least number, a least time or 0; by default 5 and 500 ms" {
	report --min-iter=5 m.cix
	is '.warmup == {"n": 0, "ms": 0}'
	report -w 7 --min-iter=5 m.cix
	is '.warmup.n == 7'
	NPU_EMU_INFER_MS=1 report -w 200ms --min-iter=5 m.cix
	is '.warmup.ms >= 200'
	npu-bench -q --idle=none --json --min-iter=5 m.cix >r.json
	is '.plan.warm_n == 5 and .plan.warm_ms == 500 and .warmup.ms >= 500'
}

# ---- Configurations ---------------------------------------------------------

# bats test_tags=slow
@test "-j: each number in flight is measured separately" {
	report --min-iter=20 -j 1,2-4 m.cix
	is '[.runs[].inflight] == [1, 2, 3, 4]'
	is '[.runs[].config] == [0, 1, 2, 3] and .scenario == "offline"'
	report --min-iter=20 m.cix
	is '.inflight == 1 and .scenario == "single-stream"'
	report --min-iter=20 --scenario=offline m.cix
	is '.inflight == 3'
}

# logged COMMAND...: each inference adds a line to the file log, for all
# processes in order of time.
logged() {
	NPU_EMU_LOG=$PWD/log NPU_EMU_FAULT='infer:*:delay=0' "$@"
}
# released N: in log, no process of a run begins its window before all N
# processes have made their first, cold inference.  The second inference of a
# process begins its window.
released() {
	awk -v n="$1" '$1 " " $2 != "fault infer" { next }
	    $3 == 1 { cold++ }
	    $3 == 2 { windows++; early += cold % n != 0 }
	    END { exit(early > 0 || windows == 0 || windows != cold) }' log
}

# bats test_tags=slow
@test "several models run one after the other, or with --together at once" {
	mkcix --in s8:1x8 --out s8:1x8 --op=xor >other.cix
	report --min-iter=20 m.cix other.cix
	is '[.runs[] | [.config, .process, .model]] ==
	    [[0, 0, "m.cix"], [1, 0, "other.cix"]]'
	is '.model == null and (.models | length) == 2'
	logged report --min-iter=40 --together m.cix other.cix
	is '[.runs[] | [.config, .process, .model]] ==
	    [[0, 0, "m.cix"], [0, 1, "other.cix"]]'
	is '.together[0].processes == 2'
	released 2
}

# bats test_tags=slow
@test "-P: processes run at the same time; --runs: one after the other" {
	logged report --min-iter=40 -P 3 --runs=2 m.cix
	is '[.runs[] | [.run, .process]] ==
	    [[0, 0], [0, 1], [0, 2], [1, 0], [1, 1], [1, 2]]'
	is '[.together[].processes] == [3, 3]'
	released 3
	# The processes of run 2 begin when the processes of run 1 have ended.
	[ "$(grep -E '^(fault infer 1|made context) ' log | cut -c 1 |
	    tr -d '\n')" = fffmmmfffmmm ]
}

@test "for several runs, an unknown value has no spread" {
	# A median takes 11 samples, a throughput 2.
	bench --min-iter=3 --max-iter=3 --runs=2 m.cix >text
	[ "$(grep -c "^spread  *throughput from [0-9]" text)" -eq 1 ]
	run -1 grep -E 'spread *infer|from - ' text
	# 1 ms each: a faster inference can be below the clock's floor.
	NPU_EMU_INFER_MS=1 bench --min-iter=11 --runs=2 m.cix >text
	grep -q "^spread  *infer p50 from " text
}

@test "--runs: each configuration runs once before one runs again" {
	report --min-iter=5 --runs=2 -j 1,2 m.cix
	is '[.runs[] | [.run, .inflight]] == [[0, 1], [0, 2], [1, 1], [1, 2]]'
}

# bats test_tags=slow
@test "--ab: the order is A B B A A B; the words of a side apply only to it" {
	mkcix --in s8:1x8 --out s8:1x8 --op=xor >other.cix
	report --min-iter=5 --runs=3 --on-unsure=pass --ab 'NPU_EMU_INFER_MS=4 -j 2' \
	    'NPU_EMU_INFER_MS=1' m.cix || [ $? -eq 4 ]
	is '[.runs[:6][].side] == ["A", "B", "B", "A", "A", "B"]'
	is '[.runs[] | select(.side == "A") | .inflight] | unique == [2]'
	is '[.runs[] | select(.side == "B") | .inflight] | unique == [1]'
	is '[.runs[] | select(.side == "A") | .stages.e2e.min_ms] | min >= 4'
	run -1 report --min-iter=5 --runs=3 --ab '' \
	    'NPU_EMU_FAULT=infer:3:exception' m.cix
	is '[.runs[] | [.side, .failed]] == [["A", 0], ["B", 1]]'
	report --min-iter=5 --runs=3 --ab other.cix m.cix || [[ $? == [45] ]]
	is '[.runs[:2][].model] == ["other.cix", "m.cix"]'
	report --min-iter=5 --runs=3 --ab '--scenario=offline -T 5min' \
	    '--reuse-job -d emu' m.cix || [[ $? == [45] ]]
	is '[.runs[:2][].scenario] == ["offline", "single-stream"]'
}

# bats test_tags=slow
@test "--ab: sides that cannot be compared, or invalid words, are refused" {
	for words in '--min-iter=3' '--json' '--nonsense' '-d bus' '-T 0' '-j 0'; do
		run --separate-stderr -2 bench --ab "$words" '' m.cix
	done
	run --separate-stderr -2 bench --ab '--runs=3' '' m.cix
	[[ $stderr == "npu-bench: --ab: --runs is not for one side alone"* ]]
	run --separate-stderr -2 bench --ab 'm.cix m.cix' '' m.cix
	[[ $stderr == *"A has 2 configurations and B 1"* ]]
	run --separate-stderr -2 bench --ab m.cix ''
	[[ $stderr == *"no model given for B;"* ]]
	run --separate-stderr -2 bench m.cix --ab x
	[[ $stderr == *"--ab: needs two arguments"* ]]
	# These are not names of variables.  They are taken as models.
	for words in '=x' '1A=2'; do
		run --separate-stderr -2 bench --ab "$words" m.cix ''
		[[ $stderr == *"A and B name models of their own"* ]] ||
			[[ $stderr == *"no model given for B;"* ]]
	done
	run --separate-stderr -2 bench --ab "$(seq -s ' ' 64)" '' m.cix
	[[ $stderr == "npu-bench: --ab: more than 63 words"* ]]
}

# bats test_tags=slow
@test "--ab can name the models if no operand does" {
	report --null-device --min-iter=12 --metrics=infer:p50 --min-delta=1h \
	    --on-unsure=pass --ab m.cix m.cix
	is '[.runs[].model] | unique == ["m.cix"]'
}

# bats test_tags=slow
@test "--null-device: inferences take no time, with any emulator settings" {
	# The emulator's settings have no effect.
	NPU_EMU_INFER_MS=60000 report --null-device --min-iter=20
	is '.models[0].path | endswith("clip_txt.cix")'
	NPU_EMU_FAULT='infer:*:exception' report --null-device -T 5min --min-iter=20 \
	    m.cix
	is '.models[0].path == "m.cix" and .runs[0].failed == 0'
}

# ---- Scenarios --------------------------------------------------------------

# bats test_tags=slow
@test "--scenario, --per-query and --rate choose the load" {
	export NPU_EMU_INFER_MS=1
	report --min-iter=20 --scenario=multi-stream --per-query=5 m.cix
	is '.scenario == "multi-stream" and .runs[0].per_query == 5'
	is '.runs[0].stages | has("query")'
	report --min-iter=20 --rate=200 m.cix
	is '.scenario == "server" and .runs[0].rate == 200'
	report --min-iter=20 --rate=200:even -j 2 m.cix
	is '.inflight == 2 and .plan.steady'
	report --min-iter=20 --rate=200:poisson m.cix
	is '.plan.steady | not'
	report --min-iter=20 --scenario=single-stream -j 1 m.cix
	is '.scenario == "single-stream" and .inflight == 1'
}

# bats test_tags=slow
@test "--bound: status 0 if it is kept, 4 if not, 5 if that is not known" {
	export NPU_EMU_INFER_MS=5
	# A slow machine gives up some queries, which count as late.  More than
	# half may be late here.
	report --min-iter=20 --rate=20:even --bound=p10:1h m.cix
	run -4 report --min-iter=70 --rate=100:even --bound=p90:1ms m.cix
	run -5 report --min-iter=3 --rate=2:even --bound=1h m.cix
	# More queries arrive than can be served, and they wait longer and
	# longer.
	run -4 report --runs=2 --min-iter=70 --rate=900:even --bound=p90:20ms -j 1 m.cix
}

# bats test_tags=slow
@test "server: queries that wait at the end are served or counted" {
	export NPU_EMU_INFER_MS=2 NPU_EMU_CORES=1
	# Twice as many queries arrive as can be served: half of the queries wait.
	report --min-iter=200 --min-time=0 -j 1 --rate=1000:even m.cix
	is '.runs[0] | .n + .left >= 380'
	report --min-iter=100 --min-time=1s --max-iter=100 -j 1 --rate=1000:even m.cix
	is '.runs[0] | .n == 100 and .left >= 90'
	# There are enough samples before the hour is up.  Later queries are not
	# awaited.
	report --min-iter=100 --min-time=1ms --max-time=1h -j 1 --rate=1000:even \
	    m.cix
	is '.runs[0].n >= 100'
}

# bats test_tags=slow
@test "if no inference ends in the window: status 1 and no report" {
	for args in '--scenario=multi-stream --min-iter=3 --max-iter=3' \
	    '--rate=0.5:even --min-iter=1 --min-time=0 --max-time=200ms'; do
		# shellcheck disable=SC2086 # words
		run --separate-stderr -1 bench -o out $args m.cix
		[[ $stderr == "npu-bench: m.cix: no inference ended in the window; "* ]]
		[ ! -e out ]
	done
}

# bats test_tags=slow
@test "a failure before the window is a failure of the run" {
	NPU_EMU_FAULT=infer:3:exception run -1 report -w 5 --min-iter=12 m.cix
	[[ $output == "npu-bench: m.cix: warm-up inference "*"ERROR_JOB_EXCEPTION"* ]]
	is '.runs[0] | .failed_before == 1 and .failed == 0 and .n == 12'
	is '.runs[0].failed_reason | startswith("m.cix: warm-up inference ")'
	# The first trial has at least 22 arrivals.  Any single inference takes
	# longer than the bound: the search ends after a few trials.
	export NPU_EMU_INFER_MS=5
	NPU_EMU_FAULT=infer:10-13:exception run -1 report --find-rate \
	    --bound=p50:1ms --max-iter=64 --min-iter=30 m.cix
	[[ $output == "npu-bench: m.cix: trial inference "*"ERROR_JOB_EXCEPTION"* ]]
	is '.runs[0] | .failed_before == 4 and .failed == 0 and .n >= 30'
	# Of two failures, the first is reported.
	NPU_EMU_FAULT=infer:3:exception,infer:10:exception run -1 report -w 5 \
	    --min-iter=12 m.cix
	[[ $output == *": warm-up inference "* ]]
	is '.runs[0] | .failed_before == 1 and .failed == 1'
	NPU_EMU_FAULT=infer:3:exception,infer:12:exception run -1 report \
	    -w 5 --find-rate --bound=p50:1ms --max-iter=64 --min-iter=30 m.cix
	[[ $output == *": warm-up inference "* ]]
	is '.runs[0] | .failed_before == 2 and .failed == 0'
}

# bats test_tags=slow
@test "--find-rate: the window has other arrivals than the trials" {
	export NPU_EMU_INFER_MS=5 NPU_EMU_CORES=1
	# Any single inference takes longer than the bound: a few trials end the
	# search.
	run -4 report --min-iter=64 --max-iter=64 --find-rate --bound=p50:1ms \
	    --samples=found m.cix
	rate=$(jq .runs[0].rate r.json)
	report --min-iter=64 --rate="$rate" --samples=given m.cix
	for f in found given; do
		cut -d, -f 7 $f | sed -n '2,40p' >$f.due
	done
	run -1 cmp found.due given.due
	report --min-iter=64 --rate="$rate" --samples=again m.cix
	cut -d, -f 7 again | sed -n '2,40p' | cmp given.due -
}

# bats test_tags=slow
@test "--find-rate finds a rate that can be served, or none for the bound" {
	export NPU_EMU_INFER_MS=5 NPU_EMU_CORES=1
	# The rate depends on this machine.  unit/npu-bench/rate_search.c tests
	# exact rates.
	report --min-iter=64 --max-iter=64 --max-time=10s --find-rate \
	    --bound=p50:100ms -j 1 m.cix || [[ $? == [45] ]]
	is '.error == null and (.runs[0].trials | length >= 1)'
	# One inference after the other, 5 ms each: at most 200 a second in the
	# long run.
	is '.runs[0] | .rate_low == null or .rate_low <= 200'
	is '.runs[0] | all(.trials[]; .throughput <= 200)'
	is '.runs[0] | .rate_low == null or .rate_low == 0 or .rate == .rate_low'
	# No rate keeps a bound that is shorter than one inference.
	NPU_EMU_INFER_MS=2 run -4 report --min-iter=11 --find-rate --bound=p50:1ms \
	    -j 1 m.cix
	is '.error == null and (.runs[0].trials | any(.met) | not)'
	is '.runs[0] | .rate_low == 0 and .rate_high == 0'
}

# bats test_tags=slow
@test "--find-rate: --max-time ends the search, with the results up to then" {
	export NPU_EMU_INFER_MS=10
	# A trial takes 50 times the bound, which is more than two days.  Three
	# cores with 10 ms each do at most 300 a second, for any bound.
	run --separate-stderr npu-bench -v --idle=none -w 20 --min-iter=20 -j 3 \
	    --find-rate --bound=1h --max-time=2s --json -o r.json m.cix
	[ "$status" -eq 0 ] || [ "$status" -eq 5 ]
	is '.runs[0].trials | length > 0 and all(.throughput <= 300)'
	is '.runs[0] | .rate_low == null or .rate_low <= 300'
	n=$(jq '.runs[0].trials | length' r.json)
	[ "$(grep -c '^npu-bench: trial [0-9]*: .* late, ' <<<"$stderr")" \
	    -eq "$n" ]
	# A trial of at most 30 arrivals proves nothing: the result is
	# inconclusive.
	run -5 report --min-iter=20 -w 20 --find-rate --bound=1h --max-time=100ms \
	    m.cix
	is '.runs[0] | .rate_low == null and .rate_high == null'
}

# ---- Inputs and outputs -----------------------------------------------------

# bats test_tags=slow
@test "--seed and --input choose the model's input" {
	# With xor, another input gives another output.
	for s in 1 1 2; do
		report --min-iter=3 --seed=$s m.cix
		jq -r '.runs[0].checksum' r.json
	done >sums
	[ "$(sort -u sums | wc -l)" -eq 2 ]
	[ "$(head -n 2 sums | uniq | wc -l)" -eq 1 ]
	printf abcd >in
	report --min-iter=3 --input=in m.cix
	sum=$(jq -r '.runs[0].checksum' r.json)
	[ "$(grep -cxF "$sum" sums)" -eq 0 ]
	run --separate-stderr -1 bench --min-iter=3 --input=none m.cix
	[[ $stderr == *none*"No such file"* ]]
}

# bats test_tags=slow
@test "--ref: outputs beyond --tol of the reference are status 4" {
	printf abcd >in
	npu-run -r m.cix in >want
	report --min-iter=3 --input=in --ref=want --tol=0 m.cix
	is '.runs[0].ref_max_error == 0'
	# One element differs by one step, which is 1/20.
	perl -pe 's/^(.)/chr(ord($1) + 1)/e' want >near
	report --min-iter=3 --input=in --ref=near --tol=max:0.06 m.cix
	is '.runs[0].ref_max_error * 1000 | round == 50'
	run --separate-stderr -4 bench --min-iter=3 --input=in --ref=near --tol=0.01 \
	    m.cix
	[ "${#stderr_lines[@]}" -eq 1 ]
	# 52 55 54 49 and 53 55 54 49, as f32 / 20: the deviations -2 10 6 -14
	# and 1 9 5 -15, all / 80, have corr 0.982054; mae 0.05 / 4.
	[[ $stderr == "npu-bench: near: the model answers otherwise: max 0.05"*", \
corr 0.982053"*", mae 0.01250"*", beyond tolerance" ]]
	report --min-iter=3 --input=in --ref=near --tol=corr:0.98,mae:0.013 m.cix
	run -4 bench --min-iter=3 --input=in --ref=near --tol=corr:0.99 m.cix
	run -4 bench --min-iter=3 --input=in --ref=near --tol=mae:0.012 m.cix
	# Without a tolerance the difference is only reported.
	report --min-iter=3 --input=in --ref=near m.cix
	# A value outside the range of its type cannot be compared: 'a' is 97.
	mkcix --in s8:4:1:0 --out s4:4:1:0 --op=copy >four.cix
	printf '\1\2\3\4' >ref
	report --min-iter=3 --input=ref --ref=ref --tol=0 four.cix
	run --separate-stderr -1 bench --min-iter=3 --input=in --ref=ref four.cix
	[[ $stderr == "npu-bench: ref: element 0 is 97, but s4 goes from -8 to 7" ]]
	run --separate-stderr -1 bench --min-iter=3 --input=ref --ref=in four.cix
	[[ $stderr == "npu-bench: in: element 0 is 97, but s4 goes from -8 to 7" ]]
	# A file that cannot be read ends npu-bench before it measures.  A pipe
	# is read only once.
	head -c 3 want >cut
	for file in none cut; do
		run --separate-stderr -1 bench --min-iter=3 --ref=$file m.cix
		[[ $stderr == *"npu-bench: $file: "* ]]
		NPU_EMU_FAULT='infer:*:delay=0' NPU_EMU_LOG=log \
		    run -1 bench --min-iter=3 --ref=$file m.cix
		run -1 grep 'fault infer' log
		rm log
	done
	report --min-iter=3 --input=in --ref=<(cat want) --tol=0 m.cix
}

# ---- Around the runs --------------------------------------------------------

# bats test_tags=slow
@test "--cooldown waits between runs, --cool-to until the machine is cool" {
	fake_host host
	# takes MS COMMAND...: COMMAND succeeds, and takes at least MS
	# milliseconds.
	takes() {
		local begin
		begin=$(date +%s%3N)
		"${@:2}" >/dev/null
		[ $(($(date +%s%3N) - begin)) -ge "$1" ]
	}
	takes 1400 bench --min-iter=3 --runs=2 --cooldown=700ms --root=host m.cix
	# The machine has 44.25 degrees.
	run --separate-stderr -0 npu-bench --idle=none -w 0 --min-iter=3 --root=host \
	    --cool-to=55C m.cix
	[[ $stderr != *cool-to* ]]
	takes 600 bench --min-iter=3 --root=host --cool-to=44C --cooldown=600ms m.cix
	run --separate-stderr -0 npu-bench --idle=none -w 0 --min-iter=3 --root=host \
	    --cool-to=44 --cooldown=1ms m.cix
	[[ $stderr == *"--cool-to: still 44."[23]" degrees Celsius after"* ]]
	rm -r host/sys
	run --separate-stderr -0 npu-bench --idle=none -w 0 --min-iter=3 --cool-to=44 \
	    --root=host m.cix
	[[ $stderr == *"--cool-to: this machine shows no temperature"* ]]
}

# bats test_tags=slow
@test "--idle: how long the idle machine is watched; --root: which machine" {
	fake_host host
	begin=$(date +%s%3N)
	npu-bench -q --idle=600ms -w 0 --min-iter=3 m.cix >/dev/null
	[ $(($(date +%s%3N) - begin)) -ge 600 ]
	report --min-iter=3 --root=host m.cix
	is '.host.temp_c_start == 44.25 and .host.temp_c_end == 44.25'
	# If power is measured, the idle machine is watched for longer.
	fake_power host 1 ina226 1 3000000
	begin=$(date +%s%3N)
	npu-bench -q --json -w 0 --min-iter=3 --root=host m.cix >r.json
	[ $(($(date +%s%3N) - begin)) -ge 5000 ]
	is '.energy.idle_w * 1000 | round == 3000'
}

@test "--root: a path that is not a folder is an error, status 1" {
	run --separate-stderr -1 bench --root=m.cix --min-iter=3 m.cix
	[ "$output" = "" ]
	[ "$stderr" = 'npu-bench: --root: m.cix: Not a directory' ]
}

@test "--strict: a warning makes the result inconclusive, status 5" {
	run --separate-stderr -5 npu-bench --strict --idle=none -w 0 --min-iter=50 \
	    --max-iter=12 m.cix
	[[ $stderr == *"W-SHORT"*"--strict: there are warnings"* ]]
}

# bats test_tags=slow
@test "a run that a cap cuts short gives no verdict against a baseline" {
	NPU_EMU_INFER_MS=3 bench --min-iter=20 --runs=3 --save=s.json m.cix >/dev/null
	# The baseline has times of days: these runs are always faster.
	jq '.runs[].stages.infer.p50_ms = 1e9' s.json >b.json
	# short STATUS [OPTION]: a comparison with runs that are cut short exits
	# with STATUS.
	short() {
		NPU_EMU_INFER_MS=3 run --separate-stderr "-$1" bench --min-iter=200 \
		    --max-iter=20 --baseline=b.json --metrics=infer:p50 \
		    --max-regress=90% "${@:2}" m.cix
		[[ $output == *"run 1 was cut short: 20 samples of 200"* ]]
		[ "$stderr" = "" ]
	}
	short 5
	short 0 --on-unsure=pass
	short 4 --on-unsure=fail
}

# ---- Failures ---------------------------------------------------------------

# bats test_tags=slow
@test "without a device: status 3, one line, and a JSON document" {
	unset NPU_DEVICE
	run --separate-stderr -3 env LD_LIBRARY_PATH= npu-bench -d npu \
	    --idle=none --node=./no-node --json -j 1,2 m.cix
	[ "${#stderr_lines[@]}" -eq 1 ]
	echo "$output" | jq -e '.schema == "npu-bench/1" and
	    .error.status == 3 and (.error.message | length > 0)'
	run --separate-stderr -3 env LD_LIBRARY_PATH= npu-bench -d npu \
	    --idle=none --node=./no-node m.cix
	[ "$output" = "" ]
}

# bats test_tags=slow
@test "a file that is missing or is not a model is a failure, status 1" {
	run --separate-stderr -1 bench --json m.cix none.cix
	[ "${#stderr_lines[@]}" -eq 1 ]
	[[ $stderr == "npu-bench: none.cix: no such model"* ]]
	echo "$output" | jq -e '.error.status == 1 and .runs == []'
	echo text >bad.cix
	run --separate-stderr -1 bench --json --min-iter=5 bad.cix m.cix
	[ "${#stderr_lines[@]}" -eq 1 ]
	[[ $stderr == "npu-bench: "*"bad.cix: "* ]]
	# The other model is measured nevertheless.
	echo "$output" | jq -e '.error.status == 1 and .runs[1].n == 5'
	mkdir made
	run --separate-stderr -1 bench --min-iter=5 -o made/out --save=made/kept \
	    --samples=made/s.csv bad.cix
	[ -z "$(ls -A made)" ]
}

# swap FROM TO OPTION...: runs npu-bench with two runs, and renames FROM to TO
# before the second run.
swap() {
	before_run 2 "mv $1 $2" --runs=2 "${@:3}"
}

# bats test_tags=slow
@test "a model or an output that changes between runs is a failure" {
	mkcix --in s8:1x4:20:60 --out s8:1x4:20:60 --op=copy >other.cix
	run -1 swap other.cix m.cix --json
	[[ $output == *"m.cix: the file is another than it was in a run bef"* ]]
	jq -e '.error.status == 1 and .runs[0].error == null and
	    .runs[1].error.status == 1' out
	echo 90001 >in2
	run -1 swap in2 in
	[[ $output == *"m.cix: its outputs are others than in a run before"* ]]
	# A model that is removed is also a failure.
	run -1 swap m.cix gone.cix --json
	[[ $output == *"npu-bench: m.cix: no such model in the working dir"* ]]
	jq -e '.runs[0].error == null and .runs[1].error.status == 1' out
}

# bats test_tags=slow
@test "the same failure in two processes is reported once" {
	echo text >bad.cix
	run --separate-stderr -1 bench --json -P 2 bad.cix
	[ "${#stderr_lines[@]}" -eq 1 ]
	echo "$output" | jq -e '.error.status == 1'
	# The other model is measured, and the verdict is left out.
	run --separate-stderr -1 bench --json --min-iter=3 --runs=3 --ab '' '' \
	    --metrics=infer:min m.cix bad.cix
	[ "${#stderr_lines[@]}" -eq 1 ]
	echo "$output" | jq -e '.error.status == 1 and .verdict == null and
	    ([.runs[] | select(.model == "m.cix")] | length) == 6'
}

# bats test_tags=slow
@test "an invalid baseline is reported on stderr and in the document" {
	for f in none.json m.cix; do
		run --separate-stderr -1 bench --json --baseline=$f m.cix
		[ "${#stderr_lines[@]}" -eq 1 ]
		[[ $stderr == "npu-bench: $f: "* ]]
		echo "$output" | jq -e --arg f "$f: " ".error.status == 1 and
		    .runs == [] and (.error.message | startswith(\$f))"
	done
	for f in m.cix/x .; do
		run --separate-stderr -1 bench --baseline=$f m.cix
		[[ $stderr == "npu-bench: $f: "*" directory" ]]
	done
	run --separate-stderr -1 npu-bench -q --junit=j.xml --baseline=- \
	    m.cix <m.cix
	[[ $stderr == "npu-bench: stdin: no document of npu-bench --save or --json: byte "* ]]
	grep -q 'errors="1".*' j.xml
}

# bats test_tags=slow
@test "a failed inference and a timeout are failures of the run, status 1" {
	NPU_EMU_FAULT=infer:5:exception run --separate-stderr -1 \
	    bench --json --min-iter=20 m.cix
	[[ $stderr == *"m.cix: "*"ERROR_JOB_EXCEPTION"* ]]
	echo "$output" | jq -e '.runs[0].failed == 1 and .error.status == 1'
	# Of two equal failures, one is reported.
	NPU_EMU_FAULT=infer:5:exception run --separate-stderr -1 \
	    bench --json --min-iter=20 -P 2 m.cix
	[ "${#stderr_lines[@]}" -eq 1 ]
	echo "$output" | jq -e '[.runs[].failed] == [1, 1]'
	NPU_EMU_INFER_MS=60000 run --separate-stderr -1 bench -T 200ms --min-iter=3 \
	    m.cix
	[[ $stderr == *"0x23"* ]]
}

# bats test_tags=slow
@test "--together: a failure of one model ends the run, and is reported" {
	echo text >bad.cix
	NPU_EMU_INFER_MS=3 run --separate-stderr -1 bench --json --together \
	    --min-iter=100000 m.cix bad.cix
	[ "${#stderr_lines[@]}" -eq 1 ]
	[[ $stderr == *bad.cix* ]]
	# The other model's process, which waits in a call of its library, does
	# not delay the end.
	NPU_EMU_INIT_MS=3600000 run --separate-stderr -1 timeout 300 \
	    npu-bench -q --idle=none -w 0 --together --min-iter=100000 m.cix bad.cix
	[ "${#stderr_lines[@]}" -eq 1 ]
	[[ $stderr == *bad.cix* ]]
}

# ---- Usage ------------------------------------------------------------------

# bats test_tags=slow
@test "a usage error prints two lines, exits with 2, and does nothing" {
	while read -r words; do
		# shellcheck disable=SC2086 # words
		run --separate-stderr -2 npu-bench $words
		[ "$output" = "" ]
		[ "${#stderr_lines[@]}" -eq 2 ] || {
			echo "$words: $stderr"
			false
		}
	done <<-'END'
		--json
		-j 0 m.cix
		-j 65 m.cix
		-j 3-1 m.cix
		-j 1, m.cix
		--min-iter=0 m.cix
		--min-iter=1x m.cix
		--min-time=x m.cix
		-w x m.cix
		-w 1.5 m.cix
		--runs=0 m.cix
		-P 65 m.cix
		-P 33 --together m.cix m.cix
		-T 0 m.cix
		-F xml m.cix
		-F json --csv m.cix
		--csv --json m.cix
		--json -F csv m.cix
		--preset=long m.cix
		--max-time=0 m.cix
		--scenario=none m.cix
		--scenario=single-stream -j 2 m.cix
		--scenario=server m.cix
		--per-query=4 m.cix
		--rate=0 m.cix
		--rate=5:often m.cix
		--rate=5 --scenario=offline m.cix
		--bound=5ms m.cix
		--rate=5 --bound=x99:5ms m.cix
		--rate=5 --bound=p0:5ms m.cix
		--rate=5 --bound=0 m.cix
		--rate=5 --bound=p100:5ms m.cix
		--find-rate m.cix
		--find-rate --rate=5 --bound=5ms m.cix
		--find-rate --bound=5ms -P 2 m.cix
		--find-rate --bound=5ms --together m.cix m.cix
		--find-rate --bound=5ms --scenario=offline m.cix
		-j 1-64,1 m.cix
		--tol=0.1 m.cix
		--input=- m.cix
		--ref=- m.cix
		--seed=-1 m.cix
		--percentiles=0 m.cix
		--percentiles=50,,90 m.cix
		--percentiles=50,90,50.0 m.cix
		--percentiles=1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17 m.cix
		--ops=0 m.cix
		--ops=-1 m.cix
		--ops=8.82 G m.cix
		--ops=8.82Gi m.cix
		--ops=G m.cix
		--ops=nan m.cix
		--ops=1G --onnx=m.onnx m.cix
		--ops=1G m.cix other.cix
		--onnx=m.onnx m.cix other.cix
		--peak=1T m.cix
		--peak=0 --ops=1G m.cix
		--cool-to=hot m.cix
		--idle=x m.cix
		--junit=j m.cix
		--max-runs=9 m.cix
		--force-compare m.cix
		--self-check --runs=2 m.cix
		--self-check --runs=9 --max-runs=8 m.cix
		--self-check --runs=11 --json -H m.cix
		--self-check --metrics=infer: m.cix
		--self-check --metrics=infer:p50,throughput,throughput m.cix
		--self-check --metrics=infer:a_statistic_of_no_such_name m.cix
		--self-check --metrics=a_stage_that_there_is_not:p50 m.cix
		--self-check --max-regress=% m.cix
		--self-check --max-regress=10 m.cix
		--self-check --max-regress=1.00000000000000000000000000000000% m.cix
		--self-check -j 1-64 a.cix b.cix c.cix d.cix e.cix
		--self-check --baseline=b m.cix
		--self-check --max-regress=x m.cix
		--self-check --min-delta=x m.cix
		--self-check --metrics=x m.cix
		--self-check --on-unsure=x m.cix
		--self-check --force-compare m.cix
		--null-device -d emu m.cix
		--null-device -L x m.cix
		-d bus m.cix
		-o x --save=./x m.cix
		--save=x --samples=x m.cix
		--save=- m.cix
		--baseline=b --save=./b m.cix
		--baseline=b --json -o b m.cix
		--baseline=b --junit=b m.cix
		--baseline=b --find-rate --bound=5ms m.cix
		--ab m.cix m.cix m.cix
		--ab m.cix m.cix --null-device m.cix
	END
	# More models, options or metrics than there is room for.
	many=$(seq -s ' ' 65 | sed 's/[0-9]*/m.cix/g')
	# shellcheck disable=SC2086 # words
	run --separate-stderr -2 npu-bench $many
	[[ $stderr == "npu-bench: more than 64 models"* ]]
	# shellcheck disable=SC2086 # words
	run --separate-stderr -2 npu-bench ${many//m.cix/-T 1s} m.cix
	[[ $stderr == "npu-bench: more than 64 options for the device"* ]]
	run --separate-stderr -2 npu-bench --self-check m.cix \
	    --metrics="$(seq -s , -f infer:p%g 17)"
	[[ $stderr == "npu-bench: --metrics: more than 16"* ]]
	NPU_DEVICE=bus run --separate-stderr -2 npu-bench m.cix
	run --separate-stderr -2 npu-bench
	[ "${stderr_lines[0]}" = "npu-bench: no model given; name a .cix file" ]
}

# bats test_tags=slow
@test "-v prints each run; the note about the emulator is printed once" {
	unset NPU_DEVICE
	run --separate-stderr -0 env LD_LIBRARY_PATH= npu-bench -v \
	    --node=./no-node --idle=none -w 0 --min-iter=3 --runs=2 m.cix
	[ "$(grep -c 'npu-bench: run [12]: m.cix' <<<"$stderr")" -eq 2 ]
	[ "$(grep -c 'emulator' <<<"$stderr")" -eq 1 ]
	export NPU_DEVICE=emu
	run --separate-stderr -5 npu-bench -v --idle=none -w 0 --min-iter=3 \
	    --together --metrics=infer:p99_ucb --ab '' '' m.cix m.cix
	[ "$(grep -c 'run 1 of [AB]: m.cix and others, single-stream, 1 in' \
	    <<<"$stderr")" -eq 2 ]
	run --separate-stderr -0 npu-bench -q -L \
	    "$B/lib/npu-utils/libnoe-emu.so" --idle=none -w 0 --min-iter=3 m.cix
	[ "$stderr" = "" ]
}
