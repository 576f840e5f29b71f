#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# The gate of npu-bench, by its exit status.  An inference of the emulator takes
# as long as it is told and computes nothing; changes are so large, and limits so
# wide, that a busy machine does not decide them: tests/long/gate has small ones.
# bats file_tags=waits

load ../support/helper

setup() {
	export NPU_DEVICE=emu NPU_EMU_COMPUTE=none NPU_EMU_INFER_MS=1
	export NPU_EMU_CORES=1
	mkcix --in=s8:4 --out=s8:4 >m.cix
}

# bench OPTION...: three runs of 20 samples.
bench() {
	npu-bench -q --idle=none -R 3 -n 20 -w 2 "$@"
}

# gate OPTION...: their shortest are gated, which others disturb least.
gate() {
	bench --metrics=infer:min --max-regress=900% "$@"
}

slow() {
	NPU_EMU_INFER_MS=30 gate "$@"
}

@test "--ab: what takes longer is a regression, status 4" {
	run --separate-stderr -4 gate --ab '' NPU_EMU_INFER_MS=30 m.cix
	[[ $output == *"A against B, 3 runs"* ]]
	[[ $output =~ 'infer min +'[12][0-9]{3}.[0-9]'% (>= +'[0-9.]+'%, limit +900%) regression' ]]
	[[ $output == *"verdict: regression"* ]]
	[ "$stderr" = "" ]
}

@test "--ab: the same passes, and so does what is faster" {
	run -0 gate --ab '' '' m.cix
	[[ $output == *"verdict: pass"* ]]
	run -0 gate --ab NPU_EMU_INFER_MS=30 '' m.cix
	[[ $output =~ 'infer min -9'[0-9.]+'% (<= -9' ]]
}

@test "--ab: the runs are A B B A A B" {
	gate --json --ab '' '' m.cix >json
	[ "$(jq -r '[.runs[] | "\(.side)\(.run)"] | join(" ")' json)" = \
	    "A0 B0 B1 A1 A2 B2" ]
	[ "$(jq -r '.verdict | "\(.result) \(.against) \(.runs)"' json)" = \
	    "pass A against B 3" ]
}

