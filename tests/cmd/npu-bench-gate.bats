#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# npu-bench as a regression gate, checked by its exit status.  No verdict here
# depends on how fast or busy this machine is: either differences below an hour
# do not count, or side B takes 300 times as long as side A, or a baseline has
# times of picoseconds or days.  tests/unit/npu-bench and tests/unit/stats test
# verdicts on made-up runs, tests/long/gate tests verdicts on real runs.
# bats file_tags=slow

load ../support/helper
load ../support/fakehost
load ../support/runbench

setup() {
	export NPU_DEVICE=emu NPU_EMU_COMPUTE=none NPU_EMU_INFER_MS=1
	export NPU_EMU_CORES=1
	mkcix --in=s8:4 --out=s8:4 >m.cix
}

# bench OPTION...: makes three runs of 20 samples.
bench() {
	npu-bench -q --idle=none --runs=3 --min-iter=20 -w 2 "$@"
}

# gate OPTION...: ignores differences below an hour.  Each metric passes.
gate() {
	bench --metrics=infer:min --min-delta=1h "$@"
}

# strict OPTION...: counts differences of 5 % and 0.1 ms, the default limits.
strict() {
	bench --metrics=infer:min "$@"
}

# With SLOW, a side takes 300 times as long as the other side.
SLOW=NPU_EMU_INFER_MS=300

# pico FILTER, days FILTER: in a document of npu-bench, the runs that jq's
# FILTER selects get times of picoseconds, which are shorter than any inference,
# or times of 11 days.
pico() {
	times "$1" 1e-9 1e12
}
days() {
	times "$1" 1e9 1e-9
}
times() {
	jq --argjson ms "$2" --argjson rate "$3" "($1) |= (.throughput = \$rate |
	    .stages[] |= if . == null then . else
	    .min_ms = \$ms | .p50_ms = \$ms end)"
}

@test "--ab: a slower side B is a regression, status 4" {
	run --separate-stderr -4 strict --min-iter=3 --ab '' $SLOW m.cix
	[[ $output == *"A against B, 3 runs"* ]]
	[[ $output =~ 'infer min +'[0-9.e+]+'% (>= +'[0-9.e+]+'%, limit +5%) regression' ]]
	[[ $output == *"verdict: regression"* ]]
	[ "$stderr" = "" ]
}

@test "--ab: side B passes if it is as fast as side A, or faster" {
	run -0 gate --ab '' '' m.cix
	[[ $output == *"verdict: pass"* ]]
	run -0 strict --min-iter=3 --ab $SLOW '' m.cix
	[[ $output =~ 'infer min -'[0-9.]+'% (<= -'[0-9.]+'%, limit +5%) pass' ]]
}

@test "--ab: three runs of each side are made in the order A B B A A B" {
	gate --json --ab '' '' m.cix >json
	[ "$(jq -r '[.runs[] | "\(.side)\(.run)"] | join(" ")' json)" = \
	    "A0 B0 B1 A1 A2 B2" ]
	[ "$(jq -r '.verdict | "\(.result) \(.against) \(.runs)"' json)" = \
	    "pass A against B 3" ]
}

@test "--ab: each side can have its own model, options and environment" {
	mkcix --in=s8:8 --out=s8:8 >n.cix
	run -0 gate --json --metrics=e2e:p50 --ab 'm.cix -j 2' \
	    'n.cix --scenario=offline -j 2 NPU_EMU_GET_MS=1'
	[ "$(jq -r '[.runs[] | "\(.side) \(.model) \(.inflight)"] | unique |
	    join(",")' <<<"$output")" = "A m.cix 2,B n.cix 2" ]
}

@test "--baseline: an equal or faster result passes, a slower one is status 4" {
	bench --save=base.json m.cix
	run -0 gate --baseline=base.json m.cix
	[[ $output == *"base.json, 3 runs against 3"*"verdict: pass"* ]]
	days '.runs[]' <base.json >slower.json
	run -0 strict --baseline=slower.json m.cix
	[[ $output == *"verdict: pass"* ]]
	pico '.runs[]' <base.json >faster.json
	run -4 strict --baseline=faster.json m.cix
	[[ $output == *"verdict: regression"* ]]
}

@test "--baseline: accepts the output of --json, and a renamed model" {
	bench --json -o base.json m.cix
	cp m.cix other.cix
	run -0 gate --baseline=base.json other.cix
	[[ $output == *"verdict: pass"* ]]
}

@test "--baseline: results with the same number in flight are compared" {
	bench -j 1,2 --save=base.json m.cix
	pico '.runs[] | select(.inflight == 1)' <base.json |
	    days '.runs[] | select(.inflight == 2)' >edited.json
	run -0 strict -j 2 --json --metrics=e2e:p50 --baseline=edited.json m.cix
	[ "$(jq -c '[.verdict.metrics[] | [.inflight, .result]]' \
	    <<<"$output")" = '[[2,"pass"]]' ]
	run -4 strict -j 1-2 --json --metrics=e2e:p50 --baseline=edited.json \
	    --scenario=offline m.cix
	[ "$(jq -c '[.verdict.metrics[] | [.inflight, .result]]' \
	    <<<"$output")" = '[[1,"regression"],[2,"pass"]]' ]
}

# differs EDIT WORDS [OPTION...]: jq's EDIT changes the baseline, which then
# belongs to another machine, software, model or load.  npu-bench compares
# nothing, prints WORDS and exits with 5.  With --force-compare it compares.
differs() {
	jq "$1" base.json >edited.json
	run -5 gate --baseline=edited.json "${@:3}" m.cix
	[[ $output == *"nothing was compared: $2"$'\n'"verdict: inconclusive"* ]]
	# More runs could not change this result: only one run is made.
	[[ $output == *"edited.json, 1 run against 3"* ]]
	run -0 gate --force-compare --baseline=edited.json "${@:3}" m.cix
	[[ $output == *"$2"*"verdict: pass"* ]]
}

@test "a baseline of another machine or software is not compared: status 5" {
	mkdir none
	bench --root=none --save=base.json m.cix
	differs '.host.board = "O6"' 'board was O6, is unknown' --root=none
	differs '.host.governor = "ondemand"' \
	    'governor was ondemand, is unknown' --root=none
	differs '.host.cpu = "Z80"' 'processor was Z80, is unknown' --root=none
	bench --save=base.json m.cix
	read -r count machine cpu < <(jq -r '.host |
	    "\(.cpus) \(.machine) \(.cpu // "")"' base.json)
	for none in null '""'; do
		[ -n "$cpu" ] || break	# it is unknown on this machine
		differs ".host.cpu = $none" "processor was unknown, is $cpu"
	done
	differs '.host.cpus = 4000' \
	    "number of processors was 4000, is $count"
	differs '.host.machine = "z80"' "architecture was z80, is $machine"
	# A value that the baseline does not state is not compared.
	for edit in 'del(.host.cpu)' 'del(.host.cpus)' '.host.cpus = null' \
	    'del(.host.machine)'; do
		jq "$edit" base.json >edited.json
		run -0 gate --baseline=edited.json m.cix
	done
	bench --root=none --save=base.json m.cix
	differs '.host.driver = "1.2.3"' 'driver was 1.2.3, is 5.11.0' \
	    --root=none
	# With three in flight, an inference may end while npu-bench waits for
	# another inference.  Its infer stage then seems to take no time, but
	# its e2e, from its creation to its end, always takes some.
	server='--root=none --metrics=e2e:min --rate=200'
	bench --root=none --rate=200 --save=base.json m.cix
	# shellcheck disable=SC2086 # words
	differs '.plan.steady = true' 'm.cix: arrival was even, is poisson' \
	    $server
	# shellcheck disable=SC2086
	differs '.' 'm.cix: arrival was poisson, is even' $server:even
	differs '.' "m.cix: scenario was server, is single-stream; m.cix: in \
flight was 3, is 1; m.cix: rate was 200, is none" --root=none \
	    --metrics=e2e:min
	jq 'del(.plan.steady)' base.json >edited.json
	# shellcheck disable=SC2086
	run -0 gate --baseline=edited.json $server m.cix
	bench --root=none --save=base.json m.cix
	jq '.plan.steady = true' base.json >edited.json
	run -0 gate --baseline=edited.json --root=none m.cix
	differs '.host.libnoe = "1.2"' "library was 1.2, is $(jq -r \
	    .host.libnoe base.json)" --root=none
	differs '.host.emulator = false' 'emulator was no, is yes' --root=none
}

@test "a baseline of another model or load is not compared: status 5" {
	bench --save=base.json m.cix
	differs '.models[0].sha256 = "0123456789abcdef" * 4' "m.cix: SHA-256 \
was 0123456789ab..., is $(sha256sum m.cix | cut -c 1-12)..."
	differs '.' "m.cix: scenario was single-stream, is offline; m.cix: in \
flight was 1, is 2" -j 2
	differs '.' 'm.cix: processes was 1, is 2' -P 2
}

@test "an inconclusive result exits with 5; with --on-unsure, with 0 or 4" {
	bench --save=base.json m.cix
	jq '.host.board = "another"' base.json >other.json
	run -5 gate --baseline=other.json m.cix
	run -0 gate --on-unsure=pass --baseline=other.json m.cix
	run -4 gate --on-unsure=fail --baseline=other.json m.cix
}

@test "a baseline with too few runs is refused before anything is measured" {
	bench --save=base.json m.cix
	for n in '2 2 runs' '1 1 run'; do
		jq "del(.runs[${n%% *}:])" base.json >few.json
		run --separate-stderr -1 gate --baseline=few.json m.cix
		[ "$output" = "" ]
		[ "$stderr" = "npu-bench: few.json: it has ${n#* }, and a \
verdict takes 3; --save it with --runs=3 or more" ]
	done
	# If one of two models has too few runs, only that model has no verdict.
	mkcix --in=s8:8 --out=s8:8 >n.cix
	bench --save=both.json m.cix n.cix
	jq 'del(.runs[] | select(.model == "n.cix" and .run > 0))' both.json \
	    >few.json
	run -5 gate --baseline=few.json m.cix n.cix
	[[ $output == *"few.json, 3 runs against 3"*"n.cix, 1 in flight: infer min inconclusive: \
1 run, 3 are needed"* ]]
}

@test "while the result is inconclusive, runs are added, up to --max-runs" {
	# The baseline's runs differ so much that no verdict is possible.
	bench --save=base.json m.cix
	pico '.runs[0]' <base.json | days '.runs[1]' >apart.json
	run -5 strict --json --max-runs=5 --baseline=apart.json m.cix
	[ "$(jq -c '[.verdict.runs, (.runs | length)]' <<<"$output")" = '[5,5]' ]
}

@test "a metric with too few samples is left out, and the report says so" {
	run -0 gate --metrics=e2e:p50,infer:p99_ucb --ab '' '' m.cix
	[[ $output == *"infer p99 ucb left out: a run has 20 samples, 662 are needed"* ]]
	[[ $output == *"e2e p50 "*" pass"* ]]
	run -5 gate --metrics=infer:p99_ucb --ab '' '' m.cix
	[[ $output == *"no metric could be compared"* ]]
}

@test "a run that a cap cuts short cannot pass, and no runs are added" {
	# short OPTION...: makes runs that end after 5 of 130 samples.
	short() {
		npu-bench -q --idle=none --runs=3 --preset=quick --max-iter=5 \
		    -w 2 --metrics=infer:min "$@"
	}
	run -5 short --min-delta=1h --ab '' '' m.cix
	[[ $output == *"A against B, 3 runs"*"run 1 was cut short: 5 samples of 130"* ]]
	[[ $output == *"verdict: inconclusive"* ]]
	run -4 short --ab '' $SLOW m.cix
}

@test "--min-delta: a smaller difference is not a regression" {
	run -0 gate --min-iter=3 --ab '' $SLOW m.cix
	[[ $output == *" pass: less than --min-delta"* ]]
}

@test "each of several models has its own verdict, also with --together" {
	mkcix --in=s8:8 --out=s8:8 >n.cix
	bench --save=base.json m.cix n.cix
	days '.runs[] | select(.model == "m.cix")' <base.json |
	    pico '.runs[] | select(.model == "n.cix")' >edited.json
	run -4 strict --baseline=edited.json m.cix n.cix
	[[ $output == *"m.cix, 1 in flight: infer min "*" pass"* ]]
	[[ $output == *"n.cix, 1 in flight: infer min "*" regression"* ]]
	run -0 bench --together --save=both.json m.cix n.cix
	run -0 gate --together --baseline=both.json m.cix n.cix
	run -5 gate --baseline=both.json m.cix n.cix
	[[ $output == *"m.cix: processes was 2, is 1"* ]]
}

@test "a damaged baseline is refused before anything is measured" {
	bench --save=base.json m.cix
	for damage in '.schema = "npu-bench/2"' 'del(.runs[1].side)' \
	    '.runs[0].stages.infer.min_ms = -1' '.runs[2].scenario = "x"' \
	    '.host = null' '.runs = []'; do
		jq "$damage" base.json >bad.json
		run --separate-stderr -1 gate --baseline=bad.json m.cix
		[[ $stderr == "npu-bench: bad.json: "* ]]
		[ "${#stderr_lines[@]}" -eq 1 ]
	done
	head -c 1000 base.json >bad.json
	run --separate-stderr -1 gate --baseline=bad.json m.cix
	[[ $stderr == "npu-bench: bad.json: no document of "*": byte "* ]]
	run --separate-stderr -1 gate --baseline=none.json m.cix
	[[ $stderr == "npu-bench: none.json: "* ]]
	gate --ab '' '' --save=sides.json m.cix
	run --separate-stderr -1 gate --baseline=sides.json m.cix
	[[ $stderr == *"runs[0].side: not null: A against B is not a baseline" ]]
}

# refuses WORDS OPTION...: the options are a usage error with the message WORDS.
refuses() {
	run --separate-stderr -2 npu-bench --ab '' '' "${@:2}" m.cix
	[ "${stderr_lines[0]}" = "npu-bench: $1" ]
}

@test "invalid values of the gate's options are usage errors" {
	refuses "--max-regress: '5' is not a percentage; write 5%" \
	    --max-regress=5
	refuses "--max-regress: '0%' is not from 0.01% to 1000%" \
	    --max-regress=0%
	refuses "--min-delta: '1x' is not a duration such as 100us, 0.5ms, \
10s or 1h, at most 24d" --min-delta=1x
	refuses "--metrics: 'infer' is neither a stage and a statistic, such \
as infer:p50 or e2e:p99_ucb, nor throughput" --metrics=infer
	refuses "--metrics: 'infer:p50_' is neither a stage and a statistic, \
such as infer:p50 or e2e:p99_ucb, nor throughput" --metrics=infer:p50_
	refuses "--metrics: infer:p99.9 depends on too few samples to be gated; \
99 is the highest percentile" --metrics=infer:p99.9
	refuses "--metrics: e2e:max depends on too few samples to be gated; 99 \
is the highest percentile" --metrics=e2e:max
	refuses "--metrics: e2e:p50 is there twice" \
	    --metrics=e2e:p50,infer:p50,e2e:p50
}

# parsed FILE: prints the test cases of a JUnit document as Python reads them,
# in the form "SUITE/CASE: RESULT TEXT".
parsed() {
	/usr/bin/python3 - "$1" <<-'END'
	import sys
	import xml.etree.ElementTree as tree
	root = tree.parse(sys.argv[1]).getroot()
	assert root.tag == "testsuites"
	for suite in root:
	    assert int(suite.get("tests")) == len(suite)
	    for case in suite:
	        said = list(case)
	        what = said[0].tag if said else "pass"
	        print(ascii(suite.get("name")) + "/" + case.get("name") + ": " +
	            what + (" " + ascii(said[0].get("message")) if said else ""))
	END
}

@test "--junit: a suite for each model, with a case for each metric" {
	mkcix --in=s8:8 --out=s8:8 >n.cix
	run -4 strict --min-iter=3 --metrics=infer:min,infer:p99_ucb \
	    --junit=x.xml --ab '' $SLOW m.cix n.cix
	parsed x.xml >cases
	[ "$(wc -l <cases)" -eq 4 ]
	grep -q "^'m.cix'/infer min, 1 in flight: failure 'infer min +.* \
(>= +.*, limit +5%) regression'$" cases
	[ "$(grep -c "'n.cix'/infer p99 ucb, 1 in flight: skipped 'infer p99 \
ucb left out: a run has 3 samples, 662 are needed'" cases)" -eq 1 ]
}

@test "--junit: no verdict is a skipped case, an error with --on-unsure=fail" {
	bench --save=base.json m.cix
	jq '.host.board = "]]>\u001b<&"' base.json >other.json
	run -5 gate --junit=x.xml --baseline=other.json m.cix
	parsed x.xml >cases
	[[ $(<cases) == "'m.cix'/comparison: skipped 'board was ]]>\\ufffd<&, is "* ]]
	run -4 gate --junit=x.xml --on-unsure=fail --baseline=other.json m.cix
	parsed x.xml >cases
	[[ $(<cases) == "'m.cix'/comparison: error "* ]]
}

@test "a regression is found although another model cannot be compared" {
	mkcix --in=s8:8 --out=s8:8 >n.cix
	bench --save=base.json m.cix
	pico '.runs[]' <base.json >faster.json
	run -4 strict --junit=x.xml --baseline=faster.json m.cix n.cix
	[[ $output == *"m.cix, 1 in flight: infer min "*" regression"* ]]
	[[ $output == *"n.cix, 1 in flight: comparison inconclusive: SHA-256 \
was "*"verdict: regression"* ]]
	parsed x.xml >cases
	[ "$(wc -l <cases)" -eq 2 ]
	grep -q "^'m.cix'/infer min, 1 in flight: failure " cases
	grep -q "^'n.cix'/comparison, 1 in flight: skipped 'comparison \
inconclusive: SHA-256 was " cases
	run -5 gate --baseline=base.json m.cix n.cix
	[[ $output == *"m.cix, 1 in flight: infer min "*" pass"* ]]
	[[ $output == *"3 runs against 3"*"verdict: inconclusive"* ]]
}

@test "--junit: a suite has the same name with and without a verdict" {
	mkdir models
	cp m.cix models/found.cix
	bench --save=base.json m.cix
	export NPU_MODEL_PATH=$PWD/models
	for baseline in base.json:0 none:1; do
		run "-${baseline#*:}" gate --junit=x.xml --force-compare \
		    --baseline="${baseline%:*}" found.cix
		parsed x.xml >cases
		[ "$(grep -cF "'$PWD/models/found.cix'/" cases)" -eq 1 ]
	done
	run -1 gate --junit=x.xml --baseline=base.json missing.cix
	parsed x.xml >cases
	[[ $(<cases) == "'missing.cix'/comparison: error "* ]]
}

@test "a --bound that was not kept is reported beside a verdict of pass" {
	run --separate-stderr -4 gate --metrics=e2e:min --rate=100:even \
	    --bound=p50:1us --junit=x.xml --ab '' '' m.cix
	[[ $output == *"verdict: pass"* ]]
	[[ $stderr == *"npu-bench: --bound was not kept"* ]]
	parsed x.xml >cases
	grep -qx "'m.cix'/comparison: error '--bound was not kept'" cases
	# A slow machine gives up some queries, which count as late.  More than
	# half may be late here.
	run --separate-stderr -0 gate --metrics=e2e:min --rate=20:even \
	    --bound=p10:1h --junit=x.xml --ab '' '' m.cix
	[[ $stderr != *"--bound"* ]]
	run -1 grep -q comparison x.xml
}

@test "--junit: the document is valid XML with any bytes in a model's name" {
	name=$'a<b>&"\x01\xff\n]]>--\xc3\xbc.cix'
	cp m.cix "$name"
	gate --junit=x.xml --ab '' '' "$name"
	parsed x.xml >cases
	[ "$(cat cases)" = \
	    "'a<b>&\"\\ufffd\\ufffd\\n]]>--\\xfc.cix'/infer min: pass" ]
}

@test "--junit: after a failure, an error replaces the earlier document" {
	bench --save=base.json m.cix
	cp m.cix n.cix
	# said STATUS OPTION...: runs a command that fails with STATUS, and
	# writes to found the test cases of its JUnit document, then the number
	# of lines that count errors.
	said() {
		echo earlier >x.xml
		run --separate-stderr "-$1" gate --junit=x.xml "${@:2}"
		parsed x.xml >found
		grep -c 'errors="[12]"' x.xml >>found
	}
	NPU_DEVICE='' said 3 -d npu --node=none --baseline=base.json m.cix
	grep -q "^'m.cix'/comparison: error '.*none.*'$" found
	[ "$(tail -n 1 found)" -eq 2 ]
	said 1 --baseline=missing m.cix n.cix
	[ "$(cat found)" = "\
'm.cix'/comparison: error 'missing: No such file or directory; --save makes one'
'n.cix'/comparison: error 'missing: No such file or directory; --save makes one'
3" ]
	said 1 --root=missing --baseline=base.json m.cix
	[ "$(head -n 1 found)" = \
	    "'m.cix'/comparison: error '--root: missing: No such file or directory'" ]
	said 1 --baseline=base.json missing.cix
	grep -q "^'missing.cix'/comp.*: error 'missing.cix: " found
	NPU_EMU_FAULT=infer:5+:exception said 1 --ab '' '' m.cix
	grep -q "^'m.cix'/comparison: error 'm.cix: " found
}

@test "--junit and --json report that another output cannot be written" {
	bench --save=base.json m.cix
	run --separate-stderr -1 gate --junit=x.xml --json -o j.json \
	    --baseline=base.json --save=no/s.json m.cix
	parsed x.xml >cases
	[[ $(<cases) == "'m.cix'/comparison: error 'no/s.json: "* ]]
	[ "$(jq -c '[.error.status, .runs]' j.json)" = '[1,[]]' ]
	run --separate-stderr -1 gate --junit=no/x.xml --json \
	    --baseline=base.json m.cix
	jq -e '.error.message | startswith("no/x.xml: ")' <<<"$output"
	for o in no/j.json /dev/full; do
		echo earlier >x.xml
		run -1 gate --junit=x.xml -o $o --baseline=base.json m.cix
		parsed x.xml >cases
		[[ $(<cases) == "'m.cix'/comparison: error '$o: "* ]]
	done
}

# recipe EDIT [NAME=VALUE|OPTION]: runs the recipe of the manual page, unchanged
# except that each run is short.  Between its two commands, EDIT (days, pico, or
# cat for none) changes the baseline.  NAME=VALUE is added to the environment of
# the second command, or OPTION to its options.
recipe() {
	awk '/^\.Bd -literal -compact/ { block = ""; inside = 1; next }
	    /^\.Ed/ && inside { inside = 0; if (block ~ /junit/) printf "%s", block }
	    inside { gsub(/\\e/, "\\"); block = block $0 "\n" }' \
	    "$TOP/man/npu-bench.1" >recipe.sh
	grep -q '^npu-bench --runs=5 --baseline=' recipe.sh
	mkdir bin
	cat >bin/npu-bench <<-END
	#!/bin/bash
	$(declare -f pico days times)
	case \$* in
	*--baseline*)
		$1 '.runs[]' <base.json >edited && mv edited base.json || exit 99
		case "${2:-}" in
		-*) set -- "\$@" $2 ;;
		?*) export $2 ;;
		esac ;;
	esac
	exec "$(type -P npu-bench)" "\$@" -q --idle=none --min-iter=20 -w 2
	END
	chmod +x bin/npu-bench
	PATH=$PWD/bin:$PATH sh -e recipe.sh
}