@test "--ab: models, options and environment of each side" {
	mkcix --in=s8:8 --out=s8:8 >n.cix
	run -0 gate --json --metrics=e2e:p50 --ab 'm.cix -j 2' \
	    'n.cix --scenario=offline -j 2 NPU_EMU_GET_MS=1'
	[ "$(jq -r '[.runs[] | "\(.side) \(.model) \(.inflight)"] | unique |
	    join(",")' <<<"$output")" = "A m.cix 2,B n.cix 2" ]
}

@test "--baseline: the same passes, what takes longer is status 4" {
	bench --save=base.json m.cix
	run -0 gate --baseline=base.json m.cix
	[[ $output == *"base.json, 3 runs against 3"*"verdict: pass"* ]]
	run -4 slow --baseline=base.json m.cix
	[[ $output == *"verdict: regression"* ]]
}

@test "--baseline: what --json wrote serves as well, by another name" {
	bench --json -o base.json m.cix
	cp m.cix other.cix
	run -0 gate --baseline=base.json other.cix
	[[ $output == *"verdict: pass"* ]]
}

@test "--baseline: each number in flight is compared with its own" {
	bench -j 1,2 --save=base.json m.cix
	jq '(.runs[] | select(.inflight == 1).stages.infer.p50_ms) |= . / 100 |
	    (.runs[] | select(.inflight == 2).stages.infer.p50_ms) |= . * 100' \
	    base.json >edited.json
	run -0 gate -j 2 --json --metrics=infer:p50 --baseline=edited.json m.cix
	[ "$(jq -c '[.verdict.metrics[] | [.inflight, .result]]' \
	    <<<"$output")" = '[[2,"pass"]]' ]
	run -4 gate -j 1-2 --json --metrics=infer:p50 --baseline=edited.json \
	    --scenario=offline m.cix
	[ "$(jq -c '[.verdict.metrics[] | [.inflight, .result]]' \
	    <<<"$output")" = '[[1,"regression"],[2,"pass"]]' ]
}

# differs EDIT WORDS [OPTION...]: a baseline that EDIT makes another's is not
# compared, and is by force.
differs() {
	jq "$1" base.json >edited.json
	run -5 gate --baseline=edited.json "${@:3}" m.cix
	[[ $output == *"nothing was compared: $2"$'\n'"verdict: no verdict"* ]]
	# More runs would not change it: the first is the last.
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
	differs '.host.driver = "1.2.3"' 'driver was 1.2.3, is 5.11.0' \
	    --root=none
	# On a machine that is busy one of three in flight ends while another
	# is waited for: it seems to take nothing, but never so from its
	# creation to its end.
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

@test "no verdict: status 5, 0 with --on-unsure=pass, 4 with fail" {
	bench --save=base.json m.cix
	jq 'del(.runs[2])' base.json >two.json
	run -5 gate --baseline=two.json m.cix
	[[ $output == *"infer min no verdict: 2 runs, 3 are needed"* ]]
	run -0 gate --on-unsure=pass --baseline=two.json m.cix
	run -4 gate --on-unsure=fail --baseline=two.json m.cix
}

@test "without a verdict runs are added, up to --max-runs" {
	# 1.5 times as long, at the limit of half as much again.
	run gate --json --max-regress=0.01% --max-runs=5 --ab '' '' m.cix
	[ "$status" = 0 ] || [ "$status" = 4 ] || [ "$status" = 5 ]
	n=$(jq .verdict.runs <<<"$output")
	if [ "$status" = 5 ]; then [ "$n" = 5 ]; else [ "$n" -ge 3 ]; fi
	[ "$(jq '.runs | length' <<<"$output")" = $((2 * n)) ]
}

@test "a metric of too few samples is left out, and that is said" {
	run -0 npu-bench -q --idle=none -R 3 -n 20 -w 2 --max-regress=900% \
	    --ab '' '' m.cix
	[[ $output == *"infer p99 ucb left out: a run has 20 samples, 662 are needed"* ]]
	[[ $output == *"e2e p50 "*" pass"* ]]
	run -5 gate --metrics=infer:p99_ucb --ab '' '' m.cix
	[[ $output == *"no metric could be compared"* ]]
}

@test "a run that a cap cut short is no pass, and no more are made" {
	run -5 npu-bench -q --idle=none -R 3 --preset=quick --max-iter=20 -w 2 \
	    --metrics=infer:min --max-regress=900% --ab '' '' m.cix
	[[ $output == *"A against B, 3 runs"*"run 1 was cut short: 20 samples of 130"* ]]
	[[ $output == *"verdict: no verdict"* ]]
	run -4 npu-bench -q --idle=none -R 3 --preset=quick --max-iter=20 -w 2 \
	    --metrics=infer:min --max-regress=900% --ab '' NPU_EMU_INFER_MS=30 \
	    m.cix
}

@test "--min-delta: a difference of no account is no regression" {
	run -0 gate --min-delta=100ms --ab '' NPU_EMU_INFER_MS=30 m.cix
	[[ $output == *" pass: less than --min-delta"* ]]
}

@test "several models are judged each, and together" {
	mkcix --in=s8:8 --out=s8:8 >n.cix
	bench --save=base.json m.cix n.cix
	jq '(.runs[] | select(.model == "n.cix").stages.infer.min_ms) |= . / 100' \
	    base.json >faster.json
	run -4 gate --baseline=faster.json m.cix n.cix
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
	[[ $stderr == "npu-bench: bad.json: byte "* ]]
	run --separate-stderr -1 gate --baseline=none.json m.cix
	[[ $stderr == "npu-bench: none.json: "* ]]
	gate --ab '' '' --save=sides.json m.cix
	run --separate-stderr -1 gate --baseline=sides.json m.cix
	[[ $stderr == *"runs[0].side: not null: A against B is no baseline" ]]
}

# refuses WORDS OPTION...
refuses() {
	run --separate-stderr -2 npu-bench --ab '' '' "${@:2}" m.cix
	[ "${stderr_lines[0]}" = "npu-bench: $1" ]
}

@test "options of the gate are checked" {
	refuses "--max-regress: '5' is no percentage such as 5%" \
	    --max-regress=5
	refuses "--max-regress: '0%' is not from 0.01% to 1000%" \
	    --max-regress=0%
	refuses "--min-delta: '1x' is not a duration such as 100us, 0.5ms or \
10s, at most 35000min" --min-delta=1x
	refuses "--metrics: 'infer' is neither a stage and a statistic, such \
as infer:p50 or e2e:p99_ucb, nor throughput" --metrics=infer
	refuses "--metrics: 'infer:p50_' is neither a stage and a statistic, \
such as infer:p50 or e2e:p99_ucb, nor throughput" --metrics=infer:p50_
	refuses "--metrics: infer:p99.9 hangs on too few samples to be gated; \
99 is the highest percentile" --metrics=infer:p99.9
	refuses "--metrics: e2e:max hangs on too few samples to be gated; 99 \
is the highest percentile" --metrics=e2e:max
	refuses "--metrics: e2e:p50 is there twice" \
	    --metrics=e2e:p50,infer:p50,e2e:p50
}

# parsed FILE: its cases as a stranger reads them, "SUITE/CASE: RESULT TEXT".
parsed() {
	python3 - "$1" <<-'END'
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

@test "--junit: a suite of each model, a case of each metric" {
	mkcix --in=s8:8 --out=s8:8 >n.cix
	run -4 gate --metrics=infer:min,infer:p99_ucb --junit=x.xml --ab '' \
	    NPU_EMU_INFER_MS=30 m.cix n.cix
	parsed x.xml >cases
	[ "$(wc -l <cases)" -eq 4 ]
	grep -q "^'m.cix'/infer min, 1 in flight: failure 'infer min +.* \
(>= +.*, limit +900%) regression'$" cases
	[ "$(grep -c "'n.cix'/infer p99 ucb, 1 in flight: skipped 'infer p99 \
ucb left out: a run has 20 samples, 662 are needed'" cases)" -eq 1 ]
}

@test "--junit: no verdict is skipped, or an error with --on-unsure=fail" {
	bench --save=base.json m.cix
	jq '.host.board = "]]>\u001b<&"' base.json >other.json
	run -5 gate --junit=x.xml --baseline=other.json m.cix
	[[ $(parsed x.xml) == "'m.cix'/comparison: skipped 'board was ]]>\\ufffd<&, is "* ]]
	run -4 gate --junit=x.xml --on-unsure=fail --baseline=other.json m.cix
	[[ $(parsed x.xml) == "'m.cix'/comparison: error "* ]]
}

@test "--junit: any name of a model gives a document" {
	name=$'a<b>&"\x01\xff\n]]>--\xc3\xbc.cix'
	cp m.cix "$name"
	gate --junit=x.xml --ab '' '' "$name"
	[ "$(parsed x.xml)" = \
	    "'a<b>&\"\\ufffd\\ufffd\\n]]>--\\xfc.cix'/infer min: pass" ]
}

# recipe NAME=VALUE [OPTION...]: runs the one of the manual page as it stands,
# but that each run is short, and that its comparison has a limit of 900 %, the
# OPTIONs and NAME in its environment.
recipe() {
	awk '/^\.Bd -literal -compact/ { block = ""; inside = 1; next }
	    /^\.Ed/ && inside { inside = 0; if (block ~ /junit/) printf "%s", block }
	    inside { gsub(/\\e/, "\\"); block = block $0 "\n" }' \
	    "$TOP/man/npu-bench.1" >recipe.sh
	grep -q '^npu-bench -R 5 --baseline=' recipe.sh
	mkdir bin
	cat >bin/npu-bench <<-END
	#!/bin/sh
	case \$* in
	*--baseline*) export $1; set -- "\$@" --max-regress=900% ${@:2} ;;
	esac
	exec "$(type -P npu-bench)" "\$@" -q --idle=none -n 20 -w 2
	END
	chmod +x bin/npu-bench
	PATH=$PWD/bin:$PATH sh -e recipe.sh
}

@test "the manual page's recipe: what is the same passes" {
	run -0 recipe NPU_EMU_INFER_MS=1
	[[ $output == *"base.json, 5 runs against 5"*"verdict: pass"* ]]
	[[ $output != *unsure* ]]
	parsed bench.xml >cases
	[ "$(grep -c ': pass' cases)" -eq 3 ]
	[ "$(grep -c ': skipped' cases)" -eq 1 ]
}

@test "the manual page's recipe: a regression fails the job" {
	# Ten times what the baseline took on a busy machine, and more.
	run -1 recipe NPU_EMU_INFER_MS=100
	[[ $output == *"verdict: regression"* ]]
	parsed bench.xml | grep -q ': failure'
}

@test "the manual page's recipe: no verdict is said, and no more" {
	run -0 recipe NPU_EMU_INFER_MS=1 -P 2
	[[ $output == *"verdict: no verdict"*unsure ]]
}

@test "the manual page's recipe: what cannot run fails the job" {
	run -1 recipe NPU_DEVICE=npu
}

@test "--self-check: with itself a pass, longer a regression" {
	run --separate-stderr -0 npu-bench --self-check --idle=none -n 20 \
	    -w 2 -R 3 --max-regress=900% --metrics=infer:min m.cix
	[[ $output == *"verdict: pass"* ]]
	[[ $stderr == *"npu-bench: --self-check: with itself a pass, and 1.44e+03 % \
longer a regression" ]]
	# What is said of both sides holds for both comparisons.
	run --separate-stderr -0 npu-bench --self-check --idle=none -n 20 \
	    -w 2 -R 3 --max-regress=900% --metrics=infer:min -q --json m.cix
	[ "$stderr" = "" ]
	[ "$(jq -r '.verdict.result' <<<"$output")" = pass ]
	[ "$(jq '.runs | length' <<<"$output")" -eq 6 ]
}

# check STATUS OPTION...: what is said of inferences that take longer than usual
# by 14.4 times.
check() {
	run --separate-stderr "-$1" npu-bench --self-check --idle=none -n 20 \
	    -w 2 -R 3 --max-regress=900% "${@:2}" m.cix
}

@test "--self-check: a gate that does not see it is not right" {
	# What an inference takes is no part of it.
	check 4 --metrics=put:min
	[[ $stderr == *"npu-bench: --self-check: inferences that take \
1.44e+03 % longer are passed" ]]
	# 4 * 100 / 14.4 ms, and 14.4 times more: 8.6 s for 20 of them.
	check 5 --metrics=put:min --min-delta=100ms --max-time=300ms
	[[ $stderr == *"longer are given no verdict" ]]
	check 1 --metrics=put:min --min-delta=100ms -T 300ms
	[[ $stderr == *"no result after 0.3 s"* ]]
}

@test "--self-check: without a verdict on itself there is no more to see" {
	check 5 --metrics=infer:p99_ucb
	check 0 --metrics=infer:p99_ucb --on-unsure=pass
	[[ $stderr != *--self-check* ]]
}

@test "--self-check: each configuration and each process as it is itself" {
	mkcix --in=s8:8 --out=s8:8 >n.cix
	# Four configurations and no verdict on any ends it.  The second in
	# flight may have ended when it is waited for: not infer:min.
	export NPU_EMU_INFER_MS=5 NPU_EMU_CORES=1
	run --separate-stderr -0 npu-bench --self-check --idle=none -n 9 \
	    -w 2 -R 3 --max-regress=900% --metrics=e2e:min --together \
	    -j 1,2 m.cix n.cix
	# By another name than that which was given.
	mkdir models
	mv m.cix n.cix models
	NPU_MODEL_PATH=models run --separate-stderr -0 npu-bench -q \
	    --self-check --idle=none -n 9 -w 2 -R 3 --max-regress=900% \
	    --metrics=infer:min m.cix
}

@test "--self-check: a library that is no emulator cannot be told to be slower" {
	: >node
	NPU_DEVICE=npu NPU_LIBRARY=$B/tests/tools/oddnoe.so check 0 \
	    --node=./node --metrics=put:min
	[[ $stderr == *"--self-check: only with itself, since an NPU cannot be \
told to be slower" ]]
}

@test "outputs that differ from --ref end it, status 4" {
	# Not what comes out.
	printf '\177\200\177\200' >ref
	run --separate-stderr -4 timeout 30 npu-bench -q --idle=none -R 3 \
	    -n 20 -w 2 --ref=ref --tol=max:0 --json --ab '' '' m.cix
	[ "$(jq -c '[.runs[] | .side]' <<<"$output")" = '["A"]' ]
	# Nor are they kept, in the place of those that were right.
	echo right >kept.json
	run -4 gate --ref=ref --tol=max:0 --save=kept.json --junit=x.xml \
	    --ab '' '' m.cix
	[ "$(cat kept.json)" = right ]
	[ ! -e x.xml ]
}

@test "when a run fails there is no verdict, whatever those before it said" {
	bench --save=base.json m.cix
	# Three runs pass; before the fourth the model goes away.
	gate -R 4 -v --cooldown=1s --json -o failed.json \
	    --baseline=base.json m.cix 2>&1 | while read -r line; do
		[[ $line != *"run 4:"* ]] || rm m.cix
	done
	[ "$(jq -c '[(.runs | length), .error.status, .verdict]' \
	    failed.json)" = '[4,1,null]' ]
}