@test "the manual page's recipe: a result that is not slower passes" {
	run -0 recipe days
	[[ $output == *"base.json, 5 runs against 5"*"verdict: pass"* ]]
	[[ $output != *unsure* ]]
	parsed bench.xml >cases
	[ "$(grep -c ': pass' cases)" -eq 3 ]
	[ "$(grep -c ': skipped' cases)" -eq 1 ]
}

@test "the manual page's recipe: a regression fails the job" {
	run -1 recipe pico
	[[ $output == *"verdict: regression"* ]]
	parsed bench.xml >cases
	grep -q ': failure' cases
}

@test "the manual page's recipe: without a verdict it prints unsure, status 0" {
	run -0 recipe days '-P 2'
	[[ $output == *"verdict: inconclusive"*unsure ]]
}

@test "the manual page's recipe: a failed run fails the job" {
	run -1 recipe days NPU_DEVICE=npu
}

# check STATUS OPTION...: runs --self-check.  Its first comparison passes, since
# differences below 0.3 s do not count.  In its second comparison, an inference
# takes 4 * 300 / 14.4 = 83 ms on side A.  On side B it takes 14.4 times more:
# 1283 ms.
check() {
	run --separate-stderr "-$1" npu-bench --self-check --idle=none --min-iter=2 \
	    -w 0 --runs=3 -T 10min --max-regress=900% --min-delta=300ms "${@:2}"
}

@test "--self-check: a gate that misses the slowdown is reported, status 4" {
	begin=$(date +%s%3N)
	# The time of an inference does not count in the stage put.
	check 4 --metrics=put:min --json m.cix
	[[ $stderr == *"npu-bench: --self-check: inferences that take \
1.44e+03 % longer are passed" ]]
	# Side B has three runs, each with a cold inference and two samples.
	[ $(($(date +%s%3N) - begin)) -ge $((3 * 3 * 1283)) ]
	# The report shows the first comparison.
	[ "$(jq -c '[.verdict.result, (.runs | length)]' <<<"$output")" = \
	    '["pass",6]' ]
}

@test "--self-check: ends if the comparison of equal sides is inconclusive" {
	check 5 --metrics=infer:p99_ucb m.cix
	check 0 --metrics=infer:p99_ucb --on-unsure=pass m.cix
	[[ $stderr != *--self-check* ]]
}

@test "--self-check: checks several configurations, and several processes" {
	mkcix --in=s8:8 --out=s8:8 >n.cix
	# The check would end early if a configuration had no verdict.
	check 4 --metrics=put:min --min-delta=100ms --together -j 1,2 m.cix n.cix
	# The model's path differs from the name on the command line.
	mkdir models
	mv m.cix n.cix models
	NPU_MODEL_PATH=models check 4 --metrics=put:min --min-delta=100ms m.cix
}

@test "--self-check: on an NPU, only the comparison of equal sides is made" {
	: >node
	NPU_DEVICE=npu NPU_LIBRARY=$B/tests/tools/oddnoe.so check 0 \
	    --node=./node --metrics=put:min m.cix
	[[ $stderr == *"--self-check: compared only with itself, as an NPU \
cannot be slowed down" ]]
}

@test "outputs that differ from --ref end the run, status 4" {
	# These are not the model's outputs.
	printf '\177\200\177\200' >ref
	run --separate-stderr -4 timeout 300 npu-bench -q --idle=none --runs=3 \
	    --min-iter=20 -w 2 --ref=ref --tol=max:0 --json --ab '' '' m.cix
	[ "$(jq -c '[.runs[] | .side]' <<<"$output")" = '["A"]' ]
	# --save does not replace an earlier document with such results.
	echo right >kept.json
	run -4 gate --ref=ref --tol=max:0 --save=kept.json --junit=x.xml \
	    --ab '' '' m.cix
	[ "$(cat kept.json)" = right ]
	parsed x.xml >cases
	[[ $(<cases) == "'m.cix'/comparison: failure 'ref: "* ]]
}

@test "a failed run leaves the result without a verdict, even if others pass" {
	# Three runs on the library oddnoe become the baseline.
	before_run 99 false --runs=3 --json
	days '.runs[]' <out >base.json
	# Three runs pass.  Before the fourth run, the model is removed.
	run -1 before_run 4 'rm m.cix' --runs=4 --metrics=infer:min --json \
	    --baseline=base.json
	[ "$(jq -c '[(.runs | length), .error.status, .verdict]' out)" = \
	    '[4,1,null]' ]
}
